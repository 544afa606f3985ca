use carom_math::{Pose, Quaternion, Twist, Vec3};

use super::{JointMotion, about_z};

/// R_FM = R_z(θ₁) R_e(θ₂) with the second axis e, fixed in M and in the cross; ω = z θ̇₁ + (R_z(θ₁) e) θ̇₂, whose
/// second column turns about z at θ̇₁.
pub(super) fn motion(second: &Vec3, q: [f64; 2], v: [f64; 2]) -> JointMotion {
    let mut motion = JointMotion::none();
    let first = about_z(q[0]);
    let turned = first * second;
    let rotation = first * Quaternion::from_axis_angle(second, q[1]).to_matrix();
    motion.pose = Pose { rotation, translation: Vec3::zeros() };
    motion.columns[0] = Twist::new(Vec3::z(), Vec3::zeros());
    motion.columns[1] = Twist::new(turned, Vec3::zeros());
    motion.bias.angular = Vec3::z().cross(&turned) * (v[0] * v[1]);
    motion
}
