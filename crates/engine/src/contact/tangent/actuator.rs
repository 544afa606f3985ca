//! Tangents of actuators: each coordinate of one feels every other.

use super::TangentWorkspace;
use crate::contact::Evaluator;
use crate::mechanics::force::{actuator_effort, actuator_motion};
use crate::mechanics::{ForceData, JointRole};

/// Adds the slopes of all efforts by the coordinates that they depend on, ∂(factorᵢ e)/∂qₖ = factorᵢ factorₖ ∂e/∂l.
pub(super) fn add_actuator_slopes(
    evaluator: &Evaluator<'_>,
    work: &mut TangentWorkspace,
    matrix: &mut [f64],
) {
    let system = &evaluator.system;
    let (mechanics, here) = (&system.mechanics, evaluator.workspace.here());
    let link_of = |joint: usize| match mechanics.joints[joint].role {
        JointRole::Carries { link } => Some(&mechanics.links[link]),
        JointRole::Closes => None,
    };
    for (force, data) in mechanics.forces.iter().enumerate() {
        let ForceData::Actuator(actuator) = data else { continue };
        let motion = actuator_motion(&here, &actuator.law);
        let (_, [by_length, by_rate]) = actuator_effort(&here, force, actuator, motion);
        for &(acts, factor) in &actuator.law.terms {
            let Some(on) = link_of(acts.joint) else { continue };
            let row = system.states() * (on.velocities().start + acts.axis);
            for &(moves, lever) in &actuator.law.terms {
                let Some(of) = link_of(moves.joint) else { continue };
                work.join_reach([on.tree, of.tree]);
                matrix[row + of.first_state + moves.axis] += factor * lever * by_length;
                matrix[row + of.velocities().start + moves.axis] += factor * lever * by_rate;
            }
        }
    }
}
