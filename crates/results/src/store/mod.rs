//! Tables on disk: Arrow streams while a run goes on, Parquet when it has ended. The only modules that
//! know Arrow and Parquet.

mod batch;
mod batches;
mod export;
mod packed;
mod parquet_file;
mod seek;
mod stream;
mod sums;

use std::path::Path;

pub(crate) use batches::Batches;
pub use export::{ArrowStream, arrow_stream};
pub(crate) use packed::{pack, unpack};
pub(crate) use parquet_file::ParquetFile;
pub use parquet_file::write_parquet;
pub(crate) use seek::Seekable;
pub(crate) use stream::{Stream, stream_batches};
pub(crate) use sums::{path_of as sums_of, vouched};

use crate::manifest::FileRecord;
use crate::tables::{Column, Columns, Table};
use crate::{Error, Scene};

/// The rows of a table in these of its columns, from Parquet if `files`, those of `run.json`, have it, else from the complete
/// batches of the stream. `None` if the run has neither, E0704 if the file is not what was written.
pub(crate) fn open_table(
    dir: &Path,
    table: Table,
    columns: Vec<Column>,
    files: &[FileRecord],
) -> Result<Option<Batches>, Error> {
    let stream = dir.join(table.stream_file());
    if let Some(record) = files.iter().find(|record| record.file == table.parquet_file()) {
        record.verify(dir)?;
        parquet_file::parquet_batches(&dir.join(&record.file), columns).map(Some)
    } else if stream.is_file() {
        stream_batches(&stream, columns, None).map(Some)
    } else {
        Ok(None)
    }
}

/// Feeds a table to `sink` batch by batch. Returns false if the run has none.
pub(crate) fn read_table(
    dir: &Path,
    table: Table,
    scene: &Scene,
    files: &[FileRecord],
    sink: &mut dyn FnMut(&Columns) -> Result<(), Error>,
) -> Result<bool, Error> {
    let Some(batches) = open_table(dir, table, table.columns(scene), files)? else { return Ok(false) };
    batches.feed(sink)?;
    Ok(true)
}

/// A whole table in memory; `None` if the run has no such file.
pub(crate) fn load_table(
    dir: &Path,
    table: Table,
    scene: &Scene,
    files: &[FileRecord],
) -> Result<Option<Columns>, Error> {
    let mut all = Columns::new(table.columns(scene));
    let found = read_table(dir, table, scene, files, &mut |batch| {
        all.append(batch, 0..batch.rows());
        Ok(())
    })?;
    Ok(found.then_some(all))
}
