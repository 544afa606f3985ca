use std::f64::consts::{FRAC_PI_2, TAU};

use super::loft::{line_to, revolve, revolved_facets};
use super::rounded::LEAST_ARCS;
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
    rounded_frustum([radius_low, radius_high], half_length, 0.0, resolution)
}

/// The sum of a frustum and a ball of radius `rounding`: the outline moved out by it, with arcs about its corners.
pub(super) fn rounded_frustum(
    [radius_low, radius_high]: [f64; 2],
    half_length: f64,
    rounding: f64,
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
    // From the side's normal to the plane across the axis.
    let lean = libm::atan2(radius_low - radius_high, 2.0 * half_length);
    let profile = |n: u32| {
        let spacing = TAU * (largest + rounding) / f64::from(n);
        let mut profile = vec![[0.0, -half_length - rounding]];
        if radius_low > 0.0 {
            line_to(&mut profile, [radius_low, -half_length - rounding], segments(radius_low, spacing));
        }
        let arc = |profile: &mut Vec<[f64; 2]>, centre: [f64; 2], from: f64, to: f64| {
            if rounding > 0.0 {
                let pieces = segments(rounding * (to - from), spacing).max(LEAST_ARCS);
                arc_about(profile, centre, rounding, [from, to], pieces);
            }
        };
        arc(&mut profile, [radius_low, -half_length], -FRAC_PI_2, lean);
        let end = [radius_high + rounding * libm::cos(lean), half_length + rounding * libm::sin(lean)];
        line_to(
            &mut profile,
            if rounding > 0.0 { end } else { [radius_high, half_length] },
            segments(slant, spacing),
        );
        arc(&mut profile, [radius_high, half_length], lean, FRAC_PI_2);
        if radius_high > 0.0 {
            line_to(&mut profile, [0.0, half_length + rounding], segments(radius_high, spacing));
        }
        if let Some(last) = profile.last_mut() {
            // The end of an arc about an apex, to rounding.
            last[0] = 0.0;
        }
        profile
    };
    let n = resolution.divisions(3, |n| revolved_facets(profile(n).len(), n))?;
    Ok(revolve(&profile(n), n))
}

/// Adds the points that cut an arc into n equal parts, its end included. Angles are from the r axis (rad).
fn arc_about(profile: &mut Vec<[f64; 2]>, [r, z]: [f64; 2], radius: f64, [from, to]: [f64; 2], n: u32) {
    profile.extend((1..=n).map(|k| {
        let angle = from + (to - from) * f64::from(k) / f64::from(n);
        [r + radius * libm::cos(angle), z + radius * libm::sin(angle)]
    }));
}
