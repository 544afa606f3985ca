//! Poses and velocities of bodies.

use carom_math::{Mat3, Pose, Vec3};

use crate::mechanics::joint;

/// Pose and velocity of a body's centre-of-mass frame C, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyKinematics {
    /// `X_WC`.
    pub(crate) pose: Pose,
    /// Velocity of the centre of mass (m/s).
    pub(crate) velocity: Vec3,
    /// Angular velocity (rad/s).
    pub(crate) angular_velocity: Vec3,
}

impl BodyKinematics {
    /// At rest at the origin.
    pub(crate) const REST: Self = Self {
        pose: Pose {
            rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
            translation: Vec3::new(0.0, 0.0, 0.0),
        },
        velocity: Vec3::new(0.0, 0.0, 0.0),
        angular_velocity: Vec3::new(0.0, 0.0, 0.0),
    };

    /// From the 13 states of a body.
    #[inline(always)]
    pub(crate) fn from_state(y: &[f64]) -> Self {
        let y: &[f64; 13] = y.try_into().expect("a body has 13 states");
        let rotation = joint::quaternion(&y[3..7]).to_matrix();
        Self {
            pose: Pose { rotation, translation: Vec3::new(y[0], y[1], y[2]) },
            velocity: Vec3::new(y[7], y[8], y[9]),
            angular_velocity: rotation * Vec3::new(y[10], y[11], y[12]),
        }
    }

    /// Velocity of the body-fixed point at `p` (world).
    #[inline]
    pub(crate) fn point_velocity(&self, p: &Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(&(p - self.pose.translation))
    }
}
