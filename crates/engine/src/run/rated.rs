use carom_solvers::Stepper;
use carom_solvers::extremum::{Sample, next_look};

use super::Simulation;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::{JointData, JointRole};
use crate::model::AxisMeasure;
use crate::note::Note;
use crate::system::System;

/// Looks inside a step at most, beyond its middle.
const LOOKS: usize = 6;
/// Where both ends of a step are slower than this share of the rated speed, it is not passed between them.
const NEAR: f64 = 0.5;

/// A joint coordinate that a run watches, and its greatest speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    joint: usize,
    axis: usize,
    /// State that is its speed; `None` of joints that close loops, which are looked at where steps end.
    state: Option<usize>,
    /// What its drive is made for (rad/s or m/s).
    speed: f64,
    /// Greatest speed, and when (s).
    pub(super) greatest: f64,
    pub(super) at: f64,
}

impl Rated {
    /// All coordinates of the model with a rated speed, in its order.
    pub(super) fn all(system: &System) -> Vec<Self> {
        let of_joint = |(joint, data): (usize, &JointData)| {
            let rated = data.elements.iter().enumerate().filter_map(move |(axis, element)| {
                let state = match data.role {
                    JointRole::Carries { link } => {
                        Some(system.mechanics.links[link].velocities().start + axis)
                    }
                    JointRole::Closes => None,
                };
                element.rated_speed.map(|speed| Self { joint, axis, state, speed, greatest: 0.0, at: 0.0 })
            });
            rated.collect::<Vec<_>>()
        };
        system.mechanics.joints.iter().enumerate().flat_map(of_joint).collect()
    }
}

/// Takes the speeds of an attempted step that ends where the evaluator is, with its dense output ready.
pub(super) fn note_speeds(run: &mut Simulation<'_>, end: f64) {
    let here = run.evaluator.workspace.here();
    let (start, h) = (run.stepper.time(), run.stepper.step());
    for rated in &mut run.rated {
        let speed = joint_axes(&here, rated.joint).1[rated.axis].abs();
        rated.note(speed, end);
        let Some(state) = rated.state else { continue };
        let before = run.stepper.state()[state].abs();
        if before.max(speed) > NEAR * rated.speed {
            let [at, peak] = greatest_inside(&*run.stepper, state, [before, speed]);
            rated.note(peak, start + at * h);
        }
    }
}

impl Rated {
    fn note(&mut self, speed: f64, time: f64) {
        if speed > self.greatest {
            (self.greatest, self.at) = (speed, time);
        }
    }
}

/// Where in a step the size of a state is greatest that is known at its ends, and how great.
fn greatest_inside(stepper: &dyn Stepper, state: usize, [start, end]: [f64; 2]) -> [f64; 2] {
    let sample = |at: f64, value: f64| Sample { at, value, rate: None };
    let look = |at: f64| {
        let mut value = [0.0];
        stepper.interpolate(at, state..state + 1, &mut value);
        sample(at, value[0].abs())
    };
    let mut samples = [sample(1.0, end); 3 + LOOKS];
    (samples[0], samples[1]) = (sample(0.0, start), look(0.5));
    let mut known = 3;
    while known < samples.len()
        && let Some(at) = next_look(&samples[..known])
    {
        let place = samples[..known].partition_point(|s| s.at < at);
        samples[place..=known].rotate_right(1);
        samples[place] = look(at);
        known += 1;
    }
    let best = samples[..known].iter().max_by(|a, b| a.value.total_cmp(&b.value));
    best.map_or([0.0, start], |s| [s.at, s.value])
}

/// W0516 for each coordinate that was faster than it is rated for.
pub(super) fn warnings(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    run.rated.iter().filter(|rated| rated.greatest > rated.speed).map(|rated| {
        let data = &run.system.mechanics.joints[rated.joint];
        let axes = data.kind.axes();
        let unit = match axes[rated.axis] {
            AxisMeasure::Angle => "rad/s",
            AxisMeasure::Length => "m/s",
        };
        let which = if axes.len() == 1 { String::new() } else { format!(" coordinate {}", rated.axis) };
        let Rated { speed, greatest, at, .. } = *rated;
        let message = format!(
            "joint \"{}\"{which} moves at up to {greatest:.3e} {unit}, at t = {at:.6} s; it is rated for {speed} {unit}",
            run.system.info.joints[rated.joint].0
        );
        Note::new("W0516", message)
    })
}
