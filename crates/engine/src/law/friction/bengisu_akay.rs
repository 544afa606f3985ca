use libm::exp;

/// Bengisu & Akay's law (ASME J. Vib. Acoust. 116 (1994), 163–171): μ(v) = μ_s (1 − (v − v₀)²/v₀²) up to v₀, then
/// μ_k + (μ_s − μ_k) e^(−ξ(v − v₀)).
#[inline]
pub(super) fn ratio(mu_s: f64, mu_k: f64, v0: f64, decay: f64, speed: f64) -> f64 {
    if speed < v0 {
        mu_s * (2.0 - speed / v0) / v0
    } else {
        (mu_k + (mu_s - mu_k) * exp(-decay * (speed - v0))) / speed
    }
}

/// Derivative of [`ratio`] by the speed.
#[inline]
pub(super) fn slope(mu_s: f64, mu_k: f64, v0: f64, decay: f64, speed: f64) -> f64 {
    if speed < v0 {
        -mu_s / (v0 * v0)
    } else {
        let excess = (mu_s - mu_k) * exp(-decay * (speed - v0));
        -(decay * excess + (mu_k + excess) / speed) / speed
    }
}
