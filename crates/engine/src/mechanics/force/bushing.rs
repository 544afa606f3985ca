use std::f64::consts::FRAC_PI_2;

use carom_math::{Mat3, Quaternion, Vec3, Wrench};
use nalgebra::{Matrix6, Vector6};

use super::{Account, origin};
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;
use crate::record::ForceSample;

/// Potential ½ xᵀ K x of the displacement d and rotation vector θ of B's frame in A's, x = [d; θ], and a damper
/// −C [ḋ; ω]. The gradient by a rotation of B is J⁻ᵀ ∂U/∂θ, with θ̇ = J⁻¹ ω for ω in A's axes: without J the
/// torque of a large rotation would not be that of the potential.
pub(super) fn bushing(
    here: &Configuration<'_>,
    [a, b]: [&Anchor; 2],
    [stiffness, damping]: [&Matrix6<f64>; 2],
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let (body_a, body_b) = (&here.bodies[a.body], &here.bodies[b.body]);
    let frame = body_a.pose.rotation * a.pose.rotation;
    let ((_, at_a, _), (arm_b, at_b, v_b)) = (origin(here, a), origin(here, b));
    let arm_a = at_b - body_a.pose.translation;
    let relative = v_b - body_a.velocity - body_a.angular_velocity.cross(&arm_a);
    let omega = frame.tr_mul(&(body_b.angular_velocity - body_a.angular_velocity));
    let displacement = frame.tr_mul(&(at_b - at_a));
    let theta = rotation_vector(here, [a, b]);
    let x = join(&displacement, &theta);
    let rates = join(&frame.tr_mul(&relative), &omega);
    let (elastic, viscous) = (stiffness * x, damping * rates);
    let (force_e, torque_e) = split(&elastic);
    let (force_v, torque_v) = split(&viscous);
    let force = -(frame * (force_e + force_v));
    let torque = -(frame * (inverse_left_jacobian(&theta).tr_mul(&torque_e) + torque_v));
    let wrench = Wrench::new(torque, Vec3::zeros());
    wrenches[a.body] -= Wrench::of_force(force, &arm_a) + wrench;
    wrenches[b.body] += Wrench::of_force(force, &arm_b) + wrench;
    account.potential += 0.5 * x.dot(&elastic);
    account.viscous += rates.dot(&viscous);
    ForceSample {
        length: displacement.norm(),
        rate: if displacement.norm() > 0.0 {
            displacement.dot(&frame.tr_mul(&relative)) / displacement.norm()
        } else {
            0.0
        },
        value: force.norm(),
        force,
        torque,
    }
}

/// θ of B's frame in A's, no longer than half a turn (rad).
fn rotation_vector(here: &Configuration<'_>, [a, b]: [&Anchor; 2]) -> Vec3 {
    let [r_a, r_b] = [a, b].map(|at| here.bodies[at.body].pose.rotation * at.pose.rotation);
    Quaternion::from_matrix(&(r_a.transpose() * r_b)).to_rotation_vector()
}

/// Follows the rotation vector from one accepted state to the next, and keeps behind it the time (s) at which it first turned round: past half a turn the way back is shorter on the
/// other side.
pub(crate) fn follow_turn(here: &Configuration<'_>, ends: [&Anchor; 2], kept: [f64; 4]) -> [f64; 4] {
    let [x, y, z, first] = kept;
    let (before, theta) = (Vec3::new(x, y, z), rotation_vector(here, ends));
    let turns_round = before.dot(&theta) < 0.0 && before.norm().min(theta.norm()) > FRAC_PI_2;
    let first = if turns_round && first == 0.0 { here.time } else { first };
    [theta.x, theta.y, theta.z, first]
}

fn join(a: &Vec3, b: &Vec3) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

fn split(x: &Vector6<f64>) -> (Vec3, Vec3) {
    (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]))
}

/// J⁻¹ = 1 − ½ θ× + c θ×², c = (1 − (φ/2) cot(φ/2))/φ², for ω in the fixed axes: θ̇ = J⁻¹ ω (Iserles et al.,
/// Acta Numerica 9 (2000), the inverse of dexp).
fn inverse_left_jacobian(theta: &Vec3) -> Mat3 {
    let square = theta.norm_squared();
    let c = if square < 1e-6 {
        1.0 / 12.0 + square / 720.0
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / libm::tan(half)) / square
    };
    let cross = theta.cross_matrix();
    Mat3::identity() - cross * 0.5 + cross * cross * c
}
