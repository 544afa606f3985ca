//! A run in blocks of time: what is asked of all its rows needs no more memory of a long run than of a short one.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use super::{Rows, RunData};
use crate::Error;
use crate::store::{Batches, open_table};
use crate::tables::{Column, Columns, Table, derived, states};

/// Cells of each table that are read before a block ends (8 MB of numbers).
const BLOCK_CELLS: usize = 1 << 20;

/// A table whose rows are read ahead of the block.
struct Ahead {
    table: Table,
    /// `None` when all is read.
    batches: Option<Batches>,
    /// Rows that are in no block yet.
    rows: Columns,
}

impl Ahead {
    /// Reads as many rows as a block has, beyond those that are there.
    fn read(&mut self) -> Result<(), Error> {
        let rows = (BLOCK_CELLS / self.rows.columns().len()).max(1);
        let enough = self.rows.rows() + rows;
        while let Some(batches) = self.batches.as_mut().filter(|_| self.rows.rows() < enough) {
            match batches.next()? {
                Some(batch) => self.rows.append(batch, 0..batch.rows()),
                None => self.batches = None,
            }
        }
        Ok(())
    }

    /// Up to when all rows are here (s): before the last time, of which more may come, or for ever.
    fn known_before(&self) -> f64 {
        let last = || self.times().last().copied().unwrap_or(f64::NEG_INFINITY);
        if self.batches.is_some() { last() } else { f64::INFINITY }
    }

    fn times(&self) -> &[f64] {
        self.rows.floats("time").unwrap_or_default()
    }

    /// Takes the rows before a time.
    fn take_before(&mut self, time: f64) -> Columns {
        let is_last = time == f64::INFINITY;
        let taken = if is_last { self.rows.rows() } else { self.times().partition_point(|t| *t < time) };
        let part = |rows| {
            let mut part = Columns::new(self.rows.columns().to_vec());
            part.append(&self.rows, rows);
            part
        };
        let (before, after) = (part(0..taken), part(taken..self.rows.rows()));
        self.rows = after;
        before
    }
}

impl RunData {
    /// Gives the run to `each` in blocks, one after the other in time; a block has those of its rows that quantities of
    /// these columns of tables are made of, whole output times of all.
    pub(crate) fn for_each_block(
        &self,
        tables: Vec<(Table, Vec<Column>)>,
        each: &mut dyn FnMut(&Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.rows == Rows::Given {
            return each(self);
        }
        let mut ahead = Vec::new();
        for (table, columns) in tables {
            let batches = open_table(self.dir(), table, columns.clone(), &self.manifest().files)?;
            ahead.push(Ahead { table, batches, rows: Columns::new(columns) });
        }
        let mut block = self.without_rows();
        let mut end = f64::NEG_INFINITY;
        while end < f64::INFINITY {
            for table in &mut ahead {
                let known = table.known_before();
                // What bounded the block before; a time that is not a number bounds nothing.
                if known <= end || known.is_nan() {
                    table.read()?;
                }
            }
            end = ahead.iter().map(Ahead::known_before).fold(f64::INFINITY, f64::min);
            block.times = OnceCell::new();
            for table in &mut ahead {
                block.tables[table.table as usize] = OnceCell::from(Arc::new(table.take_before(end)));
            }
            each(&block)?;
        }
        Ok(())
    }

    /// Tables that a quantity is made of. E0707 for an unknown one, E0709 for one that is not made time by time.
    pub(crate) fn tables_of(&self, name: &str) -> Result<Vec<Table>, Error> {
        let asked = self.without_rows();
        asked.series(name)?;
        Ok(Table::ALL.into_iter().filter(|table| asked.tables[*table as usize].get().is_some()).collect())
    }

    /// Columns of a table that quantities of these names are made of: states have many, of which few are asked for.
    pub(crate) fn columns_of(&self, table: Table, names: &[&str]) -> Vec<Column> {
        let mut columns = table.columns(self.scene());
        if table != Table::States {
            return columns;
        }
        let asked: HashSet<(&str, &str)> = names.iter().filter_map(|name| name.rsplit_once('.')).collect();
        if self.scene().is_long() {
            // What is derived is made of several.
            let all = asked.iter().any(|(_, base)| derived::BODY.iter().any(|derived| derived.0 == *base));
            let bases = states::body_quantities();
            let others: HashSet<&str> = bases
                .map(|(base, _)| base)
                .filter(|base| !all && !asked.iter().any(|(_, own)| own == base))
                .collect();
            columns.retain(|column| !others.contains(column.base.as_str()));
        } else {
            let owners: HashSet<&str> = asked.into_iter().map(|(owner, _)| owner).collect();
            let is_asked = |column: &Column| {
                column.base.rsplit_once('.').is_none_or(|(owner, _)| owners.contains(owner))
            };
            columns.retain(is_asked);
        }
        columns
    }

    /// The same run with nothing in its tables.
    pub(super) fn without_rows(&self) -> Self {
        Self {
            dir: self.dir.clone(),
            manifest: self.manifest.clone(),
            tables: Default::default(),
            times: OnceCell::new(),
            rows: Rows::Given,
            shapes: None,
        }
    }
}
