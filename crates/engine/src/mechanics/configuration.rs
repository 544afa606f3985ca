use super::kinematics::BodyKinematics;
use super::{Controls, Mechanics};
use crate::function::TimeFunction;

/// Where forces and rows are written from: the poses and velocities of all bodies at a time and state.
#[derive(Clone, Copy)]
pub(crate) struct Configuration<'a> {
    pub(crate) mechanics: &'a Mechanics,
    pub(crate) time: f64,
    pub(crate) state: &'a [f64],
    pub(crate) bodies: &'a [BodyKinematics],
    /// Angles of the last accepted state, from which turns are counted.
    pub(crate) angles: &'a [f64],
    /// What is set from outside.
    pub(crate) controls: &'a Controls,
}

impl Configuration<'_> {
    /// What drives a force element: the first of what is set for it, else its function of time.
    pub(crate) fn control_of(&self, force: usize, function: &TimeFunction) -> f64 {
        self.controls.loads[force].map_or_else(|| function.value(self.time), |[first, ..]| first)
    }
}
