use carom_math::{Pose, Vec3};

use crate::ContactPoint;

/// A circle of radius R, or with R = 0 a vertex, at a place in the world, against a half-space whose normal lies in the plane of the model:
/// gap = n·(x − p) − R, the normal −n.
pub(super) fn over_half_space(at: &Vec3, radius: f64, owner: &Pose, half_space: &Pose) -> ContactPoint {
    let outward = half_space.z_axis();
    let gap = outward.dot(&(owner.translation - half_space.translation + at)) - radius;
    let point_a = owner.translation + at - outward * radius;
    ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }
}
