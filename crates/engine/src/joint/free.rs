use carom_math::{Pose, Twist, Vec3};

use super::{JointMotion, quaternion};

/// p_FM and R_FM; v in F's axes, ω in M's.
pub(super) fn motion(q: &[f64]) -> JointMotion {
    let mut motion = JointMotion::none();
    let rotation = quaternion(&q[3..]).to_matrix();
    motion.pose = Pose { rotation, translation: Vec3::new(q[0], q[1], q[2]) };
    motion.columns[0] = Twist::new(Vec3::zeros(), Vec3::x());
    motion.columns[1] = Twist::new(Vec3::zeros(), Vec3::y());
    motion.columns[2] = Twist::new(Vec3::zeros(), Vec3::z());
    for k in 0..3 {
        motion.columns[3 + k] = Twist::new(rotation.column(k).into_owned(), Vec3::zeros());
    }
    motion
}
