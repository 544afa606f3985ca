//! Rows of one pair in a table that has several at a time.

use crate::Error;
use crate::tables::Columns;

/// Times this close, over the later, are one: a user writes few digits.
pub(super) const SAME_TIME: f64 = 1e-9;

/// Rows of one pair in a table.
pub(super) struct Rows<'a> {
    table: &'a Columns,
    pub(super) time: &'a [f64],
    pub(super) rows: Vec<usize>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(table: &'a Columns, pair: &str) -> Self {
        let time = table.floats("time").unwrap_or_default();
        let names = table.words("pair").into_iter().flatten();
        let rows = names.enumerate().filter(|(_, name)| *name == pair).map(|(row, _)| row).collect();
        Self { table, time, rows }
    }

    /// Its times with the words for what they are, each once, in order.
    pub(super) fn moments(&self) -> Result<Vec<(f64, &'a str)>, Error> {
        let words = self.words("moment")?;
        let mut moments: Vec<(f64, &str)> =
            self.rows.iter().map(|&row| (self.time[row], words[row])).collect();
        moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        moments.dedup();
        Ok(moments)
    }

    /// When the greatest pressure was; of equal ones the first.
    pub(super) fn peak(&self) -> Result<Option<(f64, &'a str)>, Error> {
        let (pressure, words) = (self.numbers("pressure")?, self.words("moment")?);
        let greatest = self
            .rows
            .iter()
            .copied()
            .reduce(|best, row| if pressure[row] > pressure[best] { row } else { best });
        Ok(greatest.map(|row| (self.time[row], words[row])))
    }

    /// Its rows of one kind.
    pub(super) fn at(mut self, moment: &str) -> Result<Self, Error> {
        let words = self.words("moment")?;
        self.rows.retain(|&row| words[row] == moment);
        Ok(self)
    }

    pub(super) fn words(&self, column: &str) -> Result<Vec<&'a str>, Error> {
        Ok(self.table.words(column).ok_or_else(|| no_column(column))?.collect())
    }

    pub(super) fn numbers(&self, column: &str) -> Result<&'a [f64], Error> {
        self.table.floats(column).ok_or_else(|| no_column(column))
    }

    pub(super) fn counts(&self, column: &str) -> Result<&'a [u32], Error> {
        self.table.counts(column).ok_or_else(|| no_column(column))
    }

    /// The vector with columns `NAMEx`, `NAMEy` and `NAMEz`.
    pub(super) fn vectors(&self, name: &str) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        self.triple(["x", "y", "z"].map(|axis| format!("{name}{axis}")))
    }

    /// The point with columns `xK`, `yK` and `zK`.
    pub(super) fn points(&self, number: usize) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        self.triple(["x", "y", "z"].map(|axis| format!("{axis}{number}")))
    }

    fn triple(&self, columns: [String; 3]) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        let [x, y, z] = columns.each_ref().map(|column| self.numbers(column));
        let (x, y, z) = (x?, y?, z?);
        Ok(move |row: usize| [x[row], y[row], z[row]])
    }
}

fn no_column(column: &str) -> Error {
    Error::NoValue { message: format!("the tables of this contact have no column {column}") }
}
