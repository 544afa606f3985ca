//! Poses and velocities of bodies from the state.

use carom_math::{Pose, Quaternion, Vec3};

use crate::record::BodyState;
use crate::system::{BodyData, System};

/// Pose and velocity of a body's centre-of-mass frame C, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyKinematics {
    /// `X_WC`.
    pub(crate) pose: Pose,
    /// The orientation behind the pose, as the state has it.
    pub(crate) orientation: Quaternion,
    /// Velocity of the centre of mass (m/s).
    pub(crate) velocity: Vec3,
    /// Angular velocity (rad/s).
    pub(crate) angular_velocity: Vec3,
}

impl BodyKinematics {
    /// From the 13 states of a body.
    #[inline]
    pub(crate) fn from_state(y: &[f64]) -> Self {
        let y: &[f64; 13] = y.try_into().expect("a body has 13 states");
        let orientation = Quaternion::new(y[3], y[4], y[5], y[6]);
        let rotation = orientation.to_matrix();
        Self {
            pose: Pose { rotation, translation: Vec3::new(y[0], y[1], y[2]) },
            orientation,
            velocity: Vec3::new(y[7], y[8], y[9]),
            angular_velocity: rotation * Vec3::new(y[10], y[11], y[12]),
        }
    }

    /// Writes the 13 states.
    pub(crate) fn to_state(self, y: &mut [f64]) {
        let q = self.orientation;
        let omega_body = self.pose.rotation.tr_mul(&self.angular_velocity);
        y[0..3].copy_from_slice(self.pose.translation.as_slice());
        y[3..7].copy_from_slice(&[q.w, q.x, q.y, q.z]);
        y[7..10].copy_from_slice(self.velocity.as_slice());
        y[10..13].copy_from_slice(omega_body.as_slice());
    }

    /// Velocity of the body-fixed point at `p` (world).
    #[inline]
    pub(crate) fn point_velocity(&self, p: &Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(&(p - self.pose.translation))
    }

    /// State of the body's own frame, for results.
    pub(crate) fn body_state(&self, body: &BodyData) -> BodyState {
        let origin = self.pose.translation - self.pose.rotation * body.com;
        BodyState {
            position: origin,
            orientation: self.orientation.normalized(),
            velocity: self.point_velocity(&origin),
            angular_velocity: self.angular_velocity,
        }
    }
}

/// Poses and velocities of all moving bodies, and of the surfaces on them.
pub(crate) fn update(system: &System, y: &[f64], bodies: &mut [BodyKinematics], surfaces: &mut [Pose]) {
    for (data, body) in system.bodies.iter().zip(bodies.iter_mut()) {
        if let Some(first) = data.first_state {
            *body = BodyKinematics::from_state(&y[first..first + 13]);
        }
    }
    for (data, pose) in system.surfaces.iter().zip(surfaces) {
        if system.bodies[data.body].first_state.is_some() {
            *pose = bodies[data.body].pose.compose(&data.pose);
        }
    }
}

/// What is smaller in size than this in an accepted state is zero, in SI units: a body that friction has
/// stopped would else decay into numbers below the normal range, which cost the processor ten times the time.
/// No sum with anything that a model can measure notices.
const NEGLIGIBLE: f64 = 1e-150;

/// Puts the quaternions of an accepted state back to length one, and negligible numbers to zero.
pub(crate) fn normalize(system: &System, y: &mut [f64]) {
    for value in y.iter_mut().filter(|value| value.abs() < NEGLIGIBLE) {
        *value = 0.0;
    }
    for first in system.bodies.iter().filter_map(|b| b.first_state) {
        let q = Quaternion::new(y[first + 3], y[first + 4], y[first + 5], y[first + 6]).normalized();
        y[first + 3..first + 7].copy_from_slice(&[q.w, q.x, q.y, q.z]);
    }
}
