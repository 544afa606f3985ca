//! Arrow IPC stream of one table: complete batches survive a kill.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::{Sink, batch};
use crate::Error;
use crate::tables::{Column, Columns};

/// A pending batch is written when it holds this many cells (1 MB of numbers).
const BATCH_CELLS: usize = 1 << 17;

/// A growing table.
pub(crate) struct Stream {
    path: PathBuf,
    schema: SchemaRef,
    writer: StreamWriter<BufWriter<File>>,
    pending: Columns,
    written: u64,
}

impl Stream {
    /// An empty table in the file `path`, which is replaced.
    pub(crate) fn create(
        path: &Path,
        columns: Vec<Column>,
        about: &[(String, String)],
    ) -> Result<Self, Error> {
        let schema = batch::schema(&columns, about);
        let file = File::create(path).map_err(Error::write(path))?;
        let writer = StreamWriter::try_new(BufWriter::new(file), &schema).map_err(write_error(path))?;
        Ok(Self { path: path.to_owned(), schema, writer, pending: Columns::new(columns), written: 0 })
    }

    /// Rows that wait for the next batch; the caller pushes to them and then calls [`Self::settle`].
    pub(crate) fn pending(&mut self) -> &mut Columns {
        &mut self.pending
    }

    /// Rows so far, written or pending.
    pub(crate) fn rows(&self) -> u64 {
        self.written + self.pending.rows() as u64
    }

    /// Writes the pending rows if they are many.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        if self.pending.rows() * self.pending.columns().len() >= BATCH_CELLS { self.flush() } else { Ok(()) }
    }

    /// Hands all rows to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        if self.pending.rows() > 0 {
            let batch = batch::to_batch(&self.schema, &self.pending).map_err(write_error(&self.path))?;
            self.writer.write(&batch).map_err(write_error(&self.path))?;
            self.written += self.pending.rows() as u64;
            self.pending.clear();
        }
        self.writer.flush().map_err(write_error(&self.path))
    }

    /// Hands all rows to the disk.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.flush()?;
        self.writer.get_ref().get_ref().sync_data().map_err(Error::write(&self.path))
    }

    /// Ends the stream.
    pub(crate) fn close(mut self) -> Result<(), Error> {
        self.flush()?;
        self.writer.finish().map_err(write_error(&self.path))?;
        self.writer.get_mut().flush().map_err(Error::write(&self.path))
    }

    /// Puts the finished file in the place of `path`.
    pub(crate) fn rename(&mut self, path: &Path) -> Result<(), Error> {
        fs::rename(&self.path, path).map_err(Error::write(path))?;
        self.path = path.to_owned();
        Ok(())
    }
}

/// Feeds every complete batch to `sink`; what a kill cut off is left out.
pub(crate) fn read_stream(path: &Path, columns: Vec<Column>, sink: Sink<'_>) -> Result<(), Error> {
    let file = File::open(path).map_err(Error::read(path))?;
    // Not even the schema is complete: no rows.
    let Ok(mut reader) = StreamReader::try_new(BufReader::new(file), None) else { return Ok(()) };
    let mut batch_columns = Columns::new(columns);
    while let Some(Ok(batch)) = reader.next() {
        batch_columns.clear();
        batch::append_batch(&mut batch_columns, &batch).map_err(|message| Error::damaged(path, message))?;
        sink(&batch_columns)?;
    }
    Ok(())
}

fn write_error(path: &Path) -> impl FnOnce(ArrowError) -> Error + '_ {
    move |error| {
        let source = match error {
            ArrowError::IoError(_, source) => source,
            other => std::io::Error::other(other),
        };
        Error::Write { path: path.to_owned(), source }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::tables::Table;

    #[test]
    fn a_full_disk_is_named_with_a_remedy() {
        // The kernel's device that is always full.
        let path = Path::new("/dev/full");
        let mut stream = Stream::create(path, Table::Steps.columns(&crate::Scene::default()), &[]).unwrap();
        let error = stream.flush().unwrap_err();
        assert_eq!(error.code(), "E0705");
        assert!(
            error.to_string().contains("/dev/full") && error.help().contains("free some space"),
            "{error}"
        );
    }
}
