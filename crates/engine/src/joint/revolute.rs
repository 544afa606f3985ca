use carom_math::{Pose, Twist, Vec3};

use super::{JointMotion, about_z};

/// R_FM = R_z(θ); ω = z θ̇.
pub(super) fn motion(angle: f64) -> JointMotion {
    let mut motion = JointMotion::none();
    motion.pose = Pose { rotation: about_z(angle), translation: Vec3::zeros() };
    motion.columns[0] = Twist::new(Vec3::z(), Vec3::zeros());
    motion
}
