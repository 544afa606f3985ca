use carom_math::Vec3;

use super::loft::loft;
use super::{LENGTH, Resolution, check, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a chamfered segment of a cylinder: the foot of a rimless wheel.
///
/// The section across y is a segment of a circle, flat side up: the chord, on z = 0 from x = −length/2 to length/2,
/// and the arc below it down to z = −height. It reaches from y = −width/2 to width/2. All sharp edges are cut: those
/// between chord and arc, and those around the two end faces, which are the section shrunk about its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Length of the chord before it is cut (m).
    pub length: f64,
    /// Length along y (m).
    pub width: f64,
    /// Depth of the arc under the chord, at most half the length (m).
    pub height: f64,
    /// Width of the cuts around the end faces, along y and down from the chord (m), where they lie at 45°. The edges
    /// between chord and arc lose twice this on either side.
    pub chamfer: f64,
}

impl Foot {
    /// A foot that a rover of 15 kg walks on: 60 × 43 × 20 mm with cuts of 3 mm. Its surface has 570 triangles at 19
    /// divisions.
    pub const ROVER: Self = Self { length: 0.06, width: 0.043, height: 0.02, chamfer: 0.003 };

    /// Radius of the arc (m).
    pub fn radius(&self) -> f64 {
        (0.25 * self.length * self.length + self.height * self.height) / (2.0 * self.height)
    }

    /// Section (x, z) with edges near `spacing`, counter-clockwise seen from +y: chord, cut, arc, cut.
    fn section(&self, spacing: f64) -> Vec<[f64; 2]> {
        let radius = self.radius();
        let chord = 0.5 * self.length - 2.0 * self.chamfer;
        // Half of the angle under the arc that is left: the whole one less a piece with a chord of two chamfers.
        let angle = libm::asin(0.5 * self.length / radius) - 2.0 * libm::asin(self.chamfer / radius);
        let on_arc =
            |angle: f64| [radius * libm::sin(angle), radius - self.height - radius * libm::cos(angle)];
        let corners = [[-chord, 0.0], [chord, 0.0], on_arc(angle), on_arc(-angle)];
        let cut = segments(libm::hypot(corners[2][0] - chord, corners[2][1]), spacing);
        let mut section = vec![corners[0]];
        super::loft::line_to(&mut section, corners[1], segments(2.0 * chord, spacing));
        super::loft::line_to(&mut section, corners[2], cut);
        let pieces = segments(2.0 * angle * radius, spacing);
        section.extend((1..pieces).map(|k| on_arc(angle * (1.0 - 2.0 * f64::from(k) / f64::from(pieces)))));
        section.push(corners[3]);
        super::loft::line_to(&mut section, corners[0], cut);
        section.pop();
        section
    }

    /// Perimeter of the section (m).
    fn perimeter(&self) -> f64 {
        let section = self.section(self.length / 256.0);
        let after = section.iter().cycle().skip(1);
        section.iter().zip(after).map(|(a, b)| libm::hypot(b[0] - a[0], b[1] - a[1])).sum()
    }

    /// Scale of the end faces: the section less the cuts.
    fn face(&self) -> f64 {
        1.0 - 2.0 * self.chamfer / self.height
    }

    /// Numbers of rings: on each end face, inside each cut, and over the width between the cuts.
    fn rings(&self, spacing: f64) -> (u32, u32, u32) {
        let on_face = segments(0.5 * self.length - self.chamfer, spacing);
        let cut = libm::hypot(self.chamfer, 0.5 * (1.0 - self.face()) * self.length);
        let between = 1 + segments(self.width - 2.0 * self.chamfer, spacing);
        (on_face, segments(cut, spacing) - 1, between)
    }

    fn check(&self) -> Result<(), ShapeFault> {
        check(&[
            ("length", self.length, self.length > 0.0, LENGTH),
            ("width", self.width, self.width > 0.0, LENGTH),
            ("height", self.height, self.height > 0.0, LENGTH),
            ("height", self.height, self.height <= 0.5 * self.length, "at most half the length"),
            ("chamfer", self.chamfer, self.chamfer > 0.0, LENGTH),
            ("chamfer", self.chamfer, self.chamfer < 0.4 * self.width, "below 0.4 of the width"),
            ("chamfer", self.chamfer, self.chamfer < 0.4 * self.height, "below 0.4 of the height"),
        ])
    }
}

/// Surface of a foot.
///
/// Divisions: n ≥ 8 edges around the section, to rounding; the width and the end faces are cut into pieces as
/// long.
pub fn foot(foot: &Foot, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    foot.check()?;
    let perimeter = foot.perimeter();
    let count = |n: u32| {
        let spacing = perimeter / f64::from(n);
        let (on_face, cut, between) = foot.rings(spacing);
        2 * foot.section(spacing).len() * (2 * (on_face + cut) + between) as usize
    };
    let n = resolution.divisions(8, count)?;
    let spacing = perimeter / f64::from(n);
    let section = foot.section(spacing);
    let (on_face, cut, between) = foot.rings(spacing);
    let middle = -0.5 * foot.height;
    let scaled = |share: f64, y: f64| -> Vec<Vec3> {
        section.iter().map(|[x, z]| Vec3::new(share * x, y, middle + share * (z - middle))).collect()
    };
    let end = 0.5 * foot.width;
    let share = |k: u32, n: u32| f64::from(k) / f64::from(n);
    let face = foot.face();
    // From the end face to where the section is whole.
    let in_cut = |k: u32, side: f64| {
        let s = share(k, cut + 1);
        scaled(face + s * (1.0 - face), side * (end - s * foot.chamfer))
    };
    let mut rings = Vec::new();
    rings.extend((1..=on_face).map(|k| scaled(face * share(k, on_face), -end)));
    rings.extend((1..=cut).map(|k| in_cut(k, -1.0)));
    rings.extend((0..between).map(|k| -> Vec<Vec3> {
        let y = (end - foot.chamfer) * (2.0 * share(k, between - 1) - 1.0);
        section.iter().map(|[x, z]| Vec3::new(*x, y, *z)).collect()
    }));
    rings.extend((1..=cut).rev().map(|k| in_cut(k, 1.0)));
    rings.extend((1..=on_face).rev().map(|k| scaled(face * share(k, on_face), end)));
    Ok(loft(Vec3::new(0.0, -end, middle), &rings, Vec3::new(0.0, end, middle)))
}
