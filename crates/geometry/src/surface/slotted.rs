use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use carom_math::Vec3;

use super::pierced::{
    face_between, lines_between, mirrored_outline, rectangle_outline, ring_loop, rings_between, share_of,
};
use super::{LENGTH, Resolution, check, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a rectangular plate with a slot through it, both about the z axis and along x, the plate between z = ±thickness/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlottedPlate {
    /// Along x (m).
    pub length: f64,
    /// Along y (m).
    pub width: f64,
    /// Along z (m).
    pub thickness: f64,
    /// Length of the slot along x, over its round ends (m).
    pub slot_length: f64,
    /// Width of the slot along y: the diameter of its ends (m).
    pub slot_width: f64,
}

impl SlottedPlate {
    fn check(&self) -> Result<(), ShapeFault> {
        let Self { length, width, thickness, slot_length, slot_width } = *self;
        check(&[
            ("length", length, length > 0.0, LENGTH),
            ("width", width, width > 0.0, LENGTH),
            ("thickness", thickness, thickness > 0.0, LENGTH),
            (
                "slot_width",
                slot_width,
                slot_width > 0.0 && slot_width < width,
                "a length in m below the width",
            ),
            (
                "slot_length",
                slot_length,
                slot_length > slot_width && slot_length < length,
                "a length in m between slot_width and the length",
            ),
        ])
    }

    /// The slot's outline: two half circles and the straight pieces between them.
    fn slot(&self, n: u32) -> Vec<[f64; 2]> {
        let (radius, straight) = (0.5 * self.slot_width, 0.5 * (self.slot_length - self.slot_width));
        let quarter = n / 4;
        let round = 2.0 * FRAC_PI_4 * radius;
        let on_arc = share_of(quarter, round / (round + straight));
        mirrored_outline(n, |k| {
            if k <= on_arc {
                let angle = FRAC_PI_2 * f64::from(k) / f64::from(on_arc);
                [straight + radius * libm::cos(angle), radius * libm::sin(angle)]
            } else {
                [straight * f64::from(quarter - k) / f64::from(quarter - on_arc), radius]
            }
        })
    }

    /// The upper rings, outside and inside, and into how many pieces the thickness is cut.
    fn upper(&self, n: u32) -> ([Vec<Vec3>; 2], u32) {
        let half = [0.5 * self.length, 0.5 * self.width];
        let raise = |outline: Vec<[f64; 2]>| -> Vec<Vec3> {
            outline.into_iter().map(|[x, y]| Vec3::new(x, y, 0.5 * self.thickness)).collect()
        };
        let edge = 2.0 * (self.slot_length + self.slot_width) / f64::from(n);
        ([raise(rectangle_outline(half, n)), raise(self.slot(n))], segments(self.thickness, edge))
    }
}

/// Surface of a slotted plate.
///
/// Divisions: n ≥ 2 points on each quarter of the slot and of the plate's sides; rings between them, and rows over the thickness,
/// as wide as these are apart.
pub fn slotted_plate(plate: &SlottedPlate, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    plate.check()?;
    let count = |n: u32| {
        let ([outer, inner], rows) = plate.upper(4 * n);
        8 * n as usize * 2 * (rings_between(&outer, &inner) + 1 + rows) as usize
    };
    let n = 4 * resolution.divisions(2, count)?;
    let ([outer, inner], rows) = plate.upper(n);
    let lower = |ring: &[Vec3]| -> Vec<Vec3> { ring.iter().map(|p| Vec3::new(p.x, p.y, -p.z)).collect() };
    let face = face_between(&outer, &inner);
    let (outer_below, inner_below) = (lower(&outer), lower(&inner));
    let mut rings = vec![outer.clone()];
    rings.extend(face.iter().cloned());
    rings.push(inner.clone());
    rings.extend(lines_between(&inner, &inner_below, rows));
    rings.push(inner_below);
    rings.extend(face.iter().rev().map(|ring| lower(ring)));
    rings.extend([outer_below.clone()]);
    rings.extend(lines_between(&outer_below, &outer, rows));
    Ok(ring_loop(&rings))
}
