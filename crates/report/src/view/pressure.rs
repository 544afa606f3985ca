//! Elements of areal contact with their pressure at the output times.

use std::collections::HashMap;

use carom_math::Vec3;
use carom_results::tables::{Columns, Table, patches};
use carom_results::{Array, Error, RunData, Shapes};
use serde_json::json;

use super::Output;
use super::bodies::Poses;
use super::frames::Frames;

/// The greatest pressure of a pair, as it is stored. Damping may pull: pressures have signs.
const FULL: f64 = 32_767.0;

/// An element: pair, side of the base, triangle, part of it.
type Key = (u32, bool, u32, u32);

/// Elements as they come up.
#[derive(Default)]
struct Elements {
    numbers: HashMap<Key, u32>,
    corners: Vec<f32>,
    bodies: Vec<u32>,
    pairs: Vec<u32>,
}

/// Rows of pressures at output times.
#[derive(Default)]
struct Found {
    /// Output time, element, pressure (Pa).
    rows: Vec<(u32, u32, f64)>,
    /// Are there rows of outputs, and of peaks, at all?
    outputs: bool,
    peaks: bool,
}

/// Puts each element once, with its corners in the frame of its body, and which pressure it has when, in parts of the
/// greatest size of its pair.
pub(super) fn put(
    out: &mut Output,
    data: &RunData,
    frames: &Frames,
    shapes: Option<&Shapes>,
    poses: &Poses,
) -> Result<(), Error> {
    let Some(shapes) = shapes.filter(|_| data.scene().pairs.iter().any(|pair| pair.is_areal())) else {
        return Ok(());
    };
    let mut elements = Elements::default();
    let mut found = Found::default();
    elements.read(data, frames, &Bodies::of(data, shapes), poses, &mut found)?;
    if found.peaks && !found.outputs {
        out.notes.push(
            "Pressures are recorded at peaks alone; `output.patches` in the model records them over time."
                .to_owned(),
        );
    }
    let mut rows = found.rows;
    rows.sort_unstable_by_key(|row| (row.0, row.1));
    let mut start = vec![0_u32; frames.times.len() + 1];
    let mut greatest = vec![0.0_f64; data.scene().pairs.len()];
    for &(frame, element, pressure) in &rows {
        start[frame as usize + 1] += 1;
        let of_pair = &mut greatest[elements.pairs[element as usize] as usize];
        *of_pair = of_pair.max(pressure.abs());
    }
    (1..start.len()).for_each(|k| start[k] += start[k - 1]);
    let part = |&(_, element, pressure): &(u32, u32, f64)| {
        let greatest = greatest[elements.pairs[element as usize] as usize];
        if greatest > 0.0 { (pressure / greatest * FULL).round() as i16 } else { 0 }
    };
    let lost = rows.iter().filter(|row| !row.2.is_finite()).count();
    if lost > 0 {
        out.tell(format!("{lost} pressures are not finite: they are drawn as none."));
    }
    out.array("pressure", Array::I16(rows.iter().map(part).collect()));
    out.array("pressure_element", Array::U32(rows.iter().map(|row| row.1).collect()));
    out.array("pressure_start", Array::U32(start));
    out.set("pressure_scale_pa", json!(greatest));
    elements.put(out);
    Ok(())
}

/// Each element of a run that is read in parts, and the greatest pressure (Pa) that it has at an output time.
#[derive(Default)]
pub(super) struct Greatest {
    elements: Elements,
    pressures: Vec<f32>,
}

impl Greatest {
    /// Tables that it is made of.
    pub(super) const TABLES: [Table; 2] = [Table::States, Table::Elements];

    /// Takes a part of the run.
    pub(super) fn take(&mut self, data: &RunData, shapes: &Shapes) -> Result<(), Error> {
        let frames = Frames::choose(data, usize::MAX)?;
        let poses = Poses::read(data, &frames)?;
        let mut found = Found::default();
        self.elements.read(data, &frames, &Bodies::of(data, shapes), &poses, &mut found)?;
        self.pressures.resize(self.elements.pairs.len(), 0.0);
        for (_, element, pressure) in found.rows {
            let own = &mut self.pressures[element as usize];
            *own = own.max(pressure as f32);
        }
        Ok(())
    }

