//! Rows of tables as points and triangles, output time by output time, in memory that does not grow with the run.

use std::collections::HashMap;

use super::poly_data::{Cells, DataArray, Numbers, PolyData};
use crate::tables::{Columns, Table, patches};
use crate::{Error, RunData};

/// Three columns that are one vector of a cell, or one column.
struct Quantity {
    name: &'static str,
    columns: &'static [&'static str],
    /// Column that the vector is multiplied by.
    by: Option<&'static str>,
}

const fn scalar(name: &'static str, column: &'static [&'static str]) -> Quantity {
    Quantity { name, columns: column, by: None }
}

const OF_ELEMENTS: [Quantity; 5] = [
    scalar("pressure", &["pressure"]),
    scalar("penetration", &["penetration"]),
    scalar("area", &["area"]),
    scalar("normal", &["nx", "ny", "nz"]),
    scalar("shear", &["sx", "sy", "sz"]),
];
const OF_CONTACTS: [Quantity; 4] = [
    scalar("penetration", &["penetration"]),
    scalar("pressure", &["pressure"]),
    Quantity { name: "normal_force", columns: &["nx", "ny", "nz"], by: Some("fn") },
    scalar("friction", &["ftx", "fty", "ftz"]),
];
const CORNERS: [&str; 9] = ["x0", "y0", "z0", "x1", "y1", "z1", "x2", "y2", "z2"];
const POINT: [&str; 3] = ["px", "py", "pz"];

/// Feeds the elements, or contacts, of each output time that has some to `sink`, in the order of time.
pub(super) fn at_output_times(
    data: &RunData,
    table: Table,
    times: &[f64],
    sink: &mut dyn FnMut(usize, PolyData) -> Result<(), Error>,
) -> Result<(), Error> {
    let pairs: HashMap<&str, i32> =
        (0..).zip(&data.scene().pairs).map(|(k, p)| (p.name.as_str(), k)).collect();
    let mut open = Open::new(table);
    data.scan(table, &mut |batch| open.take(batch, &pairs, times, sink))?;
    open.close(sink)
}

/// The output time whose rows are coming.
struct Open {
    table: Table,
    frame: Option<usize>,
    points: Vec<f64>,
    pairs: Vec<i32>,
    values: Vec<Vec<f64>>,
}

impl Open {
    fn new(table: Table) -> Self {
        let mut open = Self { table, frame: None, points: Vec::new(), pairs: Vec::new(), values: Vec::new() };
        open.values.resize_with(open.quantities().len(), Vec::new);
        open
    }

    fn quantities(&self) -> &'static [Quantity] {
        if self.table == Table::Elements { &OF_ELEMENTS } else { &OF_CONTACTS }
    }

    fn take(
        &mut self,
        batch: &Columns,
        pairs: &HashMap<&str, i32>,
        times: &[f64],
        sink: &mut dyn FnMut(usize, PolyData) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let missing =
            |name: &str| Error::NoValue { message: format!("{} has no column {name}", self.table.name()) };
        let float = |name: &&str| batch.floats(name).ok_or_else(|| missing(name));
        let places: &[&str] = if self.table == Table::Elements { &CORNERS } else { &POINT };
        let places = places.iter().map(float).collect::<Result<Vec<_>, _>>()?;
        let mut columns = Vec::new();
        for quantity in self.quantities() {
            let own = quantity.columns.iter().map(float).collect::<Result<Vec<_>, _>>()?;
            columns.push((own, quantity.by.as_ref().map(float).transpose()?));
        }
        let time = float(&"time")?;
        let (keys, names) = batch.word_keys("pair").ok_or_else(|| missing("pair"))?;
        let numbers: Vec<i32> =
            names.iter().map(|name| pairs.get(name.as_str()).copied().unwrap_or(-1)).collect();
        let moments = batch.word_keys("moment");
        let is_output =
            |row: usize| moments.is_none_or(|(keys, words)| words[keys[row] as usize] == patches::OUTPUT);
        for row in (0..batch.rows()).filter(|row| is_output(*row)) {
            let frame = times.partition_point(|t| *t < time[row]);
            if times.get(frame) != Some(&time[row]) {
                continue;
            }
            if self.frame != Some(frame) {
                self.close(sink)?;
                self.frame = Some(frame);
            }
            self.points.extend(places.iter().map(|column| column[row]));
            self.pairs.push(numbers[keys[row] as usize]);
            for (values, (own, by)) in self.values.iter_mut().zip(&columns) {
                let factor = by.map_or(1.0, |by| by[row]);
                values.extend(own.iter().map(|column| factor * column[row]));
            }
        }
        Ok(())
    }

    fn close(&mut self, sink: &mut dyn FnMut(usize, PolyData) -> Result<(), Error>) -> Result<(), Error> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        let points = std::mem::take(&mut self.points);
        let count = points.len() / 3;
        let mut of_cells = vec![DataArray {
            name: "pair",
            components: 1,
            numbers: Numbers::I32(std::mem::take(&mut self.pairs)),
        }];
        for (quantity, values) in self.quantities().iter().zip(&mut self.values) {
            let numbers = Numbers::F64(std::mem::take(values));
            of_cells.push(DataArray { name: quantity.name, components: quantity.columns.len(), numbers });
        }
        let cells = if self.table == Table::Elements {
            Cells::Triangles((0..count as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect())
        } else {
            Cells::Points
        };
        sink(frame, PolyData { points: Numbers::F64(points), count, cells, of_cells })
    }
}
