use std::f64::consts::{FRAC_PI_2, TAU};

use super::loft::{line_to, revolve, revolved_facets};
use super::{LENGTH, Resolution, check, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a bowl: a spherical shell about the origin, open to +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bowl {
    /// Outer radius R (m).
    pub radius: f64,
    /// Thickness t of the wall (m).
    pub thickness: f64,
    /// Height of the flat rim above the lowest point, at z = −R (m).
    pub depth: f64,
}

impl Bowl {
    fn check(&self) -> Result<(), ShapeFault> {
        let Self { radius, thickness, depth } = *self;
        check(&[
            ("radius", radius, radius > 0.0, LENGTH),
            ("thickness", thickness, thickness > 0.0 && thickness < radius, "a length in m below the radius"),
            (
                "depth",
                depth,
                depth > thickness && depth < 2.0 * radius - thickness,
                "a length in m between the thickness and the inner diameter with one wall",
            ),
        ])
    }

    /// Section (r, z) with edges near `spacing`: out along the bottom, across the rim, and in again.
    fn section(&self, spacing: f64) -> Vec<[f64; 2]> {
        let rim = self.depth - self.radius;
        let inner = self.radius - self.thickness;
        // From the pole below up to the rim.
        let angle = |radius: f64| FRAC_PI_2 + libm::asin(rim / radius);
        let on_arc = |radius: f64, angle: f64| [radius * libm::sin(angle), -radius * libm::cos(angle)];
        let pieces = |radius: f64| segments(radius * angle(radius), spacing);
        let share = |k: u32, n: u32| f64::from(k) / f64::from(n);
        let (out, back) = (pieces(self.radius), pieces(inner));
        let mut section = vec![[0.0, -self.radius]];
        section.extend((1..=out).map(|k| on_arc(self.radius, share(k, out) * angle(self.radius))));
        let edge = on_arc(inner, angle(inner));
        let width = section[section.len() - 1][0] - edge[0];
        line_to(&mut section, edge, segments(width, spacing));
        section.extend((1..back).rev().map(|k| on_arc(inner, share(k, back) * angle(inner))));
        section.push([0.0, -inner]);
        section
    }
}

/// Surface of a bowl. Divisions: n ≥ 3 points around; the section is cut into edges as long as those of the largest circle.
pub fn bowl(bowl: &Bowl, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    bowl.check()?;
    let section = |n: u32| bowl.section(TAU * bowl.radius / f64::from(n));
    let n = resolution.divisions(3, |n| revolved_facets(section(n).len(), n))?;
    Ok(revolve(&section(n), n))
}
