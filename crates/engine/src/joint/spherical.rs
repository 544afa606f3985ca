use carom_math::{Pose, Vec3};

use super::{JointMotion, quaternion};

/// R_FM from a quaternion; ω_F = R_FM ω_M. The derivative of R_FM ω_M at constant ω_M is ω × ω = 0.
pub(super) fn motion(q: &[f64]) -> JointMotion {
    let mut motion = JointMotion::none();
    let rotation = quaternion(q).to_matrix();
    motion.pose = Pose { rotation, translation: Vec3::zeros() };
    for k in 0..3 {
        motion.columns[k].angular = rotation.column(k).into_owned();
    }
    motion
}
