use std::f64::consts::{PI, TAU};

use super::loft::{revolve, revolved_facets};
use super::{Resolution, arc_length, check, check_lengths};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a peanut: a body of revolution about z with two lobes and a waist between them.
///
/// Its radius is r² = (h² − z²)(p + q z² + t z⁴) with the half length h. The waist w, the lobes' radius R and their
/// place z = ±a fix the coefficients: r(0) = w, r(a) = R, r'(a) = 0, so that with g = R²/(h² − a²)
///
/// p = w²/h², q + t a² = (g − p)/a², q + 2 t a² = g/(h² − a²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peanut {
    /// Half of the length along z (m).
    pub half_length: f64,
    /// Largest radius (m).
    pub lobe_radius: f64,
    /// Distance of the largest circles from the middle (m).
    pub lobe_at: f64,
    /// Radius of the waist at z = 0 (m).
    pub waist_radius: f64,
}

impl Peanut {
    /// Coefficients p, q (1/m²) and t (1/m⁴).
    fn coefficients(&self) -> [f64; 3] {
        let a2 = self.lobe_at * self.lobe_at;
        let rest = self.half_length * self.half_length - a2;
        let g = self.lobe_radius * self.lobe_radius / rest;
        let p = self.waist_radius * self.waist_radius / (self.half_length * self.half_length);
        let (one, two) = ((g - p) / a2, g / rest);
        [p, 2.0 * one - two, (two - one) / a2]
    }

    /// (r, z) at a parameter 0 … 1 from the lower end to the upper one: z = −h cos(π s).
    fn profile(&self, s: f64) -> [f64; 2] {
        let [p, q, t] = self.coefficients();
        let z = -self.half_length * libm::cos(PI * s);
        let z2 = z * z;
        let edge = self.half_length * libm::sin(PI * s);
        [edge * (p + z2 * (q + z2 * t)).max(0.0).sqrt(), z]
    }

    /// Positive between its ends, nowhere thicker than the lobes.
    fn check(&self) -> Result<(), ShapeFault> {
        check_lengths(&[
            ("half_length", self.half_length),
            ("lobe_radius", self.lobe_radius),
            ("lobe_at", self.lobe_at),
            ("waist_radius", self.waist_radius),
        ])?;
        let radii = || (1..256).map(|k| self.profile(f64::from(k) / 256.0)[0]);
        let fits = radii().all(|r| r > 0.0 && r <= self.lobe_radius * (1.0 + 1e-12));
        check(&[
            ("lobe_at", self.lobe_at, self.lobe_at < self.half_length, "a length below half_length"),
            (
                "waist_radius",
                self.waist_radius,
                self.waist_radius < self.lobe_radius,
                "a radius below lobe_radius",
            ),
            ("lobe_radius", self.lobe_radius, fits, "a radius that two lobes of this length can have"),
        ])
    }
}

/// Surface of a peanut.
///
/// Divisions: n ≥ 3 points around; the profile is cut into an even number of pieces, so that a ring is at the waist,
/// of equal length, not shorter than an edge of the largest circle. 950 triangles are 25 points around and 20 pieces
/// for a length of 0.4 m, lobes of radius 0.1004 m at ±0.115 m and a waist of radius 0.05 m.
pub fn peanut(peanut: &Peanut, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    peanut.check()?;
    let length = arc_length::length(|s| peanut.profile(s));
    let pieces = |n: u32| 2 * (0.5 * length / (TAU * peanut.lobe_radius) * f64::from(n)).max(1.0) as u32;
    let n = resolution.divisions(3, |n| revolved_facets(pieces(n) as usize + 1, n))?;
    let profile: Vec<[f64; 2]> = arc_length::equal_pieces(|s| peanut.profile(s), pieces(n))
        .into_iter()
        .map(|s| peanut.profile(s))
        .collect();
    Ok(revolve(&profile, n))
}
