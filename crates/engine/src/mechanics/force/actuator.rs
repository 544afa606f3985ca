use carom_math::Wrench;

use super::element::add_axis_effort;
use super::{Account, QUIET};
use crate::mechanics::ActuatorData;
use crate::mechanics::Configuration;
use crate::mechanics::constraint::joint_freedom;
use crate::model::Actuator;
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