    pub(super) fn put(self, out: &mut Output) {
        out.array("greatest_pressure", Array::F32(self.pressures));
        self.elements.put(out);
    }
}

/// Bodies of the two surfaces of each pair, by its name.
struct Bodies(HashMap<String, (u32, [u32; 2])>);

impl Bodies {
    fn of(data: &RunData, shapes: &Shapes) -> Self {
        let body: HashMap<&str, u32> =
            shapes.surfaces.iter().map(|s| (s.name.as_str(), s.body as u32)).collect();
        let of_pair = |(number, pair): (usize, &carom_results::ScenePair)| {
            let both = [*body.get(pair.a.as_str())?, *body.get(pair.b.as_str())?];
            pair.is_areal().then(|| (pair.name.clone(), (number as u32, both)))
        };
        Self(data.scene().pairs.iter().enumerate().filter_map(of_pair).collect())
    }
}

impl Elements {
    /// Reads the rows at these output times into `found`.
    fn read(
        &mut self,
        data: &RunData,
        frames: &Frames,
        bodies: &Bodies,
        poses: &Poses,
        found: &mut Found,
    ) -> Result<(), Error> {
        data.scan(Table::Elements, &mut |batch| self.take(batch, frames, bodies, poses, found))
    }

    fn take(
        &mut self,
        batch: &Columns,
        frames: &Frames,
        bodies: &Bodies,
        poses: &Poses,
        found: &mut Found,
    ) -> Result<(), Error> {
        let missing = |name: &str| Error::NoValue { message: format!("elements has no column {name}") };
        let float = |name: &str| batch.floats(name).ok_or_else(|| missing(name));
        let count = |name: &str| batch.counts(name).ok_or_else(|| missing(name));
        let word = |name: &str| batch.word_keys(name).ok_or_else(|| missing(name));
        let (times, pressures) = (float("time")?, float("pressure")?);
        let mut corner_columns = Vec::new();
        for name in ["x0", "y0", "z0", "x1", "y1", "z1", "x2", "y2", "z2"] {
            corner_columns.push(float(name)?);
        }
        let (elements, leaves) = (count("element")?, count("leaf")?);
        let ((pairs, pair_words), (moments, moment_words)) = (word("pair")?, word("moment")?);
        let (bases, base_words) = word("base")?;
        let is_output: Vec<bool> = moment_words.iter().map(|word| word == patches::OUTPUT).collect();
        let is_a: Vec<bool> = base_words.iter().map(|word| word == "a").collect();
        let of_pairs: Vec<_> = pair_words.iter().map(|name| bodies.0.get(name)).collect();
        // Rows of a time follow each other.
        let mut last = (f64::NAN, None);
        for row in 0..batch.rows() {
            let at_output = is_output[moments[row] as usize];
            found.outputs |= at_output;
            found.peaks |= !at_output;
            if times[row] != last.0 {
                last = (times[row], frames.at(times[row]));
            }
            let (Some(frame), Some(&(pair, of_pair))) = (last.1, of_pairs[pairs[row] as usize]) else {
                continue;
            };
            if !at_output {
                continue;
            }
            let base_is_a = is_a[bases[row] as usize];
            let key = (pair, base_is_a, elements[row], leaves[row]);
            let number = match self.numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = self.bodies.len() as u32;
                    let body = of_pair[usize::from(!base_is_a)];
                    let Some(pose) = poses.pose(body as usize, frame) else { continue };
                    for corner in corner_columns.as_chunks::<3>().0 {
                        let p = pose.inverse_transform_point(&Vec3::from(corner.map(|column| column[row])));
                        self.corners.extend(p.iter().map(|x| *x as f32));
                    }
                    self.bodies.push(body);
                    self.pairs.push(pair);
                    self.numbers.insert(key, number);
                    number
                }
            };
            found.rows.push((frame as u32, number, pressures[row]));
        }
        Ok(())
    }

    fn put(self, out: &mut Output) {
        out.array("element_corners", Array::F32(self.corners));
        out.array("element_body", Array::U32(self.bodies));
        out.array("element_pair", Array::U32(self.pairs));
    }
}
