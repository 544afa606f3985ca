//! The rows of a table on disk, some at a time: reading needs no more memory for a long run than for a short one.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::batch;
use crate::Error;
use crate::tables::{Column, Columns};

/// Cells of a batch that is read: 1 MB of numbers.
const BATCH_CELLS: usize = 1 << 17;

/// Rows of a batch of a table with so many columns.
pub(super) fn batch_rows(columns: usize) -> usize {
    (BATCH_CELLS / columns.max(1)).max(1)
}

type Reader = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// A table that is being read.
pub(crate) struct Batches {
    path: PathBuf,
    reader: Reader,
    rows: Columns,
}

impl Batches {
    /// The batches of `reader`, which reads the file at `path`.
    pub(super) fn new(path: &Path, columns: Vec<Column>, reader: Reader) -> Self {
        Self { path: path.to_owned(), reader, rows: Columns::new(columns) }
    }

    /// The next rows; `None` when there are no more.
    pub(crate) fn next(&mut self) -> Result<Option<&Columns>, Error> {
        let Some(batch) = self.reader.next() else { return Ok(None) };
        let batch = batch.map_err(|error| Error::damaged(&self.path, error))?;
        self.rows.clear();
        batch::append_batch(&mut self.rows, &batch).map_err(|message| Error::damaged(&self.path, message))?;
        Ok(Some(&self.rows))
    }

    /// Feeds all rows to `sink`.
    pub(crate) fn feed(mut self, sink: &mut dyn FnMut(&Columns) -> Result<(), Error>) -> Result<(), Error> {
        while let Some(rows) = self.next()? {
            sink(rows)?;
        }
        Ok(())
    }
}
