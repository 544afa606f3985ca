use carom_math::Vec3;

use super::{Resolution, check, check_lengths, sphere};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

const EXPONENT: &str = "an exponent from 0.05 to 1.95";

/// Superellipsoid f(x, y, z) = ((x/a)^(2/e₂) + (y/b)^(2/e₂))^(e₂/e₁) + (z/c)^(2/e₁) = 1 (Barr 1981): a geodesic sphere
/// whose points are stretched by the semi-axes and moved along their rays by f^(−e₁/2), since f is homogeneous of degree
/// 2/e₁. Divisions as for [`sphere`]. Small exponents make edges, which the triangles cut off.
pub fn superellipsoid(
    semi_axes: Vec3,
    exponents: [f64; 2],
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    rounded_superellipsoid(semi_axes, exponents, 0.0, resolution)
}

/// The sum of a superellipsoid and a ball of radius `rounding`: points moved along the normals, which are the gradient of f.
pub(super) fn rounded_superellipsoid(
    semi_axes: Vec3,
    exponents: [f64; 2],
    rounding: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    let [e1, e2] = exponents;
    let is_exponent = |e: f64| (0.05..=1.95).contains(&e);
    check_lengths(&[
        ("semi_axes.x", semi_axes.x),
        ("semi_axes.y", semi_axes.y),
        ("semi_axes.z", semi_axes.z),
    ])?;
    check(&[
        ("exponents.e1", e1, is_exponent(e1), EXPONENT),
        ("exponents.e2", e2, is_exponent(e2), EXPONENT),
    ])?;
    let mut mesh = sphere(1.0, resolution)?;
    for vertex in &mut mesh.vertices {
        let power = |x: f64, exponent: f64| libm::pow(x.abs(), exponent);
        let across = power(vertex.x, 2.0 / e2) + power(vertex.y, 2.0 / e2);
        let f = libm::pow(across, e2 / e1) + power(vertex.z, 2.0 / e1);
        // Its direction is the same all along a ray.
        let ridge = if across > 0.0 { libm::pow(across, e2 / e1 - 1.0) } else { 0.0 };
        let slope = |x: f64, e: f64| power(x, 2.0 / e - 1.0) * x.signum();
        let gradient = Vec3::new(
            ridge * slope(vertex.x, e2) / semi_axes.x,
            ridge * slope(vertex.y, e2) / semi_axes.y,
            slope(vertex.z, e1) / semi_axes.z,
        );
        *vertex = libm::pow(f, -0.5 * e1) * vertex.component_mul(&semi_axes);
        if rounding > 0.0 {
            *vertex += rounding * gradient.normalize();
        }
    }
    Ok(mesh)
}
