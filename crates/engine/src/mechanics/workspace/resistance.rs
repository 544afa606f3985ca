//! Dampers, servos and friction along joints as inertia: within a step they resist a change of velocity by h/2 c, c = −∂τ/∂q̇.

use super::Workspace;
use crate::mechanics::force::{actuator_effort, actuator_motion, axis_slopes, is_saturated};
use crate::mechanics::{ForceData, JointRole};

impl Workspace<'_> {
    /// Writes c of each freedom where it is (kg/s or kg m²/s), zero where an effort falls with nothing or grows with the velocity. False if
    /// there is none. Of actuators along several coordinates, whose matrix is factorᵢ factorₖ c, the sums of its rows: they bound it.
    pub(crate) fn write_resistance(&self, resistance: &mut [f64]) -> bool {
        resistance.fill(0.0);
        let here = self.here();
        let mechanics = here.mechanics;
        let freedom = |joint: usize, axis: usize| match mechanics.joints[joint].role {
            JointRole::Carries { link } => Some(mechanics.links[link].freedoms().start + axis),
            JointRole::Closes => None,
        };
        for (index, joint) in mechanics.joints.iter().enumerate() {
            let JointRole::Carries { link } = joint.role else { continue };
            let data = &mechanics.links[link];
            for (axis, element) in joint.elements.iter().enumerate() {
                let at = [here.state[data.first_state + axis], here.state[data.velocities().start + axis]];
                let set = here.controls.motors[index].get(axis).copied().flatten();
                let [_, by_speed] = axis_slopes(element, at, set, here.time);
                resistance[data.freedoms().start + axis] -= by_speed;
            }
        }
        for (index, data) in mechanics.forces.iter().enumerate() {
            let ForceData::Actuator(actuator) = data else { continue };
            let motion = actuator_motion(&here, &actuator.law);
            let (_, [_, _, by_rate]) = actuator_effort(&here, index, actuator, motion);
            let all: f64 = actuator.law.terms.iter().map(|(_, factor)| factor.abs()).sum();
            for &(at, factor) in &actuator.law.terms {
                if let Some(freedom) = freedom(at.joint, at.axis)
                    && !is_saturated(&here, index, at)
                {
                    resistance[freedom] -= factor.abs() * all * by_rate;
                }
            }
        }
        resistance.iter_mut().for_each(|c| *c = c.max(0.0));
        resistance.iter().any(|c| *c > 0.0)
    }
}
