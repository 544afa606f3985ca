use carom_math::Vec3;
use libm::exp;

use super::grip::{Bristle, BristleLaw, Grip, Hold};

/// The hold of a bristle gives way from this share of its largest deflection on, and wholly at it.
const YIELDS: f64 = 0.9;
/// Share of v_stick below which it hardly does: at rest the rates are smooth.
const AT_REST: f64 = 0.1;

/// Friction that sticks (Dopico et al. 2010, eq. 2–5, with a bristle that creates no energy): of the force −μ_d N v/|v| of
/// sliding and that of a bristle, blended by κ = exp(−|v|²/v_stick²),
///
/// F = κ F_stick − (1−κ) μ_d N v/|v|, F_stick = −(k_t s_c + η c_t v),
/// ṡ = κ (v − α p ŝ) + (1−κ) (s_d v − |v| s)/(s_d + τ |v|) − max(0, |s| − s_max) ŝ/τ,
///
/// where ŝ = s/|s|, s_max = μ_s N/k_t, s_d = μ_d N/k_t, τ = c_t/k_t, s_c = s min(1, s_max/|s|), p = x max(x/(x + v_stick/10),
/// 1 − s_max/|s|) with x = max(0, ŝ·v), α rises smoothly from 0 to 1 between 0.9 s_max and s_max, and η ∈ [0, 1] is the
/// largest with |F_stick| ≤ μ_s N. While it slides, the bristle goes to s_d v/|v|, so that it holds at once when the motion ends.
///
/// With V = ½ k_t |s|² it is F·v + V̇ ≤ 0 and |F| ≤ μ_s N for all s, v and N. Of the blend's κ part V̇ takes at most
/// what the bristle holds back, as α p stops what s_max cuts off. Of the other part it takes k_t (1−κ) |v| (|s| s_d −
/// |s|²)/(s_d + τ |v|) ≤ (1−κ) μ_d N |v|/4, and friction loses four times that. Where it slides no rate is faster than 1/τ:
/// explicit methods need not follow |v|/s_d. At rest nothing creeps, whatever s is below s_max.
pub(super) fn hold(law: &BristleLaw, at: &Grip, s: Vec3) -> Hold {
    let k = law.stiffness;
    let [most, least] = [law.mu_static, law.mu].map(|mu| mu * at.pressing);
    let [s_max, s_d] = [most, least].map(|force| force / k);
    let tau = at.damping / k;
    let (v, speed, length) = (at.velocity, at.velocity.norm(), s.norm());
    let direction = if length > 0.0 { s / length } else { s };
    let kappa = exp(-(speed / law.v_stick) * (speed / law.v_stick));

    let along = direction.dot(&v);
    let gives_way = if along > 0.0 {
        let share = (along / (along + AT_REST * law.v_stick)).max(1.0 - s_max / length);
        yielding(length, s_max) * share * along
    } else {
        0.0
    };
    let way = s_d + tau * speed;
    let following = if way > 0.0 { (v * s_d - s * speed) / way } else { Vec3::zeros() };
    let beyond = direction * ((length - s_max).max(0.0) / tau);
    let rate = (v - direction * gives_way) * kappa + following * (1.0 - kappa) - beyond;

    let spring = direction * (k * length.min(s_max));
    let sticking = spring + damper_within(spring, v * at.damping, most);
    let sliding = if speed > 0.0 { v * (least / speed) } else { Vec3::zeros() };
    let force = -(sticking * kappa + sliding * (1.0 - kappa));
    Hold { force, rate: Bristle { deflection: rate, dwell: 0.0 } }
}

/// α: 0 up to 0.9 s_max, 1 from s_max on, smooth between.
fn yielding(length: f64, s_max: f64) -> f64 {
    if length >= s_max {
        return 1.0;
    }
    let x = ((length / s_max - YIELDS) / (1.0 - YIELDS)).max(0.0);
    x * x * (3.0 - 2.0 * x)
}

/// η d with the largest η ∈ [0, 1] for which |spring + η d| ≤ most; the spring alone is within it.
fn damper_within(spring: Vec3, d: Vec3, most: f64) -> Vec3 {
    if (spring + d).norm_squared() <= most * most {
        return d;
    }
    let (along, size) = (spring.dot(&d), d.norm_squared());
    // Of what rests the spring alone is at its bound, and rounding may put it beyond.
    if size == 0.0 {
        return d;
    }
    let room = (most * most - spring.norm_squared()).max(0.0);
    // The root of |spring + η d| = most that does not cancel.
    let root = (along * along + size * room).sqrt();
    let share = if along > 0.0 { room / (along + root) } else { (root - along) / size };
    d * share.clamp(0.0, 1.0)
}
