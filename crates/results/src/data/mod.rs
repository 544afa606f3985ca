//! Reads a run folder: finished, recovered, or still being written.

mod episodes;
mod events;
mod patch;
mod probe;
mod searches;
mod series;
mod states;
#[cfg(test)]
mod tests;
mod thin;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

pub use episodes::{Episode, PeakAt};
pub use events::EventRow;
pub use patch::{PatchData, PatchElement, PatchRequest, PatchTime};
pub use series::Series;

use crate::manifest::Manifest;
use crate::store::load_table;
use crate::tables::{Columns, Table};
use crate::{Error, Scene};

/// A run on disk. Tables are loaded when first asked for.
pub struct RunData {
    dir: PathBuf,
    manifest: Manifest,
    tables: [OnceCell<Columns>; Table::ALL.len()],
    /// Output times of long states.
    times: OnceCell<Vec<f64>>,
    /// Every how manieth output time is loaded.
    every: usize,
}

impl RunData {
    /// Opens the run in `dir`.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(dir)?;
        Ok(Self {
            dir: dir.to_owned(),
            manifest,
            tables: Default::default(),
            times: OnceCell::new(),
            every: 1,
        })
    }

    /// The run folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Contents of `run.json`.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Names of bodies, pairs and contacts.
    pub fn scene(&self) -> &Scene {
        &self.manifest.scene
    }

    /// A whole table; without rows if the run did not record it.
    pub fn table(&self, table: Table) -> Result<&Columns, Error> {
        let cell = &self.tables[table as usize];
        if let Some(columns) = cell.get() {
            return Ok(columns);
        }
        if self.every > 1 && table.is_over_output_times() {
            let loaded = self.load_thinned(table)?;
            return Ok(cell.get_or_init(|| loaded));
        }
        let loaded = load_table(&self.dir, table, self.scene(), &self.manifest.files)?
            .unwrap_or_else(|| Columns::new(table.columns(self.scene())));
        Ok(cell.get_or_init(|| loaded))
    }

    /// Numbers of a column that the schema has.
    fn floats(&self, table: Table, column: &str) -> Result<&[f64], Error> {
        let missing = || Error::NoValue { message: format!("{} has no column {column}", table.name()) };
        self.table(table)?.floats(column).ok_or_else(missing)
    }

    /// Words of a column that the schema has, row by row.
    fn words(&self, table: Table, column: &str) -> Result<Vec<&str>, Error> {
        let missing = || Error::NoValue { message: format!("{} has no column {column}", table.name()) };
        Ok(self.table(table)?.words(column).ok_or_else(missing)?.collect())
    }
}
