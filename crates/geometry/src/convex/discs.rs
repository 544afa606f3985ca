use carom_math::{Mat3, Vec3};

use super::core::SurfacePoint;

/// Sine of the angle between a direction and the axis of a disc below which the whole disc is the support:
/// what rounding leaves of zero.
const FLAT: f64 = 4.0 * f64::EPSILON;

/// Sine below which the rim of a disc does not count as a curve that moves with the normal: the radius of
/// curvature R/sin grows past 10⁶ R, and the cap is what touches.
const CAP: f64 = 1e-6;

/// A disc across the z axis; radius 0 is a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disc {
    /// Centre (m).
    pub(super) centre: Vec3,
    /// Radius ≥ 0 (m).
    pub(super) radius: f64,
}

/// Up to four parallel discs across z; their convex hull is a cylinder, a frustum, a cone or a beam.
/// Branch k is the rim of disc k.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discs {
    discs: [Disc; 4],
    count: usize,
}

impl Discs {
    pub(super) fn two([low, high]: [Disc; 2]) -> Self {
        Self { discs: [low, high, low, high], count: 2 }
    }

    /// Ends at x = ±half_length, faces at z = ±half_thickness; bits 0 and 1 of the index choose +x and +z.
    pub(super) fn beam(half_length: f64, half_width: f64, half_thickness: f64) -> Self {
        let disc = |x: f64, z: f64| Disc { centre: Vec3::new(x, 0.0, z), radius: half_width };
        let (x, z) = (half_length, half_thickness);
        Self { discs: [disc(-x, -z), disc(x, -z), disc(-x, z), disc(x, z)], count: 4 }
    }

    pub(super) fn as_slice(&self) -> &[Disc] {
        &self.discs[..self.count]
    }

    /// Farthest point along `d`; of equally far discs the first.
    pub(super) fn support(&self, d: &Vec3) -> SurfacePoint {
        let across = (d.x * d.x + d.y * d.y).sqrt();
        let (mut best, mut branch) = (f64::NEG_INFINITY, 0);
        for (index, disc) in self.as_slice().iter().enumerate() {
            let reach = disc.centre.dot(d) + disc.radius * across;
            if reach > best {
                (best, branch) = (reach, index);
            }
        }
        let disc = &self.discs[branch];
        let mut point = disc.centre;
        if across > FLAT * d.z.abs() {
            point.x += disc.radius * d.x / across;
            point.y += disc.radius * d.y / across;
        }
        SurfacePoint { point, branch: branch as u32 }
    }

    /// See [`super::Core::moving_point`]: the rim has the radius of curvature R/sin along its tangent.
    pub(super) fn moving_point(&self, branch: u32, n: &Vec3) -> Option<(Vec3, Mat3)> {
        let disc = &self.discs[branch as usize];
        let across = (n.x * n.x + n.y * n.y).sqrt();
        if disc.radius == 0.0 || across < CAP {
            return None;
        }
        let (x, y) = (n.x / across, n.y / across);
        let tangent = Vec3::new(-y, x, 0.0);
        let point = disc.centre + disc.radius * Vec3::new(x, y, 0.0);
        Some((point, disc.radius / across * tangent * tangent.transpose()))
    }
}
