//! What a controller outside the model sets: efforts and speeds of motors and components of applied loads, in place of their
//! functions of time.

use std::fmt;
use std::sync::Arc;

use carom_math::{Mat3, Vec3};

use crate::function::{Jet, TimeFunction};
use crate::model::JointCoordinate;

/// Where an applied load acts, at a time that may be one of a stage; world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// Time (s).
    pub time: f64,
    /// Position of the attachment (m).
    pub position: Vec3,
    /// Rotation from the body's axes to the world's.
    pub rotation: Mat3,
    /// Velocity of the attachment (m/s).
    pub velocity: Vec3,
    /// Angular velocity of the body (rad/s).
    pub angular_velocity: Vec3,
}

/// Components of an applied force (N) or torque (N m), in the axes that the model states for it, as a function of where its
/// body is. It is asked at every stage of every step, tried ones among them, so it must remember nothing; what is not finite
/// ends the run. Integrators that take slopes see none of it.
#[derive(Clone)]
pub struct LoadFunction(Arc<Load>);

type Load = dyn Fn(&LoadPoint) -> [f64; 3] + Send + Sync;

impl LoadFunction {
    /// From a closure.
    pub fn new(function: impl Fn(&LoadPoint) -> [f64; 3] + Send + Sync + 'static) -> Self {
        Self(Arc::new(function))
    }

    pub(crate) fn at(&self, point: &LoadPoint) -> [f64; 3] {
        (self.0)(point)
    }
}

/// The very same closure.
impl PartialEq for LoadFunction {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for LoadFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoadFunction")
    }
}

/// Values that hold from the accepted step at which they were set until they are set again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    /// By joint and axis: what its motor gives, an effort (N, N m) or a velocity (m/s, rad/s); `None`: its function of time.
    pub(crate) motors: Vec<[Option<f64>; 3]>,
    /// By force element: components of an applied force (N) or torque (N m), in its own axes, or effort of a spring's
    /// actuator (N, N m) in the first place; `None`: their functions.
    pub(crate) loads: Vec<Option<[f64; 3]>>,
    /// By force element: what gives these components instead. Checkpoints do not hold it.
    pub(crate) functions: Vec<Option<LoadFunction>>,
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
            functions: vec![None; forces],
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
