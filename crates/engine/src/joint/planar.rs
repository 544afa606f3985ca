use carom_math::{Pose, Twist, Vec3};

use super::{JointMotion, about_z};

/// p_FM = (x, y, 0), R_FM = R_z(θ).
pub(super) fn motion(q: [f64; 3]) -> JointMotion {
    let mut motion = JointMotion::none();
    motion.pose = Pose { rotation: about_z(q[2]), translation: Vec3::new(q[0], q[1], 0.0) };
    motion.columns[0] = Twist::new(Vec3::zeros(), Vec3::x());
    motion.columns[1] = Twist::new(Vec3::zeros(), Vec3::y());
    motion.columns[2] = Twist::new(Vec3::z(), Vec3::zeros());
    motion
}
