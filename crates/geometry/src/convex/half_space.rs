use carom_math::Pose;

use super::ConvexShape;
use crate::ContactPoint;

/// Contact of a convex solid A with a half-space B (solid z ≤ 0 in its frame): the lowest point of the solid.
///
/// With the outward unit normal n of the half-space and a point p of its surface, gap = n·(x − p) − r (m) for the
/// point x of the core that is lowest along n, exact to rounding. The normal is −n. Where a whole face or
/// edge is lowest its points are told apart by [`super::find_half_space_manifold`].
pub fn find_half_space_contact(a: &ConvexShape, x_wa: &Pose, x_wb: &Pose) -> ContactPoint {
    let outward = x_wb.z_axis();
    let down = -x_wa.rotation.tr_mul(&outward);
    let lowest = x_wa.rotation * a.core.support(&down, 0).point;
    let gap = outward.dot(&(x_wa.translation - x_wb.translation + lowest)) - a.radius;
    let point_a = x_wa.translation + lowest - a.radius * outward;
    ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }
}
