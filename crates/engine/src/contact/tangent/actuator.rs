//! Tangents of actuators: each coordinate of one feels every other, and its activation.

use carom_math::Vec3;

use super::TangentWorkspace;
use crate::contact::Evaluator;
use crate::mechanics::force::{actuator_effort, actuator_motion, is_saturated};
use crate::mechanics::{ActuatorData, ForceData, JointRole, joint};
use crate::model::Activation;

/// Adds the slopes of all efforts by the coordinates that they depend on, ∂(factorᵢ e)/∂qₖ = factorᵢ factorₖ ∂e/∂l, and by activations.
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
        let (_, [by_control, by_length, by_rate]) = actuator_effort(&here, force, actuator, motion);
        let activation = activation(actuator)
            .map(|(own, state)| (state, by_control * own.acting_slope_at(here.state[state])));
        for &(acts, factor) in &actuator.law.terms {
            let Some(on) = link_of(acts.joint).filter(|_| !is_saturated(&here, force, acts)) else {
                continue;
            };
            let row = system.states() * (on.velocities().start + acts.axis);
            if let Some((state, slope)) = activation {
                work.extend_reach(on.tree, state);
                matrix[row + state] += factor * slope;
            }
            for &(moves, lever) in &actuator.law.terms {
                let Some(of) = link_of(moves.joint) else { continue };
                work.join_reach([on.tree, of.tree]);
                let place = &mut matrix[row + of.first_state..];
                match joint::quaternion_at(of.kind).filter(|(_, first)| moves.axis >= *first) {
                    Some((at, first)) => {
                        let turn = joint::quaternion(&here.state[of.first_state + at..]).to_rotation_vector();
                        let slope = by_rotations(&turn, moves.axis - first) * (factor * lever * by_length);
                        place[at..].iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += slope);
                    }
                    None => place[moves.axis] += factor * lever * by_length,
                }
                matrix[row + of.velocities().start + moves.axis] += factor * lever * by_rate;
            }
        }
    }
}

/// Slope of a component of the rotation vector φ from F to M by small rotations about the axes of M: for a direction e it is
/// e − ½ φ × e + (1 − ½ |φ| cot ½ |φ|)/|φ|² φ × (φ × e).
fn by_rotations(turn: &Vec3, component: usize) -> Vec3 {
    let angle = turn.norm();
    // By its series where the difference would lose digits.
    let bend = if angle < 1e-3 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        (1.0 - 0.5 * angle / libm::tan(0.5 * angle)) / (angle * angle)
    };
    let direction = Vec3::ith(component, 1.0);
    let across = turn.cross(&direction);
    direction - across * 0.5 + turn.cross(&across) * bend
}

/// Writes the slopes of the rates of activations: each follows its own control.
pub(super) fn write_activation_rates(evaluator: &Evaluator<'_>, matrix: &mut [f64]) {
    let here = evaluator.workspace.here();
    for (force, data) in evaluator.system.mechanics.forces.iter().enumerate() {
        let ForceData::Actuator(actuator) = data else { continue };
        let Some((own, state)) = activation(actuator) else { continue };
        let control = actuator.law.within_range(here.control_of(force, &actuator.law.control));
        matrix[evaluator.system.states() * state + state] = own.slope_at(control, here.state[state]);
    }
}

/// An activation and its state.
fn activation(actuator: &ActuatorData) -> Option<(Activation, usize)> {
    actuator.law.activation.zip(actuator.activation)
}
