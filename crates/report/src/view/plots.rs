//! Quantities over time, those that a user asks for first in front.

use std::collections::{HashMap, HashSet};

use carom_results::{Array, Error, RunData, Series};
use serde_json::json;

use super::Output;
use super::frames::Frames;
use crate::peaks::Peaks;

/// Curves of a plot that is shown from the start.
const CURVES: usize = 4;
/// Travel below this part of the widest is none.
const STILL: f64 = 1e-6;
/// What is wanted first of each kind of owner.
const OF_CONTACTS: [&str; 4] = ["fn", "penetration", "pressure", "ft"];
const OF_ENERGY: [&str; 4] = ["mechanical", "kinetic", "dissipated", "residual"];
const OF_BODIES: [&str; 8] = ["x", "y", "z", "speed", "angular_speed", "vx", "vy", "vz"];

/// Puts the columns, and which of them are shown from the start; fails when those that can be read are put, if others cannot.
pub(super) fn put(out: &mut Output, data: &RunData, frames: &Frames, most: usize) -> Result<(), Error> {
    let (names, total) = wanted(data, most);
    let owners: Vec<&str> = names.iter().filter_map(|name| Some(name.rsplit_once('.')?.0)).collect();
    let mut lost = None;
    let located = Peaks::of(data, owners).map_err(|error| lost = Some(error)).ok();
    let (mut plots, mut values) = (Vec::new(), Vec::new());
    let mut known: HashMap<String, f64> = HashMap::new();
    let (mut peak_plots, mut peak_times, mut peak_values) = (Vec::new(), Vec::new(), Vec::new());
    for name in &names {
        let series = match data.series(name) {
            // What a model does not ask for is not recorded.
            Err(Error::NoValue { .. }) => continue,
            Err(error) => {
                lost.get_or_insert(error);
                continue;
            }
            Ok(series) => series,
        };
        // Quantities of steps have times of their own.
        if series.time.len() != data.times()?.len() {
            continue;
        }
        let (owner, base) = series.name.rsplit_once('.').unwrap_or_default();
        for (time, value) in located.iter().flat_map(|located| located.get(owner, base)) {
            peak_plots.push(plots.len() as u32);
            peak_times.push(*time);
            peak_values.push(*value as f32);
        }
        plots.push(json!({ "name": series.name, "unit": series.unit, "meaning": series.meaning }));
        values.extend(frames.of(&series.values).map(|value| value as f32));
        known.insert(series.name.clone(), spread(&series));
    }
    out.set("panels", json!(panels(data, &known)));
    out.set("plots", plots);
    out.array("plot_values", Array::F32(values));
    // Located between output times, and so in no column.
    out.array("peak_plot", Array::U32(peak_plots));
    out.array("peak_time", Array::F64(peak_times));
    out.array("peak_value", Array::F32(peak_values));
    // Where none are wanted, none are missed.
    if most > 0 && names.len() < total {
        out.notes.push(format!(
            "{} of {total} quantities can be plotted here; `carom plot` has all.",
            names.len()
        ));
    }
    lost.map_or(Ok(()), Err)
}

/// A quantity at the output times of a page; no numbers where it has none.
pub(super) fn values_at(data: &RunData, frames: &Frames, name: &str) -> Vec<f32> {
    let values = data.series(name).map(|series| series.values).unwrap_or_default();
    let at = |row: &usize| values.get(*row).map_or(f32::NAN, |value| *value as f32);
    frames.rows.iter().map(at).collect()
}

/// Names of the quantities over output times, the important ones first, and how many there are.
fn wanted(data: &RunData, most: usize) -> (Vec<String>, usize) {
    let scene = data.scene();
    let lines: HashSet<&str> = scene.lines().into_iter().collect();
    let bodies: HashMap<&str, bool> =
        scene.bodies.iter().map(|body| (body.name.as_str(), body.fixed)).collect();
    let joints: HashSet<&str> = scene.joints.iter().map(|joint| joint.columns.as_str()).collect();
    let moving = scene.bodies.iter().filter(|body| !body.fixed).map(|body| body.name.as_str());
    let first: Vec<&str> = moving.take(CURVES).collect();
    let rank = |name: &str, unit: &str| -> Option<usize> {
        let (owner, base) = name.rsplit_once('.')?;
        let place = |list: &[&str]| list.iter().position(|own| *own == base);
        match owner {
            "energy" => Some(place(&OF_ENERGY).map_or(60, |p| p)),
            "steps" => None,
            _ if lines.contains(owner) => Some(place(&OF_CONTACTS).map_or(40, |p| 4 + p)),
            _ if joints.contains(owner) => Some(match base.as_bytes() {
                [b'q', ..] => 10,
                [b'v', ..] => 12,
                _ => 50,
            }),
            _ if bodies.contains_key(owner) => {
                // Those of the first bodies that move come before joints, of which there may be hundreds.
                let is_first = first.contains(&owner);
                let fixed = bodies[owner];
                let rank = if is_first {
                    8
                } else if fixed {
                    1000
                } else {
                    20
                };
                Some(place(&OF_BODIES).map_or(70, |p| rank + p))
            }
            _ if unit.is_empty() => Some(90),
            _ => Some(45),
        }
    };
    let all = scene.quantities();
    let mut ranked: Vec<(usize, usize)> =
        all.iter().enumerate().filter_map(|(i, q)| Some((rank(&q.name, q.unit)?, i))).collect();
    ranked.sort_unstable();
    let total = ranked.len();
    (ranked.into_iter().take(most).map(|(_, index)| all[index].name.clone()).collect(), total)
}

/// Up to three plots that are shown from the start: what moves, what presses, where the energy is. `known` has how far
/// each quantity of the page goes.
fn panels(data: &RunData, known: &HashMap<String, f64>) -> Vec<Vec<String>> {
    let scene = data.scene();
    let named = |name: String| known.contains_key(&name).then_some(name);
    let moving = || scene.bodies.iter().filter(|body| !body.fixed);
    let along = |axis: &str| {
        moving().filter_map(|body| known.get(&format!("{}.{axis}", body.name))).copied().fold(0.0, f64::max)
    };
    let axes = ["z", "y", "x"].map(|axis| (axis, along(axis)));
    let (axis, widest) =
        axes.into_iter().fold(("z", 0.0), |best, own| if own.1 > best.1 { own } else { best });
    let mut motion: Vec<String> = Vec::new();
    if widest > 0.0 && !scene.lines().is_empty() {
        let goes = |name: &String| known.get(name).is_some_and(|spread| *spread > STILL * widest);
        let of_bodies = moving().filter_map(|body| named(format!("{}.{axis}", body.name)));
        motion = of_bodies.filter(goes).take(CURVES).collect();
    }
    if motion.is_empty() {
        let of_joints = scene.joints.iter().filter_map(|joint| {
            named(format!("{}.q", joint.columns)).or_else(|| named(format!("{}.q1", joint.columns)))
        });
        motion = of_joints.take(CURVES).collect();
    }
    if motion.is_empty() {
        motion = moving().filter_map(|body| named(format!("{}.{axis}", body.name))).take(CURVES).collect();
    }
    let forces =
        scene.lines().into_iter().filter_map(|line| named(format!("{line}.fn"))).take(CURVES).collect();
    let energy = ["mechanical", "kinetic", "dissipated"].into_iter();
    let energy = energy.filter_map(|base| named(format!("energy.{base}"))).collect();
    [motion, forces, energy].into_iter().filter(|panel| !panel.is_empty()).collect()
}

fn spread(series: &Series) -> f64 {
    let low = series.values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = series.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low).max(0.0)
}
