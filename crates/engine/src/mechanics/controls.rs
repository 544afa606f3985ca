//! What a controller outside the model sets: efforts of motors and components of applied loads, in place of their functions
//! of time.

/// Values that hold from the accepted step at which they were set until they are set again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    /// By joint and axis: effort of a motor (N, N m); `None`: its function of time.
    pub(crate) efforts: Vec<[Option<f64>; 3]>,
    /// By force element: components of an applied force (N) or torque (N m), in its own axes, or effort of a spring's
    /// actuator (N, N m) in the first place; `None`: their functions.
    pub(crate) loads: Vec<Option<[f64; 3]>>,
    /// Something was set since the last accepted step: the next one begins with what it changes.
    pub(crate) is_new: bool,
}

impl Controls {
    /// Functions of time everywhere.
    pub(crate) fn none(joints: usize, forces: usize) -> Self {
        Self { efforts: vec![[None; 3]; joints], loads: vec![None; forces], is_new: false }
    }
}
