use super::Simulation;
use crate::mechanics::JointData;
use crate::mechanics::constraint::joint_axes;
use crate::model::AxisMeasure;
use crate::note::Note;
use crate::system::System;

/// A joint coordinate that a run watches, and its greatest speed at the ends of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    joint: usize,
    axis: usize,
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
                element.rated_speed.map(|speed| Self { joint, axis, speed, greatest: 0.0, at: 0.0 })
            });
            rated.collect::<Vec<_>>()
        };
        system.mechanics.joints.iter().enumerate().flat_map(of_joint).collect()
    }
}

/// Takes the speeds where the evaluator is, at the end of a step.
pub(super) fn note_speeds(run: &mut Simulation<'_>, time: f64) {
    let here = run.evaluator.workspace.here();
    for rated in &mut run.rated {
        let speed = joint_axes(&here, rated.joint).1[rated.axis].abs();
        if speed > rated.greatest {
            (rated.greatest, rated.at) = (speed, time);
        }
    }
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
