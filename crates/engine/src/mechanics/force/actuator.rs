use carom_math::Wrench;

use super::element::add_axis_effort;
use super::{Account, QUIET};
use crate::mechanics::constraint::joint_freedom;
use crate::mechanics::{ActuatorData, Configuration, ForceData, SharedRange};
use crate::model::{Actuator, JointCoordinate};
use crate::record::ForceSample;

/// What an actuator acts along, l = Σ factorₖ qₖ, and Σ factorₖ vₖ, which is its rate but for turns of balls ([`joint_freedom`]).
pub(crate) fn actuator_motion(here: &Configuration<'_>, actuator: &Actuator) -> [f64; 2] {
    actuator.terms.iter().fold([0.0; 2], |[length, rate], &(at, factor)| {
        let [q, v] = joint_freedom(here, at);
        [length + factor * q, rate + factor * v]
    })
}

/// Effort of an actuator by its index among the forces, and its slopes by its control or activation, l and l̇.
pub(crate) fn actuator_effort(
    here: &Configuration<'_>,
    index: usize,
    data: &ActuatorData,
    motion: [f64; 2],
) -> (f64, [f64; 3]) {
    let ActuatorData { law, activation } = data;
    let acting = match law.activation.zip(*activation) {
        Some((own, state)) => own.within_range(here.state[state]),
        None => law.within_range(here.control_of(index, &law.control)),
    };
    law.effort_at(acting, motion)
}

/// What actuators exert along a coordinate beyond what they may together, with the sign of what takes it back; 0 within the range.
/// `effort`: that of one of them, by its index among the forces.
pub(crate) fn excess(shared: &SharedRange, effort: impl Fn(usize) -> f64) -> f64 {
    let sum: f64 = shared.of.iter().map(|&(force, factor)| factor * effort(force)).sum();
    let [least, most] = shared.range;
    // Ends that are exchanged are told after this: they must not panic.
    sum.min(most).max(least) - sum
}

/// Do more or less of this actuator change nothing along that coordinate, because those there exert all that they may?
pub(crate) fn is_saturated(here: &Configuration<'_>, force: usize, at: JointCoordinate) -> bool {
    let shared = here.mechanics.shared_ranges.iter().find(|shared| shared.at == at);
    let effort = |index: usize| match &here.mechanics.forces[index] {
        ForceData::Actuator(data) => actuator_effort(here, index, data, actuator_motion(here, &data.law)).0,
        _ => 0.0,
    };
    shared
        .is_some_and(|shared| shared.of.iter().any(|(own, _)| *own == force) && excess(shared, effort) != 0.0)
}

/// Takes back what actuators exert together beyond what they may; `samples` are those of the forces.
pub(super) fn limit_together(
    here: &Configuration<'_>,
    samples: &[ForceSample],
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    account: &mut Account,
) {
    for shared in &here.mechanics.shared_ranges {
        let back = excess(shared, |force| samples[force].value);
        if back != 0.0 {
            let JointCoordinate { joint, axis } = shared.at;
            add_axis_effort(here, joint, axis, back, wrenches, efforts);
            account.motors += back * joint_freedom(here, shared.at)[1];
        }
    }
}

/// An actuator; positive efforts push towards greater l.
pub(super) fn actuator(
    here: &Configuration<'_>,
    index: usize,
    data: &ActuatorData,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    account: &mut Account,
) -> ForceSample {
    let [length, rate] = actuator_motion(here, &data.law);
    let (value, _) = actuator_effort(here, index, data, [length, rate]);
    for &(at, factor) in &data.law.terms {
        add_axis_effort(here, at.joint, at.axis, factor * value, wrenches, efforts);
    }
    account.motors += value * rate;
    ForceSample { length, rate, value, ..QUIET }
}
