use carom_math::{Pose, Twist, Vec3};

use super::{JointMotion, about_z};

/// R_FM = R_z(θ), p_FM = z s; ω = z θ̇, v = z ṡ.
pub(super) fn motion(angle: f64, displacement: f64) -> JointMotion {
    let mut motion = JointMotion::none();
    motion.pose = Pose { rotation: about_z(angle), translation: Vec3::z() * displacement };
    motion.columns[0] = Twist::new(Vec3::z(), Vec3::zeros());
    motion.columns[1] = Twist::new(Vec3::zeros(), Vec3::z());
    motion
}
