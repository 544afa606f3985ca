use carom_math::{Pose, Quaternion, Vec3, Wrench};

use super::Account;
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;
use crate::mechanics::joint::{coordinates, nearest_angle};
use crate::model::JointKind;
use crate::record::ForceSample;

/// B's frame in A's.
fn of_b_in_a(here: &Configuration<'_>, [a, b]: [&Anchor; 2]) -> Pose {
    let x_wa = here.bodies[a.body].pose.compose(&a.pose);
    let x_wb = here.bodies[b.body].pose.compose(&b.pose);
    x_wa.inverse().compose(&x_wb)
}

/// Angle θ = 2 atan2(q_z, q_w) of B's frame about z of A's: how far it is twisted, apart from how far z is swung.
pub(crate) fn torsion_angle(here: &Configuration<'_>, ends: [&Anchor; 2], near: f64) -> f64 {
    nearest_angle(coordinates(JointKind::Revolute, &of_b_in_a(here, ends), &[])[0], near)
}

/// The direction d in A's frame along which the angle grows, θ̇ = d · ω with ω of B against A: z where the axes are parallel, and tilted by half of their angle
/// where they are not. A torque along it has the potential k (θ − θ₀)²/2; one along z would make energy.
fn torsion_direction(pose: &Pose) -> Vec3 {
    let Quaternion { w, x, y, z } = Quaternion::from_matrix(&pose.rotation);
    let square = w * w + z * z;
    Vec3::new((w * y + z * x) / square, (z * y - w * x) / square, 1.0)
}

/// T = −k (θ − θ₀) − c θ̇ + u(t) along the direction in which θ grows.
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
    let direction = torsion_direction(&of_b_in_a(here, [a, b]));
    let axis = here.bodies[a.body].pose.rotation * (a.pose.rotation * direction);
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
