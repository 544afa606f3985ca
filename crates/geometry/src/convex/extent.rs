use carom_math::Vec3;

use super::Core;
use super::core::length;

/// Cosine of the angle (0.01 rad) up to which a flat face is nearly square to a direction.
const SQUARE: f64 = 0.999_95;

impl Core {
    /// Outward unit normal of the flat face that is squarest to the unit vector `n`, if it is nearly square; `branch`
    /// is a corner of it, for a hull.
    pub(super) fn flat_near(&self, n: &Vec3, branch: u32) -> Option<Vec3> {
        let along = |axis: usize| Vec3::ith(axis, 1.0_f64.copysign(n[axis]));
        let flat = match self {
            Self::Box { .. } => along(n.iamax()),
            Self::Beam { .. } if n.y.abs() > n.z.abs() => along(1),
            Self::Frustum { .. } | Self::Beam { .. } => along(2),
            Self::Hull(hull) => {
                hull.faces_at(branch).map(|face| face.normal).max_by(|f, g| f.dot(n).total_cmp(&g.dot(n)))?
            }
            _ => return None,
        };
        (flat.dot(n) > SQUARE).then_some(flat)
    }

    /// Whether a point lies over the flat face with the normal `flat` of [`Self::flat_near`].
    pub(super) fn is_over_flat(&self, flat: &Vec3, branch: u32, p: &Vec3) -> bool {
        match self {
            Self::Box { half } => (0..3).all(|k| flat[k] != 0.0 || p[k].abs() <= half[k]),
            Self::Frustum { radius_low, radius_high, .. } => {
                length(p.x, p.y) <= if flat.z > 0.0 { *radius_high } else { *radius_low }
            }
            Self::Beam { half_length, half_thickness, .. } if flat.z == 0.0 => {
                p.x.abs() <= *half_length && p.z.abs() <= *half_thickness
            }
            Self::Beam { half_length, half_width, .. } => {
                length((p.x.abs() - half_length).max(0.0), p.y) <= *half_width
            }
            Self::Hull(hull) => hull.faces_at(branch).find(|face| face.normal == *flat).is_some_and(|face| {
                let corner = |k: usize| hull.vertices()[face.corners[k % face.corners.len()] as usize];
                (0..face.corners.len())
                    .all(|k| flat.dot(&(corner(k + 1) - corner(k)).cross(&(p - corner(k)))) >= 0.0)
            }),
            _ => false,
        }
    }

    /// Most corners that a face, or the straight sides and arcs of one, can have.
    pub(super) fn most_face_corners(&self) -> usize {
        match self {
            Self::Hull(hull) => hull.faces().iter().map(|face| face.corners.len()).max().unwrap_or(0),
            _ => 8,
        }
    }

    /// A point well inside the core, in its frame (m).
    pub(super) fn interior(&self) -> Vec3 {
        match self {
            Self::Hull(hull) => hull.centroid(),
            _ => Vec3::zeros(),
        }
    }

    /// Half edge lengths of the smallest box along the core's axes that holds it (m).
    pub(super) fn half_extents(&self) -> Vec3 {
        match self {
            Self::Point => Vec3::zeros(),
            Self::Segment { half_length } => Vec3::new(0.0, 0.0, *half_length),
            Self::Box { half } => *half,
            Self::Frustum { radius_low, radius_high, half_length } => {
                let r = radius_low.max(*radius_high);
                Vec3::new(r, r, *half_length)
            }
            Self::Beam { half_length, half_width, half_thickness } => {
                Vec3::new(half_length + half_width, *half_width, *half_thickness)
            }
            Self::Ellipsoid { semi_axes } | Self::Superellipsoid { semi_axes, .. } => *semi_axes,
            Self::Hull(hull) => {
                let first = hull.vertices()[0];
                let low = hull.vertices().iter().fold(first, |low, v| low.inf(v));
                let high = hull.vertices().iter().fold(first, |high, v| high.sup(v));
                0.5 * (high - low)
            }
        }
    }

    /// Radius of the ball about the core's origin that holds it (m).
    pub(super) fn bounding_radius(&self) -> f64 {
        match self {
            Self::Frustum { radius_low, radius_high, half_length } => {
                length(radius_low.max(*radius_high), *half_length)
            }
            Self::Beam { half_length, half_width, half_thickness } => {
                length(half_length + half_width, *half_thickness)
            }
            Self::Ellipsoid { semi_axes } => semi_axes.max(),
            Self::Hull(hull) => hull.bounding_radius(),
            _ => self.half_extents().norm(),
        }
    }
}
