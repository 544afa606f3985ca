//! Tables on disk: Arrow streams while a run goes on, Parquet when it has ended. The only modules that
//! know Arrow and Parquet.

mod batch;
mod parquet_file;
mod stream;

use std::path::Path;

pub(crate) use parquet_file::{ParquetFile, read_parquet};
pub(crate) use stream::{Stream, read_stream};

use crate::tables::{Columns, Table};
use crate::{Error, Scene};

/// Takes one batch of a table at a time.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&Columns) -> Result<(), Error>;

/// Where the rows of a run are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the streams alone: of a run that has not ended, whose folder may have Parquet files of the run before.
    Streams,
    /// In Parquet, or else in the streams.
    Ended,
}

/// Feeds a table to `sink` batch by batch; of a stream its complete batches. Returns false if the run has no such file.
pub(crate) fn read_table(
    dir: &Path,
    table: Table,
    scene: &Scene,
    source: Source,
    sink: Sink<'_>,
) -> Result<bool, Error> {
    let parquet = dir.join(table.parquet_file());
    let stream = dir.join(table.stream_file());
    if source == Source::Ended && parquet.is_file() {
        read_parquet(&parquet, table.columns(scene), sink)?;
        Ok(true)
    } else if stream.is_file() {
        read_stream(&stream, table.columns(scene), sink)?;
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
    source: Source,
) -> Result<Option<Columns>, Error> {
    let mut all = Columns::new(table.columns(scene));
    let found = read_table(dir, table, scene, source, &mut |batch| {
        all.append(batch, 0..batch.rows());
        Ok(())
    })?;
    Ok(found.then_some(all))
}
