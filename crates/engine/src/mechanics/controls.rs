//! What a controller outside the model sets: efforts and speeds of motors and components of applied loads, in place of their
//! functions of time.

use crate::function::{Jet, TimeFunction};
use crate::model::JointCoordinate;

/// Values that hold from the accepted step at which they were set until they are set again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    /// By joint and axis: what its motor gives, an effort (N, N m) or a velocity (m/s, rad/s); `None`: its function of time.
    pub(crate) motors: Vec<[Option<f64>; 3]>,
    /// By force element: components of an applied force (N) or torque (N m), in its own axes, or effort of a spring's
    /// actuator (N, N m) in the first place; `None`: their functions.
    pub(crate) loads: Vec<Option<[f64; 3]>>,
    /// Something was set since the last accepted step: the next one begins with what it changes.
    pub(crate) is_new: bool,
    /// And among it a velocity, which may jump.
    pub(crate) has_new_speed: bool,
}

impl Controls {
    /// Functions of time everywhere.
    pub(crate) fn none(joints: usize, forces: usize) -> Self {
        Self {
            motors: vec![[None; 3]; joints],
            loads: vec![None; forces],
            is_new: false,
            has_new_speed: false,
        }
    }

    /// What the motor of an axis prescribes at a time: its function, unless a velocity was set.
    pub(crate) fn motion(&self, at: JointCoordinate, function: &TimeFunction, time: f64) -> Jet {
        match self.motors[at.joint][at.axis] {
            Some(value) => Jet { value, rate: 0.0, acceleration: 0.0 },
            None => function.jet(time),
        }
    }
}
