//! A finished run at some of its times: what that costs does not grow with the run.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::{Rows, RunData};
use crate::Error;
use crate::manifest::Manifest;
use crate::store::Seekable;
use crate::tables::{Columns, Table};

/// Tables that have rows for output times.
const TABLES: [Table; 8] = [
    Table::States,
    Table::Mechanism,
    Table::Contacts,
    Table::Searches,
    Table::Energy,
    Table::Regions,
    Table::Contours,
    Table::Elements,
];

/// A run whose rows are found by their times.
pub struct TimedRun {
    dir: PathBuf,
    manifest: Manifest,
    /// Opened when first asked for; `None` of a table that the run does not have.
    tables: [OnceLock<Option<Seekable>>; TABLES.len()],
    times: Vec<f64>,
}

impl TimedRun {
    /// The run in `dir`; `None` of one that goes on or was not finished, whose tables are read from their starts only.
    pub fn open(dir: &Path) -> Result<Option<Self>, Error> {
        let manifest = Manifest::read(dir)?;
        let mut run = Self { dir: dir.to_owned(), manifest, tables: Default::default(), times: Vec::new() };
        let Some(states) = run.seekable(Table::States)? else { return Ok(None) };
        run.times = states.times().collect();
        Ok(Some(run))
    }

    /// All output times (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Numbers and words that all output times have together.
    pub fn cells(&self) -> Result<usize, Error> {
        let mut cells = 0;
        for table in TABLES {
            cells += self.seekable(table)?.map_or(0, Seekable::cells);
        }
        Ok(cells)
    }

    /// What it costs to read one output time far from the others, in cells.
    pub fn cost_of_one_time(&self) -> Result<usize, Error> {
        let mut cost = 0;
        for table in TABLES {
            cost += self.seekable(table)?.map_or(0, Seekable::cost_of_one_time);
        }
        Ok(cost)
    }

    /// Numbers of the output times whose states are packed together, one stretch after the other: who reads one has read all.
    pub fn stretches(&self) -> Result<Vec<Range<usize>>, Error> {
        Ok(self.seekable(Table::States)?.map(Seekable::stretches).unwrap_or_default())
    }

    /// Does the run have rows of this table?
    pub fn has(&self, table: Table) -> Result<bool, Error> {
        Ok(self.seekable(table)?.is_some_and(|rows| rows.cells() > 0))
    }

    /// Does the run have rows of this table at any of these times?
    pub fn has_at(&self, table: Table, is_wanted: &dyn Fn(f64) -> bool) -> Result<bool, Error> {
        Ok(self.seekable(table)?.is_some_and(|rows| rows.has(is_wanted)))
    }

    /// The run as if these had been all of its output times; what has other times, such as events, is whole.
    pub fn at(&self, is_wanted: &dyn Fn(f64) -> bool) -> Result<RunData, Error> {
        self.fill(Rows::AtTimes, &TABLES, is_wanted)
    }

    /// What the run has at these output times, and nothing else.
    pub fn only(&self, is_wanted: &dyn Fn(f64) -> bool) -> Result<RunData, Error> {
        self.fill(Rows::Given, &TABLES, is_wanted)
    }

    /// Of these tables alone.
    pub fn only_of(&self, tables: &[Table], is_wanted: &dyn Fn(f64) -> bool) -> Result<RunData, Error> {
        self.fill(Rows::Given, tables, is_wanted)
    }

    fn fill(&self, rows: Rows, tables: &[Table], is_wanted: &dyn Fn(f64) -> bool) -> Result<RunData, Error> {
        let mut data = self.data(rows);
        for &table in tables {
            let rows = match self.seekable(table)? {
                Some(seekable) => seekable.read(is_wanted)?,
                None => Columns::new(table.columns(data.scene())),
            };
            data.tables[table as usize] = Arc::new(rows).into();
        }
        Ok(data)
    }

    /// Values of quantities at all output times, read together in blocks of the run.
    pub fn values(&self, names: &[&str]) -> Result<Vec<Vec<f64>>, Error> {
        let data = self.data(Rows::All);
        let mut tables = Vec::new();
        for name in names {
            tables.extend(data.tables_of(name)?);
        }
        tables.sort_unstable_by_key(|table| *table as usize);
        tables.dedup();
        let tables = tables.into_iter().map(|table| (table, data.columns_of(table, names))).collect();
        let mut values = vec![Vec::with_capacity(self.times.len()); names.len()];
        data.for_each_block(tables, &mut |block| {
            for (values, name) in values.iter_mut().zip(names) {
                values.extend(block.series(name)?.values);
            }
            Ok(())
        })?;
        Ok(values)
    }

    fn data(&self, rows: Rows) -> RunData {
        RunData {
            dir: self.dir.clone(),
            manifest: self.manifest.clone(),
            tables: Default::default(),
            times: OnceCell::new(),
            rows,
            shapes: None,
        }
    }

    fn seekable(&self, table: Table) -> Result<Option<&Seekable>, Error> {
        let index = TABLES.iter().position(|own| *own == table);
        let Some(cell) = index.and_then(|index| self.tables.get(index)) else { return Ok(None) };
        if cell.get().is_none() {
            let record = self.manifest.files.iter().find(|record| record.file == table.parquet_file());
            let opened = match record {
                Some(record) => {
                    // Once: what is asked for again and again is not read whole each time.
                    record.verify(&self.dir)?;
                    let path = self.dir.join(&record.file);
                    Some(Seekable::open(&path, table.columns(&self.manifest.scene))?)
                }
                None => None,
            };
            // Two who ask at once find the same.
            let _ = cell.set(opened);
        }
        Ok(cell.get().and_then(Option::as_ref))
    }
}
