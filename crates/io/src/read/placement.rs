use carom_math::{Mat3, Quaternion, Vec3};

use super::Section;

/// Where a frame is in the world and how it moves, as `pos`, `rot`, `vel` and `omega` state it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) position: Vec3,
    pub(crate) orientation: Quaternion,
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    /// The file gives `pos` or `rot`.
    pub(crate) pose_stated: bool,
    /// The file gives `vel` or `omega`.
    pub(crate) velocity_stated: bool,
}

impl Placement {
    /// The world itself.
    pub(crate) const WORLD: Self = Self {
        position: Vec3::new(0.0, 0.0, 0.0),
        orientation: Quaternion::IDENTITY,
        velocity: Vec3::new(0.0, 0.0, 0.0),
        angular_velocity: Vec3::new(0.0, 0.0, 0.0),
        pose_stated: false,
        velocity_stated: false,
    };

    /// Reads the four keys of a body or an instance.
    pub(crate) fn read(section: &Section<'_, '_>) -> Self {
        Self {
            position: section.vector_or_default("pos"),
            orientation: section.rotation().unwrap_or(Quaternion::IDENTITY),
            velocity: section.vector_or_default("vel"),
            angular_velocity: section.vector_or_default("omega"),
            pose_stated: section.has("pos") || section.has("rot"),
            velocity_stated: section.has("vel") || section.has("omega"),
        }
    }

    /// A frame B placed in this frame A, seen in the world; A moves as one rigid piece:
    /// v = v_A + ω_A × R p + R v_B, ω = ω_A + R ω_B.
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        let r = self.rotation();
        let arm = r * inner.position;
        Self {
            position: self.position + arm,
            orientation: if self.orientation == Quaternion::IDENTITY {
                inner.orientation
            } else {
                self.orientation.multiply(&inner.orientation).normalized()
            },
            velocity: self.velocity + self.angular_velocity.cross(&arm) + r * inner.velocity,
            angular_velocity: self.angular_velocity + r * inner.angular_velocity,
            pose_stated: self.pose_stated || inner.pose_stated,
            velocity_stated: self.velocity_stated || inner.velocity_stated,
        }
    }

    fn rotation(&self) -> Mat3 {
        if self.orientation == Quaternion::IDENTITY { Mat3::identity() } else { self.orientation.to_matrix() }
    }
}
