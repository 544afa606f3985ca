//! One patch of an areal contact at one time, element by element.

use super::RunData;
use crate::Error;
use crate::tables::{Columns, Table};

/// Which patch.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchRequest {
    /// Name of the pair.
    pub pair: String,
    /// Number of the patch; `None`: the one with the largest force.
    pub patch: Option<u32>,
    /// Recorded time (s); `None`: the last with a patch of the pair.
    pub time: Option<f64>,
}

/// A patch. World axes; forces act on B.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchData {
    /// Name of the pair.
    pub pair: String,
    /// Number within the contact at this time.
    pub patch: u32,
    /// Time (s).
    pub time: f64,
    /// Sum of the areas of its elements (m²).
    pub area: f64,
    /// Centre of pressure (m).
    pub position: [f64; 3],
    /// Force on B, friction included (N).
    pub force: [f64; 3],
    /// Torque on B about the centre of pressure (N m).
    pub torque: [f64; 3],
    /// Elements, by index of their triangles.
    pub elements: Vec<PatchElement>,
}

/// An element of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchElement {
    /// Index of the triangle in the base's mesh.
    pub element: u32,
    /// Corners of the triangle (m).
    pub corners: [[f64; 3]; 3],
    /// Area (m²).
    pub area: f64,
    /// Where the surfaces meet on its penetration line (m).
    pub position: [f64; 3],
    /// Penetration (m).
    pub penetration: f64,
    /// Pressure (Pa).
    pub pressure: f64,
    /// Unit vector along which the pressure acts on B.
    pub normal: [f64; 3],
    /// Friction per area on B (Pa).
    pub shear: [f64; 3],
}

/// Times this close, over the later, are one: a user writes few digits.
const SAME_TIME: f64 = 1e-9;

impl RunData {
    /// The patch that is asked for. E0707 for an unknown pair, E0709 if nothing was recorded there.
    pub fn patch(&self, request: &PatchRequest) -> Result<PatchData, Error> {
        let PatchRequest { pair, patch, time } = request;
        let names = || self.scene().pairs.iter().map(|p| p.name.as_str());
        if !names().any(|name| name == pair) {
            return Err(self.scene().unknown(pair, names()));
        }
        let patches = Rows::of(self.table(Table::Patches)?, pair);
        let times = patches.times();
        let Some(last) = times.last() else { return Err(no_patch(pair, "the run has none", &times)) };
        let time = time.unwrap_or(*last);
        let is_it = |t: &f64| (t - time).abs() <= SAME_TIME * t.abs().max(time.abs());
        let Some(time) = times.iter().copied().find(is_it) else {
            return Err(no_patch(pair, &format!("none at t = {time} s"), &times));
        };
        let forces = patches.vectors("f")?;
        let numbers = patches.counts("patch")?;
        let size = |row: usize| forces(row).map(|x| x * x).iter().sum::<f64>();
        let at_time = || patches.rows.iter().copied().filter(|&row| patches.time[row] == time);
        let row = match patch {
            Some(number) => at_time().find(|&row| numbers[row] == *number),
            // Of equal forces the first.
            None => at_time().reduce(|best, row| if size(row) > size(best) { row } else { best }),
        };
        let Some(row) = row else {
            let there: Vec<String> = at_time().map(|row| numbers[row].to_string()).collect();
            let message =
                format!("pair \"{pair}\" has no such patch at t = {time} s; there are {}", there.join(", "));
            return Err(Error::NoValue { message });
        };
        Ok(PatchData {
            pair: pair.clone(),
            patch: numbers[row],
            time,
            area: patches.numbers("area")?[row],
            position: patches.vectors("p")?(row),
            force: forces(row),
            torque: patches.vectors("m")?(row),
            elements: self.elements_of(pair, time, numbers[row])?,
        })
    }

    fn elements_of(&self, pair: &str, time: f64, patch: u32) -> Result<Vec<PatchElement>, Error> {
        let rows = Rows::of(self.table(Table::Elements)?, pair);
        let (numbers, elements) = (rows.counts("patch")?, rows.counts("element")?);
        let corners = [rows.points(0)?, rows.points(1)?, rows.points(2)?];
        let (position, normal, shear) = (rows.vectors("p")?, rows.vectors("n")?, rows.vectors("s")?);
        let (area, penetration) = (rows.numbers("area")?, rows.numbers("penetration")?);
        let pressure = rows.numbers("pressure")?;
        let wanted = rows.rows.iter().copied().filter(|&row| rows.time[row] == time && numbers[row] == patch);
        let element = |row: usize| PatchElement {
            element: elements[row],
            corners: [corners[0](row), corners[1](row), corners[2](row)],
            area: area[row],
            position: position(row),
            penetration: penetration[row],
            pressure: pressure[row],
            normal: normal(row),
            shear: shear(row),
        };
        Ok(wanted.map(element).collect())
    }
}

fn no_patch(pair: &str, what: &str, times: &[f64]) -> Error {
    let known = match times {
        [] => "; give output.patches, a time between records, and see that the pair touches".to_owned(),
        [only] => format!("; there is one at {only} s"),
        [first, .., last] => format!("; there are {} times with one, from {first} to {last} s", times.len()),
    };
    Error::NoValue { message: format!("no patch of pair \"{pair}\" is recorded: {what}{known}") }
}

/// Rows of one pair in a table.
struct Rows<'a> {
    table: &'a Columns,
    time: &'a [f64],
    rows: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn of(table: &'a Columns, pair: &str) -> Self {
        let time = table.floats("time").unwrap_or_default();
        let names = table.words("pair").into_iter().flatten();
        let rows = names.enumerate().filter(|(_, name)| *name == pair).map(|(row, _)| row).collect();
        Self { table, time, rows }
    }

    /// Its times, each once, in order.
    fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.rows.iter().map(|&row| self.time[row]).collect();
        times.dedup();
        times
    }

    fn numbers(&self, column: &str) -> Result<&'a [f64], Error> {
        self.table.floats(column).ok_or_else(|| no_column(column))
    }

    fn counts(&self, column: &str) -> Result<&'a [u32], Error> {
        self.table.counts(column).ok_or_else(|| no_column(column))
    }

    /// The vector with columns `NAMEx`, `NAMEy` and `NAMEz`.
    fn vectors(&self, name: &str) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        self.triple(["x", "y", "z"].map(|axis| format!("{name}{axis}")))
    }

    /// The point with columns `xK`, `yK` and `zK`.
    fn points(&self, number: usize) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        self.triple(["x", "y", "z"].map(|axis| format!("{axis}{number}")))
    }

    fn triple(&self, columns: [String; 3]) -> Result<impl Fn(usize) -> [f64; 3] + use<'a>, Error> {
        let [x, y, z] = columns.each_ref().map(|column| self.numbers(column));
        let (x, y, z) = (x?, y?, z?);
        Ok(move |row: usize| [x[row], y[row], z[row]])
    }
}

fn no_column(column: &str) -> Error {
    Error::NoValue { message: format!("the tables of areal contact have no column {column}") }
}
