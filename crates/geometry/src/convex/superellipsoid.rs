//! Superellipsoids are unit balls of nested p-norms, p = 2/e, so that their support function is the nested
//! norm with the dual exponents q = 2/(2 − e):
//! h(n) = ‖(‖(a nₓ, b n_y)‖_q₂, c n_z)‖_q₁. The touching point is its gradient.

use carom_math::{Mat3, Vec3};

/// A component of a direction this small relative to its norm counts as this large in second derivatives,
/// which are infinite there for e < 1, where the surface is flat.
const FLATTEST: f64 = 1e-12;

fn dual_exponent(e: f64) -> f64 {
    2.0 / (2.0 - e)
}

/// Norm (|u|^q + |v|^q)^(1/q) of a pair and its two derivatives.
fn norm_and_gradient(u: f64, v: f64, q: f64) -> (f64, f64, f64) {
    let largest = u.abs().max(v.abs());
    if largest == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    // Scaled, so that powers neither overflow nor vanish.
    let (s, t) = (u.abs() / largest, v.abs() / largest);
    let unit = libm::pow(libm::pow(s, q) + libm::pow(t, q), 1.0 / q);
    let slope = |part: f64, sign: f64| libm::pow(part / unit, q - 1.0).copysign(sign);
    (largest * unit, slope(s, u), slope(t, v))
}

/// Second derivatives N_uu, N_vv, N_uv of the norm.
fn norm_hessian(u: f64, v: f64, q: f64, norm: f64) -> (f64, f64, f64) {
    let s = (u.abs() / norm).max(FLATTEST);
    let t = (v.abs() / norm).max(FLATTEST);
    let factor = (q - 1.0) / norm;
    let mixed = libm::pow(s * t, q - 1.0) * 1.0_f64.copysign(u) * 1.0_f64.copysign(v);
    (
        factor * libm::pow(s, q - 2.0) * libm::pow(t, q),
        factor * libm::pow(t, q - 2.0) * libm::pow(s, q),
        -factor * mixed,
    )
}

/// Touching point of the direction `d`, any length but zero.
pub(super) fn support(semi_axes: &Vec3, exponents: &[f64; 2], d: &Vec3) -> Vec3 {
    let [q1, q2] = exponents.map(dual_exponent);
    let (across, x, y) = norm_and_gradient(semi_axes.x * d.x, semi_axes.y * d.y, q2);
    let (_, out, z) = norm_and_gradient(across, semi_axes.z * d.z, q1);
    Vec3::new(semi_axes.x * out * x, semi_axes.y * out * y, semi_axes.z * z)
}

/// Touching point of the unit normal `n` and the Hessian of the support function, by the chain rule through
/// the two norms.
pub(super) fn moving_point(semi_axes: &Vec3, exponents: &[f64; 2], n: &Vec3) -> (Vec3, Mat3) {
    let [q1, q2] = exponents.map(dual_exponent);
    let (u, v, w) = (semi_axes.x * n.x, semi_axes.y * n.y, semi_axes.z * n.z);
    let (across, x, y) = norm_and_gradient(u, v, q2);
    let (h, out, z) = norm_and_gradient(across, w, q1);
    let point = Vec3::new(semi_axes.x * out * x, semi_axes.y * out * y, semi_axes.z * z);
    let (rr, zz, rz) = norm_hessian(across, w, q1, h);
    let (xx, yy, xy) = if across > 0.0 { norm_hessian(u, v, q2, across) } else { (0.0, 0.0, 0.0) };
    let inner = Mat3::new(
        rr * x * x + out * xx,
        rr * x * y + out * xy,
        rz * x,
        rr * x * y + out * xy,
        rr * y * y + out * yy,
        rz * y,
        rz * x,
        rz * y,
        zz,
    );
    let axes = Mat3::from_diagonal(semi_axes);
    (point, axes * inner * axes)
}
