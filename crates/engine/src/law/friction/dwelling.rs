use carom_math::Vec3;
use libm::exp;

use super::grip::{Bristle, BristleLaw, Grip, Hold};

/// Bristle friction that depends on the time of rest (Gonthier, McPhee, Lange & Piedbœuf, Multibody System Dynamics 11 (2004),
/// 209–233), with seven parameters: μ_d, μ_s, k_t (σ₀), c_t (σ₁), `mu_visc` (σ₂), v_stick (v_s) and the dwell time τ_dw.
///
/// With κ = exp(−|v|²/v_stick²) and τ = c_t/k_t,
///
/// ṡ = κ v + (1−κ) (μ_d N/k_t · dir(v) − s)/τ,
/// F = −sat(k_t s + c_t ṡ, N (μ_d + (μ_s − μ_d) d)),
/// ḋ = (κ − d)/τ_dw while κ ≥ d, else (κ − d)/τ,
///
/// where dir(v) = v/|v| above v_stick/100 and goes smoothly through zero below, sat limits the length of a vector, and d says how
/// much of static friction the rest has built up. The deflection has no limit of its own while κ = 1: what sticks beyond
/// its limit slides with the force of it, and the bristle goes on with the motion until that is faster than v_stick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dwelling {
    /// What it has as others.
    pub bristle: BristleLaw,
    /// Time τ_dw in which static friction builds up (s).
    pub dwell_time: f64,
}

/// Speed below which the direction of sliding fades, over v_stick.
const DIRECTION: f64 = 0.01;

impl Dwelling {
    pub(super) fn hold(&self, at: &Grip, bristle: &Bristle) -> Hold {
        let law = &self.bristle;
        let (v, speed, s) = (at.velocity, at.velocity.norm(), bristle.deflection);
        let (k, tau) = (law.stiffness, at.damping / law.stiffness);
        let kappa = exp(-(speed / law.v_stick) * (speed / law.v_stick));
        let slid = direction(v, speed, DIRECTION * law.v_stick) * (law.mu * at.pressing / k);
        let rate = v * kappa + (slid - s) * ((1.0 - kappa) / tau);
        let bent = s * k + rate * at.damping;
        let most = at.pressing * (law.mu + (law.mu_static - law.mu) * bristle.dwell.clamp(0.0, 1.0));
        let size = bent.norm();
        let force = -if size > most { bent * (most / size) } else { bent };
        let missing = kappa - bristle.dwell;
        let dwell = missing / if missing >= 0.0 { self.dwell_time } else { tau };
        Hold { force, rate: Bristle { deflection: rate, dwell } }
    }
}

/// v/|v|, and v/ε (3 − (|v|/ε)²)/2 below ε.
fn direction(v: Vec3, speed: f64, epsilon: f64) -> Vec3 {
    if speed >= epsilon {
        return v / speed;
    }
    let x = speed / epsilon;
    v * (0.5 * (3.0 - x * x) / epsilon)
}
