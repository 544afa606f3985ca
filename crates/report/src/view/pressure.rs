//! Elements of areal contact with their pressure at the output times.

use std::collections::{HashMap, HashSet};

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

/// Elements as they come up, and rows of pressures.
#[derive(Default)]
struct Found {
    numbers: HashMap<Key, u32>,
    corners: Vec<f32>,
    bodies: Vec<u32>,
    pairs: Vec<u32>,
    /// Output time, element, pressure (Pa).
    rows: Vec<(u32, u32, f64)>,
    greatest: Vec<f64>,
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
    let mut found = Found { greatest: vec![0.0; data.scene().pairs.len()], ..Found::default() };
    let bodies = Bodies::of(data, shapes);
    let (mut peaks, mut outputs) = (false, false);
    data.scan(Table::Elements, &mut |batch| {
        let [at_output, at_peak] = found.take(batch, frames, &bodies, poses)?;
        outputs |= at_output;
        peaks |= at_peak;
        Ok(())
    })?;
    if peaks && !outputs {
        out.notes.push(
            "Pressures are recorded at peaks alone; `output.patches` in the model records them over time."
                .to_owned(),
        );
    }
    found.rows.sort_unstable_by_key(|row| (row.0, row.1));
    let mut start = vec![0_u32; frames.times.len() + 1];
    found.rows.iter().for_each(|row| start[row.0 as usize + 1] += 1);
    (1..start.len()).for_each(|k| start[k] += start[k - 1]);
    let part = |&(_, element, pressure): &(u32, u32, f64)| {
        let greatest = found.greatest[found.pairs[element as usize] as usize];
        if greatest > 0.0 { (pressure / greatest * FULL).round() as i16 } else { 0 }
    };
    let lost = found.rows.iter().filter(|row| !row.2.is_finite()).count();
    if lost > 0 {
        out.tell(format!("{lost} pressures are not finite: they are drawn as none."));
    }
    out.set("pressure_scale_pa", json!(found.greatest));
    out.array("pressure", Array::I16(found.rows.iter().map(part).collect()));
    out.array("pressure_element", Array::U32(found.rows.iter().map(|row| row.1).collect()));
    out.array("pressure_start", Array::U32(start));
    out.array("element_corners", Array::F32(found.corners));
    out.array("element_body", Array::U32(found.bodies));
    out.array("element_pair", Array::U32(found.pairs));
    Ok(())
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

impl Found {
    /// Takes the rows at the page's output times; says whether there are rows of outputs and of peaks at all.
    fn take(
        &mut self,
        batch: &Columns,
        frames: &Frames,
        bodies: &Bodies,
        poses: &Poses,
    ) -> Result<[bool; 2], Error> {
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
        let mut seen: HashSet<&str> = HashSet::new();
        for row in 0..batch.rows() {
            let moment = moment_words[moments[row] as usize].as_str();
            seen.insert(moment);
            if moment != patches::OUTPUT {
                continue;
            }
            let Some(frame) = frames.at(times[row]) else { continue };
            let Some(&(pair, of_pair)) = bodies.0.get(&pair_words[pairs[row] as usize]) else { continue };
            let base_is_a = base_words[bases[row] as usize] == "a";
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
            let greatest = &mut self.greatest[pair as usize];
            *greatest = greatest.max(pressures[row].abs());
            self.rows.push((frame as u32, number, pressures[row]));
        }
        Ok([seen.contains(patches::OUTPUT), seen.contains(patches::PEAK)])
    }
}
