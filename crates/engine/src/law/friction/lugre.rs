use carom_math::Vec3;
use libm::exp;

use super::grip::{Bristle, BristleLaw, Grip, Hold};

/// Share of the load to be expected below which the rates are those of this share.
const LIGHTEST: f64 = 1e-3;

/// LuGre friction (Canudas de Wit, Olsson, Åström & Lischinsky, IEEE Trans. Automatic Control 40 (1995), 419–425, eq. 2–4)
/// along a surface, with a Coulomb level that goes with the normal force:
///
/// ṡ = v − k_t |v| s/G(v), F = −(k_t s + c(v) ṡ), G(v) = N (μ_d + (μ_s − μ_d) exp(−|v|²/v_s²)), c(v) = c_t exp(−|v|²/v_s²);
///
/// k_t is the paper's σ₀, c_t its σ₁, which falls with the speed so that fast changes lose energy (Olsson 1996), v_stick its
/// Stribeck velocity v_s; σ₂ is `mu_visc`. In steady sliding F = −G(v) v/|v|. Below s = G/k_t the bristle gives way all the
/// time: what holds a load creeps while it trembles, which `stick-slip` does not. In sliding the rate k_t |v|/G is fast;
/// below a thousandth of the load to be expected G is taken there, and the force goes with N.
pub(super) fn hold(law: &BristleLaw, at: &Grip, s: Vec3) -> Hold {
    let (v, speed) = (at.velocity, at.velocity.norm());
    let slow = exp(-(speed / law.v_stick) * (speed / law.v_stick));
    let coefficient = law.mu + (law.mu_static - law.mu) * slow;
    let expected = law.scale * law.stiffness / law.mu_static;
    let pressing = at.pressing.max(LIGHTEST * expected);
    let rate = v - s * (law.stiffness * speed / (coefficient * pressing));
    let force = -(s * law.stiffness + rate * (at.damping * slow)) * (at.pressing / pressing);
    Hold { force, rate: Bristle { deflection: rate, dwell: 0.0 } }
}
