use carom_math::{Pose, Twist, Vec3};

use super::{JointMotion, about_z};

/// R_FM = R_z(θ), p_FM = z p θ with the lead p (m/rad); ω = z θ̇, v = z p θ̇.
pub(super) fn motion(lead: f64, angle: f64) -> JointMotion {
    let mut motion = JointMotion::none();
    motion.pose = Pose { rotation: about_z(angle), translation: Vec3::z() * (lead * angle) };
    motion.columns[0] = Twist::new(Vec3::z(), Vec3::z() * lead);
    motion
}
