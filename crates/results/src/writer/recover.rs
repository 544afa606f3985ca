//! What a kill left: every complete batch becomes Parquet.

use std::path::Path;

use super::finish::{remove_streams, streams_to_parquet};
use crate::manifest::{EndRecord, Manifest, TableRecord};
use crate::store::load_table;
use crate::tables::Table;
use crate::{Error, layout};

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
/// is left as it is.
pub fn recover(dir: &Path) -> Result<Recovered, Error> {
    let mut manifest = Manifest::read(dir)?;
    let resumable = dir.join(layout::CHECKPOINT).is_file();
    if manifest.end.reason != "running" {
        remove_streams(dir)?;
        let (tables, time) = (manifest.tables, manifest.end.time_s);
        return Ok(Recovered { tables, time, resumable, was_complete: true, damage: Vec::new() });
    }
    let mut damage = Vec::new();
    manifest.tables = streams_to_parquet(dir, &manifest.scene, &manifest.about(), Some(&mut damage))?;
    let damage: Vec<String> = damage.iter().map(|error| format!("{}: {error}", error.code())).collect();
    manifest.warnings.extend(damage.iter().cloned());
    manifest.note_files(dir)?;
    let states = load_table(dir, Table::States, &manifest.scene, &manifest.files)?;
    let time = states.and_then(|s| s.floats("time")?.last().copied()).unwrap_or(0.0);
    manifest.end = EndRecord::killed(time);
    manifest.write(dir)?;
    remove_streams(dir)?;
    Ok(Recovered { tables: manifest.tables, time, resumable, was_complete: false, damage })
}
