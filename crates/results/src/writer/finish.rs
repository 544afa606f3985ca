//! The end of a run: Parquet in place of the streams, and the manifest.

use std::path::Path;

use carom_engine::{EndReason, Outcome};

use super::{RunWriter, Streams};
use crate::manifest::{Manifest, TableRecord, TotalsRecord};
use crate::store::{ParquetFile, Stream, stream_batches, sums_of};
use crate::tables::{Columns, Table, pairs};
use crate::{Error, Level, Scene, files};

impl RunWriter {
    /// Ends the run: tables become Parquet, then `run.json` is written, then the streams are deleted. A run that a
    /// full disk has stopped stays as a kill leaves it, with its last checkpoint: for anything else there is no room.
    pub fn finish(mut self, outcome: &Outcome) -> Result<Manifest, Error> {
        if let Some(full) = self.full.take() {
            return Err(full);
        }
        self.reserve.give_back();
        let dir = self.folder.path();
        let Streams(streams) = self.streams;
        streams.into_iter().try_for_each(Stream::close)?;
        let manifest = &mut self.manifest;
        let about = manifest.about();
        manifest.note_outcome(outcome, &self.scene);
        manifest.tables = streams_to_parquet(dir, &self.scene, &about, Some(&manifest.totals), None)?;
        manifest.note_tables(dir)?;
        manifest.final_joints = self.last_joints.at(outcome.time, &self.scene);
        manifest.note_clock(self.started);
        manifest.write(dir)?;
        remove_streams(dir)?;
        for warning in &self.manifest.warnings {
            self.log.line(Level::Warning, warning)?;
        }
        match &outcome.end {
            EndReason::Failed(error) => self.log.line(Level::Error, &error.to_string())?,
            end => self.log.line(Level::Info, end.name())?,
        }
        Ok(self.manifest)
    }
}

/// Writes the Parquet file of every table that has a stream, that of pairs with their totals if there are any; what an
/// earlier run or a kill has left behind goes away. Of a damaged stream the batches before the damage are kept if the
/// caller takes what is wrong with it.
pub(super) fn streams_to_parquet(
    dir: &Path,
    scene: &Scene,
    about: &[(String, String)],
    totals: Option<&[TotalsRecord]>,
    mut damage: Option<&mut Vec<Error>>,
) -> Result<Vec<TableRecord>, Error> {
    let mut records = Vec::new();
    for table in Table::ALL {
        let parquet = dir.join(table.parquet_file());
        let stream = dir.join(table.stream_file());
        if !stream.is_file() {
            files::remove_if_present(&parquet)?;
            continue;
        }
        let mut file = ParquetFile::create(&parquet, table.columns(scene), about)?;
        match totals {
            Some(totals) if table == Table::Pairs => {
                let mut rows = Columns::new(table.columns(scene));
                pairs::push(&mut rows, scene, 0, totals);
                file.write(&rows)?;
            }
            _ => {
                let damage = damage.as_deref_mut();
                stream_batches(&stream, table.columns(scene), damage)?
                    .feed(&mut |batch| file.write(batch))?;
            }
        }
        let rows = file.close()?;
        if rows == 0 && table.is_optional() {
            files::remove_if_present(&parquet)?;
        } else {
            records.push(TableRecord { name: table.name().to_owned(), file: table.parquet_file(), rows });
        }
    }
    Ok(records)
}

/// Removes the streams once everything is in Parquet.
pub(super) fn remove_streams(dir: &Path) -> Result<(), Error> {
    let streams = Table::ALL.iter().map(|table| dir.join(table.stream_file()));
    streams.into_iter().try_for_each(|stream| {
        files::remove_if_present(&stream)?;
        files::remove_if_present(&sums_of(&stream))
    })
}
