//! The coordinate of a joint, with all that acts along it.

use carom_math::{Pose, Quaternion, Vec3};

use super::stop::Stop;
use super::touch::Softness;

/// A scalar coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) motion: Motion,
    /// Unit vector in the joint frame.
    pub(super) direction: Vec3,
    /// How far the thread of a screw moves along the direction (m/rad).
    pub(super) lead: f64,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
    /// Ends of the range before margins that the file states.
    pub(super) range: Option<[f64; 2]>,
    /// How far its limits give, where the format says so, and what stops do.
    pub(super) softness: Option<Softness>,
    pub(super) stop: Option<Stop>,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// Coordinate at which the spring is relaxed.
    pub(super) rest: f64,
    /// Time constant (s) and damping ratio that stiffness and damping give with the inertia there, where the file states those.
    pub(super) swing: Option<[f64; 2]>,
    /// Dry friction (N or N m).
    pub(super) friction: f64,
    /// Inertia of what moves with the coordinate alone (kg m² or kg).
    pub(super) armature: f64,
    /// Least and greatest effort of what drives it (N or N m).
    pub(super) effort: Option<[f64; 2]>,
    /// Least and greatest sum of what its actuators exert, where none of them can have that for its own.
    pub(super) shared: Option<[f64; 2]>,
    /// Does what bears the weight of bodies count towards its effort?
    pub(super) takes_weights: bool,
    /// Speed that the file states as its limit (rad/s or m/s).
    pub(super) rated_speed: Option<f64>,
    /// What holds it.
    pub(super) servo: Option<Servo>,
    /// Coordinate at the start.
    pub(super) start: f64,
    /// Its rate at the start.
    pub(super) speed: f64,
}

/// −stiffness (q − target) − damping q̇, at most `effort` either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Servo {
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) target: f64,
    pub(super) effort: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Angle (rad).
    Turn,
    /// Displacement (m).
    Shift,
}

impl Axis {
    pub(super) fn new(motion: Motion, direction: Vec3) -> Self {
        Self {
            motion,
            direction,
            lead: 0.0,
            lower: None,
            upper: None,
            range: None,
            softness: None,
            stop: None,
            stiffness: 0.0,
            damping: 0.0,
            rest: 0.0,
            swing: None,
            friction: 0.0,
            armature: 0.0,
            effort: None,
            shared: None,
            takes_weights: false,
            rated_speed: None,
            servo: None,
            start: 0.0,
            speed: 0.0,
        }
    }

    /// Pose at a coordinate.
    pub(super) fn pose_at(&self, q: f64) -> Pose {
        match self.motion {
            Motion::Turn => Pose {
                rotation: Quaternion::from_axis_angle(&self.direction, q).to_matrix(),
                translation: self.direction * (self.lead * q),
            },
            Motion::Shift => Pose::from_translation(self.direction * q),
        }
    }

    /// The coordinate nearest to `q` within the limits.
    pub(super) fn within_limits(&self, q: f64) -> f64 {
        q.min(self.upper.unwrap_or(f64::INFINITY)).max(self.lower.unwrap_or(f64::NEG_INFINITY))
    }
}
