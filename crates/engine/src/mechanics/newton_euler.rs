//! Equations of motion of free bodies that carry nothing (Newton–Euler). Trees: [`crate::mechanics::tree`].

use carom_math::{Vec3, Wrench};

use crate::mechanics::Mechanics;
use crate::mechanics::joint;
use crate::mechanics::kinematics::BodyKinematics;

/// Rates of the states of lone bodies: ṗ = v, q̇ = ½ q ⊗ (0, ω_B), v̇ = F/m, ω̇_B = J⁻¹(τ_B − ω_B × J ω_B).
///
/// Returns the body whose rates are not finite.
pub(crate) fn update_lone(
    mechanics: &Mechanics,
    y: &[f64],
    bodies: &[BodyKinematics],
    wrenches: &[Wrench],
    dydt: &mut [f64],
) -> Result<(), usize> {
    for link in mechanics.links.iter().filter(|link| link.lone) {
        let index = link.body;
        let (y, d) = (&y[link.states()], &mut dydt[link.states()]);
        let (data, body) = (&mechanics.bodies[index], &bodies[index]);
        let omega = Vec3::new(y[10], y[11], y[12]);
        let rate = joint::quaternion(&y[3..7]).rate(&omega);
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
