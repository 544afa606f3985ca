//! Arrow IPC stream of one table: complete batches survive a kill.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::batch;
use super::batches::Batches;
use super::sums::{Sums, vouched};
use crate::Error;
use crate::files::{self, Temporary};
use crate::tables::{Column, Columns};

/// A pending batch is written when it holds this many cells (1 MB of numbers).
const BATCH_CELLS: usize = 1 << 17;

/// A growing table.
pub(crate) struct Stream {
    path: PathBuf,
    schema: SchemaRef,
    /// Encodes into memory: batches reach the file whole, their checksum after them, and what a full disk refuses can be
    /// written again as it was.
    writer: StreamWriter<Vec<u8>>,
    file: File,
    /// Length of the file: complete batches.
    length: u64,
    sums: Sums,
    pending: Columns,
    written: u64,
    /// Until the stream has its place.
    temporary: Option<Temporary>,
}

impl Stream {
    /// An empty table in the file `path`, which is replaced.
    pub(crate) fn create(
        path: &Path,
        columns: Vec<Column>,
        about: &[(String, String)],
    ) -> Result<Self, Error> {
        let sums = Sums::anew(path)?;
        let file = files::create_anew(path)?;
        Self::new(path, file, sums, columns, about)
    }

    /// An empty table that will replace `path`.
    pub(crate) fn beside(
        path: &Path,
        columns: Vec<Column>,
        about: &[(String, String)],
    ) -> Result<Self, Error> {
        let sums = Sums::after(path)?;
        let (temporary, file) = Temporary::create(path).map_err(Error::write(path))?;
        let part = ("carom.part".to_owned(), sums.part().to_string());
        let about: Vec<_> = about.iter().cloned().chain([part]).collect();
        Ok(Self { temporary: Some(temporary), ..Self::new(path, file, sums, columns, &about)? })
    }

    fn new(
        path: &Path,
        file: File,
        sums: Sums,
        columns: Vec<Column>,
        about: &[(String, String)],
    ) -> Result<Self, Error> {
        let schema = batch::schema(&columns, about);
        let writer = StreamWriter::try_new(Vec::new(), &schema).map_err(write_error(path))?;
        let (path, pending) = (path.to_owned(), Columns::new(columns));
        Ok(Self { path, schema, writer, file, length: 0, sums, pending, written: 0, temporary: None })
    }

    /// Rows that wait for the next batch; the caller pushes to them and then calls [`Self::settle`].
    pub(crate) fn pending(&mut self) -> &mut Columns {
        &mut self.pending
    }

    /// Rows so far, written or pending.
    pub(crate) fn rows(&self) -> u64 {
        self.written + self.pending.rows() as u64
    }

    /// Are the pending rows many?
    pub(crate) fn is_due(&self) -> bool {
        self.pending.rows() * self.pending.columns().len() >= BATCH_CELLS
    }

    /// Writes the pending rows if they are many.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        if self.is_due() { self.flush() } else { Ok(()) }
    }

    /// Hands all rows to the operating system. After an error nothing is lost, and it can be tried again.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.encode()?;
        self.sums.settle()
    }

    /// Appends the pending rows to the file.
    fn encode(&mut self) -> Result<(), Error> {
        if self.pending.rows() > 0 {
            let batch = batch::to_batch(&self.schema, &self.pending).map_err(write_error(&self.path))?;
            self.writer.write(&batch).map_err(write_error(&self.path))?;
            self.written += self.pending.rows() as u64;
            self.pending.clear();
        }
        self.drain()
    }

    /// Writes what is encoded, all or nothing.
    fn drain(&mut self) -> Result<(), Error> {
        let bytes = self.writer.get_mut();
        if let Err(error) = files::write_all(&mut self.file, bytes) {
            // A part of a batch would hide all that comes after it.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(Error::write(&self.path)(error));
        }
        self.length += bytes.len() as u64;
        self.sums.add(bytes);
        bytes.clear();
        Ok(())
    }

    /// Hands all rows to the disk.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.encode()?;
        self.file.sync_data().map_err(Error::write(&self.path))?;
        self.sums.sync()
    }

    /// Ends the stream.
    pub(crate) fn close(mut self) -> Result<(), Error> {
        self.encode()?;
        self.writer.finish().map_err(write_error(&self.path))?;
        self.drain()?;
        self.sums.settle()
    }

    /// Puts a file that was begun beside its place there: first the checksums, which then know both streams.
    pub(crate) fn take_place(&mut self) -> Result<(), Error> {
        self.sync()?;
        match self.temporary.take() {
            Some(temporary) => temporary.put(&self.path).map_err(Error::write(&self.path)),
            None => Ok(()),
        }
    }
}

/// Every complete batch that the checksums vouch for; what a kill cut off is left out. Damage is an error, unless the caller
/// takes it and has the batches before it.
pub(crate) fn stream_batches(
    path: &Path,
    columns: Vec<Column>,
    damage: Option<&mut Vec<Error>>,
) -> Result<Batches, Error> {
    let vouched = vouched(path)?;
    match (vouched.damage, damage) {
        (None, _) => {}
        (Some(error), Some(found)) => found.push(error),
        (Some(error), None) => return Err(error),
    }
    if vouched.bytes == 0 {
        return Ok(Batches::new(path, columns, Box::new(std::iter::empty())));
    }
    let bytes = BufReader::new(files::open(path)?).take(vouched.bytes);
    let reader = StreamReader::try_new(bytes, None).map_err(|error| Error::damaged(path, error))?;
    Ok(Batches::new(path, columns, Box::new(reader)))
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
        let dir = crate::fixture::TempDir::new("full");
        let sums = Sums::anew(&dir.path().join("steps.arrows")).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        let columns = Table::Steps.columns(&crate::Scene::default());
        let mut stream = Stream::new(path, file, sums, columns, &[]).unwrap();
        let error = stream.flush().unwrap_err();
        assert_eq!(error.code(), "E0705");
        assert!(
            error.to_string().contains("/dev/full") && error.help().contains("free some space"),
            "{error}"
        );
    }
}
