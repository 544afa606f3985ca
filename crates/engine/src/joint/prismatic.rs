use carom_math::{Pose, Twist, Vec3};

use super::JointMotion;

/// p_FM = z s; v = z ṡ.
pub(super) fn motion(displacement: f64) -> JointMotion {
    let mut motion = JointMotion::none();
    motion.pose = Pose::from_translation(Vec3::z() * displacement);
    motion.columns[0] = Twist::new(Vec3::zeros(), Vec3::z());
    motion
}
