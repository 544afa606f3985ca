use carom_math::Wrench;

use super::element::add_axis_effort;
use super::{Account, QUIET};
use crate::mechanics::Configuration;
use crate::mechanics::constraint::joint_axis;
use crate::model::Actuator;
use crate::record::ForceSample;

/// What an actuator acts along, l = Σ factorₖ qₖ, and its rate.
pub(crate) fn actuator_motion(here: &Configuration<'_>, actuator: &Actuator) -> [f64; 2] {
    actuator.terms.iter().fold([0.0; 2], |[length, rate], &(at, factor)| {
        let [q, v] = joint_axis(here, at);
        [length + factor * q, rate + factor * v]
    })
}

/// An actuator at a control; positive efforts push towards greater l.
pub(super) fn actuator(
    here: &Configuration<'_>,
    actuator: &Actuator,
    control: f64,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    account: &mut Account,
) -> ForceSample {
    let [length, rate] = actuator_motion(here, actuator);
    let (value, _) = actuator.effort_at(control, [length, rate]);
    for &(at, factor) in &actuator.terms {
        add_axis_effort(here, at.joint, at.axis, factor * value, wrenches, efforts);
    }
    account.motors += value * rate;
    ForceSample { length, rate, value, ..QUIET }
}
