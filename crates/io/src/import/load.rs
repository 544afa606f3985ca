//! Forces and torques on links that the outside exerts, constant or by an actuator.

use carom_math::{Pose, Vec3};

use crate::source::Span;

/// The effort e = gain · control + bias, within ranges, acts as e · `force` at a point of a link, and as e · `torque`.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) name: String,
    pub(super) span: Span,
    /// Place among the actuators of the file; `None` for what has no control.
    pub(super) number: Option<usize>,
    /// Link, and the frame in it where the load acts.
    pub(super) at: (usize, Pose),
    /// Per effort, in the axes that `in_world` says (first of the force, then of the torque): the world's, else the frame's.
    pub(super) force: Vec3,
    pub(super) torque: Vec3,
    pub(super) in_world: [bool; 2],
    pub(super) control: f64,
    pub(super) control_range: Option<[f64; 2]>,
    pub(super) gain: f64,
    pub(super) bias: f64,
    pub(super) effort_range: Option<[f64; 2]>,
}

impl Load {
    /// A force that stays as it is, in world axes.
    pub(super) fn constant(name: String, span: Span, (link, point): (usize, Vec3), force: Vec3) -> Self {
        Self {
            name,
            span,
            number: None,
            at: (link, Pose::from_translation(point)),
            force,
            torque: Vec3::zeros(),
            in_world: [true, true],
            control: 0.0,
            control_range: None,
            gain: 0.0,
            bias: 1.0,
            effort_range: None,
        }
    }

    /// e at its control.
    pub(super) fn effort(&self) -> f64 {
        let within =
            |x: f64, range: Option<[f64; 2]>| range.map_or(x, |[least, most]| x.max(least).min(most));
        within(self.gain * within(self.control, self.control_range) + self.bias, self.effort_range)
    }
}
