//! Which of the sides that meet at a corner something meets that comes to it.

use carom_math::Vec3;

/// What a corner slides on whose solid is `inside` of it: the normal across its velocity.
pub(crate) fn ground_of(velocity: &Vec3, inside: &Vec3) -> Vec3 {
    velocity.try_normalize(0.0).map_or(*inside, |along| inside - along * along.dot(inside))
}

/// How fast a corner goes on that meets a side with this normal (m/s), more where it leaves that, while a `ground` that pushes along its normal holds it as well:
/// at the bottom of a valley it can go up the other slope, and not along the upright seam between both.
pub(crate) fn kept_speed(normal: &Vec3, velocity: &Vec3, ground: &Vec3) -> f64 {
    let leaves = normal.dot(velocity);
    if leaves >= 0.0 {
        return velocity.norm() + leaves;
    }
    let slid = velocity - normal * leaves;
    if ground.dot(&slid) >= 0.0 {
        return slid.norm();
    }
    let between = normal.cross(ground).try_normalize(0.0);
    between.map_or(0.0, |between| between.dot(velocity).abs())
}
