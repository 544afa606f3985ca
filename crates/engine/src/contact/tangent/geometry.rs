//! How normal and position of a contact point move with B while A stays.

use carom_math::{Pose, Quaternion, Vec3};

use super::unit_twist;
use crate::contact::point::kernel_point;
use crate::contact::{Evaluator, PointMotion};
use crate::system::SurfacePair;

/// Increment of the differences, in radians or shares of the smallest shape: cuts off and rounds at 1e-10 or below.
const INCREMENT: f64 = 1e-6;

/// Derivatives by the displacement of B, by column as in [`super::ContactTangent`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PointRates {
    pub(super) normal: [Vec3; 6],
    pub(super) position: [Vec3; 6],
}

/// Central differences of the pair's kernel, which costs next to nothing and knows its own curvatures. Displacements are
/// about `at`.
pub(super) fn rates_by_differences(
    evaluator: &Evaluator<'_>,
    pair: &SurfacePair,
    feature: usize,
    at: &Vec3,
) -> PointRates {
    let system = &*evaluator.system;
    let [first, second] = pair.kernel_order;
    let of_b = usize::from(!pair.swapped);
    let length = INCREMENT * system.scales.length;
    let point = |column: usize, sign: f64| {
        let mut unit = unit_twist(column);
        unit.angular *= sign * INCREMENT;
        unit.linear *= sign * length;
        let mut poses = [first, second].map(|surface| evaluator.surfaces[surface]);
        displace(&mut poses[of_b], &unit.angular, &unit.linear, at);
        let shapes = [first, second].map(|surface| &system.surfaces[surface].shape);
        kernel_point(pair, feature, shapes, [&poses[0], &poses[1]])
    };
    let mut rates = PointRates { normal: [Vec3::zeros(); 6], position: [Vec3::zeros(); 6] };
    for column in 0..6 {
        let (before, after) = (point(column, -1.0), point(column, 1.0));
        let increment = if column < 3 { INCREMENT } else { length };
        rates.normal[column] = (after.normal - before.normal) / (2.0 * increment);
        rates.position[column] = (after.position() - before.position()) / (2.0 * increment);
    }
    rates
}

/// Turns a pose by a small rotation vector about a point, and shifts it.
pub(super) fn displace(pose: &mut Pose, angular: &Vec3, linear: &Vec3, at: &Vec3) {
    let rotation = Quaternion::from_rotation_vector(angular).to_matrix();
    pose.translation = at + linear + rotation * (pose.translation - at);
    pose.rotation = rotation * pose.rotation;
}

/// Points of manifolds of convex solids are taken to move, and their normals to turn, half with A and half with B: what
/// curvature and clipping add to that is left out.
pub(super) fn rates_halfway(motion: &PointMotion, at: &Vec3) -> PointRates {
    let arm = motion.position - at;
    PointRates {
        normal: std::array::from_fn(|column| 0.5 * unit_twist(column).angular.cross(&motion.normal)),
        position: std::array::from_fn(|column| 0.5 * unit_twist(column).shifted(&arm).linear),
    }
}
