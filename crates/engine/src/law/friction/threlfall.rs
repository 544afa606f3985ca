use libm::expm1;

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
