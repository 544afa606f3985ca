use carom_math::Vec3;

use super::core::{Moving, SurfacePoint};

/// Sine of the angle between a direction and the axis of a disc below which the whole disc is the support:
/// what rounding leaves of zero.
const FLAT: f64 = 4.0 * f64::EPSILON;

/// Sine below which the rim of a disc does not count as a curve that moves with the normal: the radius of
/// curvature R/sin grows past 10⁶ R, and the cap is what touches.
const CAP: f64 = 1e-6;

/// A disc across the z axis; radius 0 is a corner. Cylinders, frusta, cones and beams are convex hulls of two or
/// four of them; branch k is the rim of disc k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disc {
    /// Centre (m).
    pub(super) centre: Vec3,
    /// Radius ≥ 0 (m).
    pub(super) radius: f64,
}

impl Disc {
    /// Disc of a frustum: 0 the low one, 1 the high one.
    #[inline]
    pub(super) fn of_frustum(low: f64, high: f64, half_length: f64, branch: u32) -> Self {
        let (z, radius) = if branch == 0 { (-half_length, low) } else { (half_length, high) };
        Self { centre: Vec3::new(0.0, 0.0, z), radius }
    }

    /// Disc of a beam: bits 0 and 1 of the branch choose +x and +z.
    #[inline]
    pub(super) fn of_beam(half_length: f64, half_width: f64, half_thickness: f64, branch: u32) -> Self {
        let signed = |bit: u32, length: f64| if branch >> bit & 1 == 1 { length } else { -length };
        let centre = Vec3::new(signed(0, half_length), 0.0, signed(1, half_thickness));
        Self { centre, radius: half_width }
    }

    /// Farthest point along `d`; the centre if the whole disc is.
    #[inline]
    pub(super) fn support(&self, d: &Vec3, branch: u32) -> SurfacePoint {
        let across = (d.x * d.x + d.y * d.y).sqrt();
        let mut point = self.centre;
        if across > FLAT * d.z.abs() {
            let reach = self.radius / across;
            point.x += reach * d.x;
            point.y += reach * d.y;
        }
        SurfacePoint { point, branch }
    }

    /// Whether the rim is a curve that moves with the unit normal `n`.
    #[inline]
    pub(super) fn moves(&self, n: &Vec3) -> bool {
        self.radius > 0.0 && n.x * n.x + n.y * n.y >= CAP * CAP
    }

    /// See [`super::Core::moving_point`]: the rim has the radius of curvature R/sin along its tangent.
    #[inline]
    pub(super) fn moving_point(&self, n: &Vec3, [t1, t2]: [&Vec3; 2]) -> Option<Moving> {
        if !self.moves(n) {
            return None;
        }
        let across = (n.x * n.x + n.y * n.y).sqrt();
        let (x, y) = (n.x / across, n.y / across);
        let point = self.centre + Vec3::new(self.radius * x, self.radius * y, 0.0);
        let along = |t: &Vec3| x * t.y - y * t.x;
        let (u, v, rho) = (along(t1), along(t2), self.radius / across);
        Some(Moving { point, radii: [rho * u * u, rho * u * v, rho * v * v] })
    }
}
