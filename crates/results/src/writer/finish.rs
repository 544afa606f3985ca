//! The end of a run: Parquet in place of the streams, and the manifest.

use std::path::Path;

use carom_engine::{EndReason, Outcome};

use super::{RunWriter, Streams};
use crate::manifest::{EndRecord, EnergyRecord, FinalBody, Manifest, StatisticsRecord, TableRecord};
use crate::manifest::{LineRecord, PairsRecord, TotalsRecord, now};
use crate::store::{ParquetFile, Stream, read_stream};
use crate::tables::{Columns, Table, pairs};
use crate::{Error, Level, Scene, files};

impl RunWriter {
    /// Ends the run: tables become Parquet, then `run.json` is written, then the streams are deleted. A run that a full disk
    /// has stopped stays as a kill leaves it, with its last checkpoint: for anything else there is no room.
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
        manifest.tables = streams_to_parquet(dir, &self.scene, &about)?;
        manifest.end = EndRecord::new(outcome);
        manifest.statistics = Some(StatisticsRecord::new(outcome));
        manifest.energy = Some(EnergyRecord::new(outcome));
        manifest.final_bodies = outcome.bodies.iter().map(FinalBody::new).collect();
        manifest.final_joints = self.last_joints.at(outcome.time, &self.scene);
        manifest.scene.clone_from(&self.scene);
        manifest.totals = outcome.pairs.iter().map(TotalsRecord::new).collect();
        manifest.pairs = PairsRecord::new(&self.scene, &manifest.totals);
        pairs_to_parquet(dir, &self.scene, &manifest.totals, &about)?;
        manifest.lines = LineRecord::of_run(outcome, &self.scene);
        manifest.warnings.clone_from(&outcome.warnings);
        manifest.warnings.extend(manifest.never_touched());
        manifest.timing.wall_s += self.started.elapsed().as_secs_f64();
        manifest.timing.ended = Some(now());
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

/// Writes the Parquet file of every table that has a stream; what an earlier run or a kill has left behind goes away.
pub(super) fn streams_to_parquet(
    dir: &Path,
    scene: &Scene,
    about: &[(String, String)],
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
        read_stream(&stream, table.columns(scene), &mut |batch| file.write(batch))?;
        let rows = file.close()?;
        if rows == 0 && table.is_optional() {
            files::remove_if_present(&parquet)?;
        } else {
            records.push(TableRecord { name: table.name().to_owned(), file: table.parquet_file(), rows });
        }
    }
    Ok(records)
}

/// The table of pairs again, with their totals.
fn pairs_to_parquet(
    dir: &Path,
    scene: &Scene,
    totals: &[TotalsRecord],
    about: &[(String, String)],
) -> Result<(), Error> {
    let mut rows = Columns::new(pairs::columns());
    pairs::push(&mut rows, scene, 0, totals);
    if rows.rows() == 0 {
        return Ok(());
    }
    let path = dir.join(Table::Pairs.parquet_file());
    let mut file = ParquetFile::create(&path, pairs::columns(), about)?;
    file.write(&rows)?;
    file.close().map(|_| ())
}

/// Removes the streams once everything is in Parquet.
pub(super) fn remove_streams(dir: &Path) -> Result<(), Error> {
    Table::ALL.iter().try_for_each(|table| files::remove_if_present(&dir.join(table.stream_file())))
}
