//! Tables on disk: Arrow streams while a run goes on, Parquet when it has ended. The only modules that
//! know Arrow and Parquet.

mod batch;
mod parquet_file;
mod stream;
mod sums;

use std::path::Path;

pub(crate) use parquet_file::{ParquetFile, read_parquet};
pub(crate) use stream::{Stream, read_stream};
pub(crate) use sums::{path_of as sums_of, vouched};

use crate::manifest::FileRecord;
use crate::tables::{Columns, Table};
use crate::{Error, Scene};

/// Takes one batch of a table at a time.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&Columns) -> Result<(), Error>;

/// Feeds a table to `sink` batch by batch, from Parquet if `files`, those of `run.json`, have it, else from the complete
/// batches of the stream. Returns false if the run has neither, E0704 if what it reads is not what was written.
pub(crate) fn read_table(
    dir: &Path,
    table: Table,
    scene: &Scene,
    files: &[FileRecord],
    sink: Sink<'_>,
) -> Result<bool, Error> {
    let stream = dir.join(table.stream_file());
    if let Some(record) = files.iter().find(|record| record.file == table.parquet_file()) {
        record.verify(dir)?;
        read_parquet(&dir.join(&record.file), table.columns(scene), sink)?;
        Ok(true)
    } else if stream.is_file() {
        read_stream(&stream, table.columns(scene), None, sink)?;
        Ok(true)
    } else {
        Ok(false)
    }
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
