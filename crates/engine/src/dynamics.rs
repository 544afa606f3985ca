//! Equations of motion of free bodies (Newton–Euler).

use carom_math::{Quaternion, Vec3};

use crate::contact::Wrench;
use crate::kinematics::BodyKinematics;
use crate::system::System;

/// Rates of all states: ṗ = v, q̇ = ½ q ⊗ (0, ω_B), v̇ = F/m, ω̇_B = J⁻¹(τ_B − ω_B × J ω_B).
///
/// Returns the body whose rates are not finite.
pub(crate) fn update(
    system: &System,
    y: &[f64],
    bodies: &[BodyKinematics],
    wrenches: &[Wrench],
    dydt: &mut [f64],
) -> Result<(), usize> {
    for (index, data) in system.bodies.iter().enumerate() {
        let Some(first) = data.first_state else { continue };
        let (y, d) = (&y[first..first + 13], &mut dydt[first..first + 13]);
        let body = &bodies[index];
        let omega = Vec3::new(y[10], y[11], y[12]);
        let rate = Quaternion::new(y[3], y[4], y[5], y[6]).rate(&omega);
        let acceleration = wrenches[index].force / data.mass;
        let torque = body.pose.rotation.tr_mul(&wrenches[index].torque);
        let spin = data.inverse_inertia * (torque - omega.cross(&(data.inertia * omega)));
        d[0..3].copy_from_slice(&y[7..10]);
        d[3..7].copy_from_slice(&[rate.w, rate.x, rate.y, rate.z]);
        d[7..10].copy_from_slice(acceleration.as_slice());
        d[10..13].copy_from_slice(spin.as_slice());
        if !(acceleration.sum() + spin.sum() + body.velocity.sum() + rate.w).is_finite() {
            return Err(index);
        }
    }
    Ok(())
}
