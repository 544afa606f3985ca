//! Reads a run folder: finished, recovered, or still being written.

mod blocks;
mod episodes;
mod events;
mod packed;
mod patch;
mod probe;
mod region;
mod rows;
mod searches;
mod series;
mod states;
#[cfg(test)]
mod tests;
mod thin;
mod timed;
mod worst;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use episodes::{Episode, PeakAt};
pub use events::{EventRow, event_rows};
pub use patch::{PatchData, PatchElement, PatchRequest, PatchTime};
pub use region::{RegionContour, RegionData, RegionRequest};
pub use series::Series;
pub use timed::TimedRun;
pub use worst::{Worst, WorstMoment};

use crate::manifest::{Manifest, Verdict};
use crate::store::{load_table, read_table};
use crate::tables::{Columns, Table};
use crate::{Error, Scene, Shapes, shapes};

/// A run on disk. Tables are loaded when first asked for.
pub struct RunData {
    dir: PathBuf,
    manifest: Manifest,
    tables: [OnceCell<Arc<Columns>>; Table::ALL.len()],
    /// Output times of long states.
    times: OnceCell<Vec<f64>>,
    rows: Rows,
    /// Shapes of a run in memory, if they were given.
    shapes: Option<Shapes>,
}

/// Which rows are loaded.
#[derive(Clone, Copy, PartialEq)]
enum Rows {
    /// All.
    All,
    /// Those that charts need: every k-th output time, and steps thinned.
    ForCharts { every: usize },
    /// None: what is not in `tables` is empty.
    Given,
    /// Of tables over output times those in `tables`; all of the others.
    AtTimes,
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
            rows: Rows::All,
            shapes: None,
        })
    }

    /// A run that is in no folder; `tables` in the order of [`Table::ALL`].
    pub(crate) fn in_memory(manifest: Manifest, tables: Vec<Columns>) -> Self {
        let mut data = Self {
            dir: PathBuf::new(),
            manifest,
            tables: Default::default(),
            times: OnceCell::new(),
            rows: Rows::Given,
            shapes: None,
        };
        for (cell, table) in data.tables.iter_mut().zip(tables) {
            *cell = OnceCell::from(Arc::new(table));
        }
        data
    }

    /// The run folder; empty of a run in memory.
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

    /// Shapes of the bodies; none if the folder has none of this run, and nobody has given any.
    pub fn shapes(&self) -> Result<Option<Shapes>, Error> {
        if self.shapes.is_some() {
            return Ok(self.shapes.clone());
        }
        shapes::read(&self.dir, self.scene(), &self.manifest.provenance.model.hash)
    }

    /// Gives a run in memory the verdicts on its expectations, which a folder would have.
    pub fn give_verdicts(&mut self, verdicts: Vec<Verdict>) {
        self.manifest.expectations = verdicts;
    }

    /// Gives a run in memory the shapes of its bodies, which a folder would have.
    pub fn give_shapes(&mut self, shapes: Shapes) {
        self.shapes = Some(shapes);
    }

    /// A whole table; without rows if the run did not record it.
    pub fn table(&self, table: Table) -> Result<&Columns, Error> {
        self.shared_table(table).map(|columns| &**columns)
    }

    /// The same, to be kept beyond the run.
    pub fn shared_table(&self, table: Table) -> Result<&Arc<Columns>, Error> {
        let cell = &self.tables[table as usize];
        if let Some(columns) = cell.get() {
            return Ok(columns);
        }
        let loaded = match self.rows {
            Rows::Given => None,
            Rows::ForCharts { .. } if table == Table::Steps => Some(self.load_thinned_steps()?),
            Rows::ForCharts { every } if every > 1 && table.is_over_output_times() => {
                Some(self.load_thinned(table, every)?)
            }
            _ => load_table(&self.dir, table, self.scene(), &self.manifest.files)?,
        };
        Ok(cell.get_or_init(|| Arc::new(loaded.unwrap_or_else(|| Columns::new(table.columns(self.scene()))))))
    }

    /// Feeds a table to `sink` some rows at a time, in memory that does not grow with the run.
    pub fn scan(
        &self,
        table: Table,
        sink: &mut dyn FnMut(&Columns) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_here = self.rows == Rows::AtTimes && self.tables[table as usize].get().is_some();
        if self.rows == Rows::Given || is_here {
            return sink(self.table(table)?);
        }
        read_table(&self.dir, table, self.scene(), &self.manifest.files, sink).map(|_| ())
    }

    /// Numbers of a column that the schema has.
    fn floats(&self, table: Table, column: &str) -> Result<&[f64], Error> {
        floats_of(self.table(table)?, table, column)
    }

    /// Words of a column that the schema has, row by row.
    fn words(&self, table: Table, column: &str) -> Result<Vec<&str>, Error> {
        Ok(words_of(self.table(table)?, table, column)?.collect())
    }
}

fn floats_of<'a>(rows: &'a Columns, table: Table, column: &str) -> Result<&'a [f64], Error> {
    rows.floats(column).ok_or_else(|| missing(table, column))
}

fn words_of<'a>(
    rows: &'a Columns,
    table: Table,
    column: &str,
) -> Result<impl Iterator<Item = &'a str> + use<'a>, Error> {
    rows.words(column).ok_or_else(|| missing(table, column))
}

fn missing(table: Table, column: &str) -> Error {
    Error::NoValue { message: format!("{} has no column {column}", table.name()) }
}
