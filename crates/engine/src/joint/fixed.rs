use super::JointMotion;

/// M lies on F.
pub(super) fn motion() -> JointMotion {
    JointMotion::none()
}
