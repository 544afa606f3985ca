use super::kinematics::BodyKinematics;
use super::{ActuatorData, CableData, Controls, ForceData, Mechanics};
use crate::function::TimeFunction;
use crate::model::Activation;

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

    /// Rates of the lengths that cables pay out, and of activations.
    pub(crate) fn write_auxiliary_rates(&self, dydt: &mut [f64]) {
        for (index, force) in self.mechanics.forces.iter().enumerate() {
            match force {
                ForceData::Cable(CableData { rate: Some(rate), paid_out: Some(state), .. }) => {
                    dydt[*state] = rate.value(self.time);
                }
                ForceData::Actuator(ActuatorData { law, activation: Some(state) }) => {
                    let control = law.within_range(self.control_of(index, &law.control));
                    let rate = |own: &Activation| own.rate_at(control, self.state[*state]);
                    dydt[*state] = law.activation.as_ref().map_or(0.0, rate);
                }
                _ => {}
            }
        }
    }

    /// Moves those states of `y` by a time, with the controls as they are here: each in closed form, so that no filter is too fast.
    pub(crate) fn advance_auxiliary(&self, time: f64, y: &mut [f64]) {
        for (index, force) in self.mechanics.forces.iter().enumerate() {
            match force {
                ForceData::Cable(CableData { rate: Some(rate), paid_out: Some(state), .. }) => {
                    y[*state] += time * rate.value(self.time);
                }
                ForceData::Actuator(ActuatorData { law, activation: Some(state) }) => {
                    let control = law.within_range(self.control_of(index, &law.control));
                    let after = |own: &Activation| own.after(time, control, y[*state]);
                    y[*state] = law.activation.as_ref().map_or(y[*state], after);
                }
                _ => {}
            }
        }
    }
}
