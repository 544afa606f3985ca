//! States of a mechanics as rows to be recorded, and states that rounding has spoilt.

use carom_math::{Quaternion, Vec3};

use super::joint;
use super::kinematics::BodyKinematics;
use super::{ActuatorData, ForceData, Mechanics};
use crate::record::BodyState;

impl BodyKinematics {
    /// State of the body's own frame, for results.
    fn body_state(&self, com: &Vec3, orientation: Quaternion) -> BodyState {
        let origin = self.pose.translation - self.pose.rotation * com;
        BodyState {
            position: origin,
            orientation,
            velocity: self.point_velocity(&origin),
            angular_velocity: self.angular_velocity,
        }
    }
}

/// States of all bodies' frames at kinematics that belong to the state. Orientations are quaternions that do not jump between
/// states: products along the trees.
pub(crate) fn write_body_states(
    mechanics: &Mechanics,
    y: &[f64],
    bodies: &[BodyKinematics],
    states: &mut Vec<BodyState>,
) {
    states.clear();
    let pairs = mechanics.bodies.iter().zip(bodies);
    states.extend(pairs.map(|(data, body)| body.body_state(&data.com, data.orientation)));
    // Parents come before what hangs on them.
    for link in &mechanics.links {
        let own = joint::rotation(link.kind, &y[link.coordinates()]);
        let Some(parent) = link.parent_body else {
            states[link.body].orientation = own.normalized();
            continue;
        };
        let own = if link.reversed { own.conjugate() } else { own };
        let inboard = Quaternion::from_matrix(&link.inboard.rotation);
        let outboard = Quaternion::from_matrix(&link.outboard.rotation).conjugate();
        let parent = states[parent].orientation;
        states[link.body].orientation =
            parent.multiply(&inboard).multiply(&own).multiply(&outboard).normalized();
    }
}

/// The same in a list of its own.
pub(crate) fn body_states(mechanics: &Mechanics, y: &[f64], bodies: &[BodyKinematics]) -> Vec<BodyState> {
    let mut states = Vec::with_capacity(bodies.len());
    write_body_states(mechanics, y, bodies, &mut states);
    states
}

/// What rounding of a step leaves between a coordinate or velocity and what it follows, as a share of it, or of 1. It is moved
/// without a booking: the energy is at most this times the force on the coordinate or the momentum along it, 1e-8 J of 1e4 N in a step.
const ROUNDING_OF_STEPS: f64 = 1e-12;

/// Takes from coupled coordinates and velocities what rounding has left between them; what is more is for a projection, with the energy that
/// it adds. Differences of high order make more of it from step to step.
pub(crate) fn keep_ratios(mechanics: &Mechanics, y: &mut [f64]) {
    for (follower, offset) in mechanics.followers.iter().zip(&mechanics.offsets) {
        let kept = follower.ratio * y[follower.leader] + offset;
        if (kept - y[follower.state]).abs() <= ROUNDING_OF_STEPS * kept.abs().max(1.0) {
            y[follower.state] = kept;
        }
    }
}

/// What is smaller in size than this in an accepted state is zero, in SI units: a body that friction has
/// stopped would else decay into numbers below the normal range, which cost the processor ten times the time.
/// No sum with anything that a model can measure notices.
const NEGLIGIBLE: f64 = 1e-150;

/// Puts the quaternions of an accepted state back to length one, activations into their ranges, and negligible numbers to zero.
pub(crate) fn normalize(mechanics: &Mechanics, y: &mut [f64]) {
    for value in y.iter_mut().filter(|value| value.abs() < NEGLIGIBLE) {
        *value = 0.0;
    }
    for link in &mechanics.links {
        if let Some((at, _)) = joint::quaternion_at(link.kind) {
            let components = &mut y[link.first_state + at..link.first_state + at + 4];
            let q = joint::quaternion(components).normalized();
            components.copy_from_slice(&[q.w, q.x, q.y, q.z]);
        }
    }
    if mechanics.auxiliary > 0 {
        for force in &mechanics.forces {
            if let ForceData::Actuator(ActuatorData { law, activation: Some(state) }) = force
                && let Some(own) = &law.activation
            {
                y[*state] = own.within_range(y[*state]);
            }
        }
    }
}
