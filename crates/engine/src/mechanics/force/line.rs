use carom_math::{Vec3, Wrench};

use super::{Account, origin};
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;
use crate::record::ForceSample;

/// F = −k (L − L₀) − c L̇ + u(t) along the line from A to B. Where the points meet, the line has no direction and
/// the force is zero.
pub(super) fn spring_damper(
    here: &Configuration<'_>,
    [a, b]: [&Anchor; 2],
    [stiffness, damping, rest]: [f64; 3],
    drive: f64,
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let ((arm_a, at_a, v_a), (arm_b, at_b, v_b)) = (origin(here, a), origin(here, b));
    let offset = at_b - at_a;
    let length = offset.norm();
    let n = if length > 0.0 { offset / length } else { Vec3::zeros() };
    let rate = n.dot(&(v_b - v_a));
    let stretch = length - rest;
    let value = -stiffness * stretch - damping * rate + drive;
    let force = n * value;
    wrenches[a.body] -= Wrench::of_force(force, &arm_a);
    wrenches[b.body] += Wrench::of_force(force, &arm_b);
    account.potential += 0.5 * stiffness * stretch * stretch;
    account.viscous += damping * rate * rate;
    account.motors += drive * rate;
    ForceSample { length, rate, value, force, torque: Vec3::zeros() }
}
