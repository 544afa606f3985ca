use carom_geometry::ContactPoint;
use carom_math::{Pose, Vec3};

use crate::mechanics::kinematics::BodyKinematics;
use crate::system::SurfacePair;

/// A contact point with its relative motion, in world axes, for the model's A and B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointMotion {
    /// Signed distance (m).
    pub(crate) gap: f64,
    /// Unit normal A→B.
    pub(crate) normal: Vec3,
    /// Where forces act (m).
    pub(crate) position: Vec3,
    /// Approach speed δ̇ = n·(v_A − v_B) (m/s). The gap's rate is −δ̇ exactly: by the envelope theorem the
    /// surface points need not be differentiated.
    pub(crate) approach: f64,
    /// Tangential velocity of B against A (m/s).
    pub(crate) sliding: Vec3,
    /// Largest coordinate or distance in the gap, whose units in the last place bound its rounding (m).
    pub(crate) operands: f64,
}

impl PointMotion {
    /// Velocity of B against A (m/s).
    pub(crate) fn velocity(&self) -> Vec3 {
        self.sliding - self.normal * self.approach
    }

    /// That of a contact which never closes.
    pub(crate) const NEVER: Self = Self {
        gap: f64::MAX,
        normal: Vec3::new(0.0, 0.0, 0.0),
        position: Vec3::new(0.0, 0.0, 0.0),
        approach: 0.0,
        sliding: Vec3::new(0.0, 0.0, 0.0),
        operands: 0.0,
    };
}

/// Contact point of a feature and its motion. Surface poses in the kernel's order, bodies in the model's.
#[inline]
pub(crate) fn point_motion(
    pair: &SurfacePair,
    feature: usize,
    shapes: [&carom_geometry::Shape; 2],
    poses: [&Pose; 2],
    bodies: [&BodyKinematics; 2],
) -> PointMotion {
    let point = kernel_point(pair, feature, shapes, poses);
    let operands = poses[0].translation.amax().max(poses[1].translation.amax());
    motion_at(&point, bodies, operands.max(point.position().amax()))
}

/// Contact point of a feature, from the model's A to B. Surface poses in the kernel's order.
#[inline]
pub(crate) fn kernel_point(
    pair: &SurfacePair,
    feature: usize,
    shapes: [&carom_geometry::Shape; 2],
    poses: [&Pose; 2],
) -> ContactPoint {
    let found = (pair.kernel.point)(shapes[0], poses[0], shapes[1], poses[1], feature);
    let point = found.expect("the pair was compiled with the kernel of its kinds");
    if pair.swapped { point.swapped() } else { point }
}

/// Motion at a contact point of the model's A and B.
#[inline]
pub(crate) fn motion_at(point: &ContactPoint, bodies: [&BodyKinematics; 2], operands: f64) -> PointMotion {
    let position = point.position();
    let relative = bodies[1].point_velocity(&position) - bodies[0].point_velocity(&position);
    let separation = point.normal.dot(&relative);
    PointMotion {
        gap: point.gap,
        normal: point.normal,
        position,
        approach: -separation,
        sliding: relative - point.normal * separation,
        operands,
    }
}
