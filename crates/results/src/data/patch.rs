//! One patch of an areal contact at one time, element by element.

use super::RunData;
use super::rows::{Rows, SAME_TIME};
use crate::Error;
use crate::tables::{Table, patches};

/// Which patch.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchRequest {
    /// Name of the pair.
    pub pair: String,
    /// Number of the patch; `None`: the one with the largest force.
    pub patch: Option<u32>,
    /// When.
    pub time: PatchTime,
}

/// When a patch was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatchTime {
    /// The last output time with a patch of the pair, or the peak if there is none.
    Last,
    /// The greatest pressure of the run.
    Peak,
    /// A recorded time (s), an output or that of an episode's greatest pressure.
    At(f64),
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

impl RunData {
    /// The patch that is asked for. E0707 for an unknown pair, E0709 if nothing was recorded there.
    pub fn patch(&self, request: &PatchRequest) -> Result<PatchData, Error> {
        let PatchRequest { pair, patch, time } = request;
        let (patches, (time, moment)) = self.patches_at(pair, *time)?;
        let at_time = &patches.rows;
        let forces = patches.vectors("f")?;
        let numbers = patches.counts("patch")?;
        let size = |row: usize| forces(row).map(|x| x * x).iter().sum::<f64>();
        let row = match patch {
            Some(number) => at_time.iter().copied().find(|&row| numbers[row] == *number),
            // Of equal forces the first.
            None => {
                at_time.iter().copied().reduce(|best, row| if size(row) > size(best) { row } else { best })
            }
        };
        let Some(row) = row else {
            let there: Vec<String> = at_time.iter().map(|&row| numbers[row].to_string()).collect();
            let message = format!(
                "pair \"{pair}\" has no such patch at t = {time:?} s; there are {}",
                there.join(", ")
            );
            return Err(Error::NoValue { message });
        };
        self.patch_of(&patches, row, pair, (time, moment))
    }

    /// All patches of a pair at a time. Errors as of [`Self::patch`].
    pub fn patches(&self, pair: &str, time: PatchTime) -> Result<Vec<PatchData>, Error> {
        let (patches, moment) = self.patches_at(pair, time)?;
        patches.rows.iter().map(|&row| self.patch_of(&patches, row, pair, moment)).collect()
    }

    /// Rows of a pair's patches at a time, and which time that is.
    fn patches_at(&self, pair: &str, time: PatchTime) -> Result<(Rows<'_>, (f64, &str)), Error> {
        let names = || self.scene().pairs.iter().map(|p| p.name.as_str());
        if !names().any(|name| name == pair) {
            return Err(self.scene().unknown(pair, names()));
        }
        let rows = Rows::of(self.table(Table::Patches)?, pair);
        let moments = rows.moments()?;
        let outputs = || moments.iter().filter(|m| m.1 == patches::OUTPUT);
        let found = match time {
            PatchTime::Last => outputs().next_back().copied().or(rows.peak()?),
            PatchTime::Peak => rows.peak()?,
            PatchTime::At(time) => {
                let is_it = |m: &&(f64, &str)| (m.0 - time).abs() <= SAME_TIME * m.0.abs().max(time.abs());
                outputs().chain(&moments).find(is_it).copied()
            }
        };
        let Some((time, moment)) = found else {
            let what = match time {
                PatchTime::At(time) => format!("none at t = {time:?} s"),
                PatchTime::Last | PatchTime::Peak => "the run has none".to_owned(),
            };
            return Err(no_patch(pair, &what, &moments));
        };
        let mut patches = rows.at(moment)?;
        let times = patches.time;
        patches.rows.retain(|&row| times[row] == time);
        Ok((patches, (time, moment)))
    }

    fn patch_of(
        &self,
        patches: &Rows<'_>,
        row: usize,
        pair: &str,
        moment: (f64, &str),
    ) -> Result<PatchData, Error> {
        let number = patches.counts("patch")?[row];
        Ok(PatchData {
            pair: pair.to_owned(),
            patch: number,
            time: moment.0,
            area: patches.numbers("area")?[row],
            position: patches.vectors("p")?(row),
            force: patches.vectors("f")?(row),
            torque: patches.vectors("m")?(row),
            elements: self.elements_of(pair, moment, number)?,
        })
    }

    fn elements_of(
        &self,
        pair: &str,
        (time, moment): (f64, &str),
        patch: u32,
    ) -> Result<Vec<PatchElement>, Error> {
        let rows = Rows::of(self.table(Table::Elements)?, pair).at(moment)?;
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

fn no_patch(pair: &str, what: &str, moments: &[(f64, &str)]) -> Error {
    let known = match moments {
        [] => "; see that the pair is areal contact and touches".to_owned(),
        [(only, _)] => format!("; there is one at {only} s"),
        [(first, _), .., (last, _)] => {
            format!("; there are {} times with one, from {first} to {last} s", moments.len())
        }
    };
    Error::NoValue { message: format!("no patch of pair \"{pair}\" is recorded: {what}{known}") }
}
