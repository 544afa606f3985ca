/// Ambrósio's law (2003; Corral et al. 2021): F_t = −c_f c_d N v_t/|v_t| with c_d = 0 for |v_t| ≤ v₀, (|v_t|−v₀)/(v₁−v₀) up to
/// v₁, and 1 above.
#[inline]
pub(super) fn ratio(mu: f64, v0: f64, v1: f64, speed: f64) -> f64 {
    if speed >= v1 {
        mu / speed
    } else if v0 == 0.0 {
        mu / v1
    } else if speed <= v0 {
        0.0
    } else {
        mu * (speed - v0) / ((v1 - v0) * speed)
    }
}

/// Derivative of [`ratio`] by the speed.
#[inline]
pub(super) fn slope(mu: f64, v0: f64, v1: f64, speed: f64) -> f64 {
    if speed >= v1 {
        -mu / (speed * speed)
    } else if speed <= v0 || v0 == 0.0 {
        0.0
    } else {
        mu * v0 / ((v1 - v0) * speed * speed)
    }
}
