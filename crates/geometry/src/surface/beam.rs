use std::f64::consts::PI;

use carom_math::Vec3;

use super::loft::loft;
use super::{Resolution, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Beam along x: a block with half cylinders about z at its ends x = ±half_length, as wide in y as the cylinders'
/// diameter 2·half_width, between z = ±half_thickness.
///
/// Divisions: n ≥ 2 edges on each half circle; the straight sides, the height and the flat ends are cut into
/// pieces as long.
pub fn beam(
    half_length: f64,
    half_width: f64,
    half_thickness: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[
        ("half_length", half_length),
        ("half_width", half_width),
        ("half_thickness", half_thickness),
    ])?;
    let cut = |n: u32| {
        let spacing = PI * half_width / f64::from(n);
        let caps = segments(half_width, spacing);
        (segments(2.0 * half_length, spacing), segments(2.0 * half_thickness, spacing), caps)
    };
    let n = resolution.divisions(2, |n| {
        let (straight, height, caps) = cut(n);
        4 * (n + straight) as usize * (height - 1 + 2 * caps) as usize
    })?;
    let (straight, height, caps) = cut(n);
    let outline = outline(half_length, half_width, n, straight);
    let ring = |scale: f64, z: f64| -> Vec<Vec3> {
        outline.iter().map(|[x, y]| Vec3::new(scale * x, scale * y, z)).collect()
    };
    let share = |k: u32, n: u32| f64::from(k) / f64::from(n);
    let mut rings = Vec::new();
    rings.extend((1..caps).map(|k| ring(share(k, caps), -half_thickness)));
    rings.extend((0..=height).map(|k| ring(1.0, half_thickness * (2.0 * share(k, height) - 1.0))));
    rings.extend((1..caps).rev().map(|k| ring(share(k, caps), half_thickness)));
    Ok(loft(-half_thickness * Vec3::z(), &rings, half_thickness * Vec3::z()))
}

/// Counter-clockwise: right end, upper side, left end, lower side.
fn outline(half_length: f64, half_width: f64, n: u32, straight: u32) -> Vec<[f64; 2]> {
    let mut half: Vec<[f64; 2]> = Vec::new();
    for k in 0..n {
        let angle = PI * (f64::from(k) / f64::from(n) - 0.5);
        half.push([half_length + half_width * libm::cos(angle), half_width * libm::sin(angle)]);
    }
    for k in 0..straight {
        half.push([half_length * (1.0 - 2.0 * f64::from(k) / f64::from(straight)), half_width]);
    }
    let other: Vec<[f64; 2]> = half.iter().map(|[x, y]| [-x, -y]).collect();
    half.extend(other);
    half
}
