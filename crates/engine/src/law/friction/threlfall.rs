use libm::{exp, expm1};

/// Threlfall's law (Mech. Mach. Theory 13 (1978), 475–483): μ(v) = μ (1 − e^(−3v/v_r))/(1 − e^(−3)) up to v_r, then μ.
/// The paper's 0.95 is 1 − e^(−3), written out here so that the force is continuous.
#[inline]
pub(super) fn ratio(mu: f64, v_reg: f64, speed: f64) -> f64 {
    if speed >= v_reg {
        return mu / speed;
    }
    let full = -expm1(-3.0);
    let x = 3.0 * speed / v_reg;
    if x < 1e-8 { 3.0 * mu / (v_reg * full) } else { -mu * expm1(-x) / (full * speed) }
}

/// Derivative of [`ratio`] by the speed.
#[inline]
pub(super) fn slope(mu: f64, v_reg: f64, speed: f64) -> f64 {
    if speed >= v_reg {
        return -mu / (speed * speed);
    }
    let (full, rate) = (-expm1(-3.0), 3.0 / v_reg);
    let x = rate * speed;
    // (x e⁻ˣ + e⁻ˣ − 1)/x², by its series where that cancels.
    let shape = if x < 1e-2 {
        -0.5 + x * (1.0 / 3.0 + x * (-1.0 / 8.0 + x * (1.0 / 30.0 - x / 144.0)))
    } else {
        (x * exp(-x) + expm1(-x)) / (x * x)
    };
    mu * rate * rate / full * shape
}
