use std::f64::consts::TAU;

use super::loft::{line_to, revolve, revolved_facets};
use super::{LENGTH, LENGTH_OR_ZERO, Resolution, check, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Solid cylinder about z between z = ±half_length. Divisions as for [`frustum`].
pub fn cylinder(radius: f64, half_length: f64, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("radius", radius)])?;
    frustum(radius, radius, half_length, resolution)
}

/// Frustum of a circular cone about z between z = ±half_length; a radius of zero makes its apex there.
///
/// Divisions: n ≥ 3 points around; side and ends are cut into rings as wide as an edge of the largest circle.
pub fn frustum(
    radius_low: f64,
    radius_high: f64,
    half_length: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    let largest = radius_low.max(radius_high);
    check(&[
        ("half_length", half_length, half_length > 0.0, LENGTH),
        ("radius_low", radius_low, radius_low >= 0.0, LENGTH_OR_ZERO),
        ("radius_high", radius_high, radius_high >= 0.0, LENGTH_OR_ZERO),
        ("the larger of radius_low and radius_high", largest, largest > 0.0, LENGTH),
    ])?;
    let slant = libm::hypot(radius_high - radius_low, 2.0 * half_length);
    let profile = |n: u32| {
        let spacing = TAU * largest / f64::from(n);
        let mut profile = vec![[0.0, -half_length]];
        if radius_low > 0.0 {
            line_to(&mut profile, [radius_low, -half_length], segments(radius_low, spacing));
        }
        line_to(&mut profile, [radius_high, half_length], segments(slant, spacing));
        if radius_high > 0.0 {
            line_to(&mut profile, [0.0, half_length], segments(radius_high, spacing));
        }
        profile
    };
    let n = resolution.divisions(3, |n| revolved_facets(profile(n).len(), n))?;
    Ok(revolve(&profile(n), n))
}
