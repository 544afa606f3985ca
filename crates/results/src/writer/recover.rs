//! What a kill left: every complete batch becomes Parquet.

use super::finish::{remove_streams, streams_to_parquet};
use crate::manifest::{EndRecord, Manifest, PairsRecord, TableRecord};
use crate::store::read_table;
use crate::tables::Table;
use crate::{Error, RunFolder, files, layout};

/// What was saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// Tables with their numbers of rows.
    pub tables: Vec<TableRecord>,
    /// Time of the last frame (s).
    pub time: f64,
    /// The run has a checkpoint, so `--resume` can go on with it.
    pub resumable: bool,
    /// The run had ended properly: there was nothing to do.
    pub was_complete: bool,
    /// Streams that are not what was written: their rows from there on are gone.
    pub damage: Vec<String>,
}

/// Turns the streams of a killed run into Parquet and marks the run as killed. A run that ended properly
/// is left as it is; one that still runs keeps its folder to itself.
pub fn recover(folder: &RunFolder) -> Result<Recovered, Error> {
    let dir = folder.path();
    let mut manifest = Manifest::read(dir)?;
    let resumable = dir.join(layout::CHECKPOINT).is_file();
    if !manifest.is_running() {
        remove_streams(dir)?;
        let (tables, time) = (manifest.tables, manifest.end.time_s);
        return Ok(Recovered { tables, time, resumable, was_complete: true, damage: Vec::new() });
    }
    let mut damage = Vec::new();
    let about = manifest.about();
    manifest.tables = streams_to_parquet(dir, &manifest.scene, &about, None, Some(&mut damage))?;
    let damage: Vec<String> = damage.iter().map(|error| format!("{}: {error}", error.code())).collect();
    manifest.warnings.extend(damage.iter().cloned());
    manifest.note_tables(dir)?;
    let mut time = 0.0;
    read_table(dir, Table::States, &manifest.scene, &manifest.files, &mut |batch| {
        time = batch.floats("time").and_then(|times| times.last().copied()).unwrap_or(time);
        Ok(())
    })?;
    manifest.end = EndRecord::killed(time);
    files::remove_if_present(&dir.join(layout::RESERVE))?;
    manifest.pairs = PairsRecord::new(&manifest.scene, &[]);
    manifest.write(dir)?;
    remove_streams(dir)?;
    Ok(Recovered { tables: manifest.tables, time, resumable, was_complete: false, damage })
}
