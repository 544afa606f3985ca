use std::f64::consts::{FRAC_PI_2, TAU};

use super::loft::{line_to, revolve, revolved_facets};
use super::{Resolution, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Cylinder about z with half balls at the ends, whose centres are at z = ±half_length.
///
/// Divisions: n ≥ 3 points around; the ends and the side are cut into rings as wide as an edge of the equator.
pub fn capsule(radius: f64, half_length: f64, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("radius", radius), ("half_length", half_length)])?;
    let profile = |n: u32| {
        let spacing = TAU * radius / f64::from(n);
        let rings = segments(FRAC_PI_2 * radius, spacing);
        let on_ball = |k: u32| {
            let angle = FRAC_PI_2 * f64::from(k) / f64::from(rings);
            [radius * libm::sin(angle), half_length + radius * libm::cos(angle)]
        };
        let mut profile = vec![[0.0, -half_length - radius]];
        profile.extend((1..rings).map(on_ball).map(|[r, z]| [r, -z]));
        profile.push([radius, -half_length]);
        line_to(&mut profile, [radius, half_length], segments(2.0 * half_length, spacing));
        profile.extend((1..rings).rev().map(on_ball));
        profile.push([0.0, half_length + radius]);
        profile
    };
    let n = resolution.divisions(3, |n| revolved_facets(profile(n).len(), n))?;
    Ok(revolve(&profile(n), n))
}
