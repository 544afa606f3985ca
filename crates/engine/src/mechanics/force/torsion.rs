use carom_math::{Vec3, Wrench};

use super::Account;
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;
use crate::mechanics::joint::{coordinates, nearest_angle};
use crate::model::JointKind;
use crate::record::ForceSample;

/// Angle of B's frame about z of A's.
pub(crate) fn torsion_angle(here: &Configuration<'_>, [a, b]: [&Anchor; 2], near: f64) -> f64 {
    let x_wa = here.bodies[a.body].pose.compose(&a.pose);
    let x_wb = here.bodies[b.body].pose.compose(&b.pose);
    let pose = x_wa.inverse().compose(&x_wb);
    nearest_angle(coordinates(JointKind::Revolute, &pose, &[])[0], near)
}

/// T = −k (θ − θ₀) − c θ̇ + u(t) about z of A's frame, for bodies whose z axes stay parallel.
pub(super) fn torsion_spring(
    here: &Configuration<'_>,
    [a, b]: [&Anchor; 2],
    [stiffness, damping, rest]: [f64; 3],
    drive: f64,
    near: f64,
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let angle = torsion_angle(here, [a, b], near);
    let axis = (here.bodies[a.body].pose.rotation * a.pose.rotation).column(2).into_owned();
    let rate = axis.dot(&(here.bodies[b.body].angular_velocity - here.bodies[a.body].angular_velocity));
    let twist = angle - rest;
    let value = -stiffness * twist - damping * rate + drive;
    let torque = axis * value;
    wrenches[a.body].torque -= torque;
    wrenches[b.body].torque += torque;
    account.potential += 0.5 * stiffness * twist * twist;
    account.viscous += damping * rate * rate;
    account.motors += drive * rate;
    ForceSample { length: angle, rate, value, force: Vec3::zeros(), torque }
}
