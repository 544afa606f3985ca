//! Poses and velocities of bodies from the state.

use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::joint;
use crate::record::BodyState;
use crate::system::System;

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

    /// State of the body's own frame, for results.
    fn body_state(&self, com: &Vec3, orientation: Quaternion) -> BodyState {
        let origin = self.pose.translation - self.pose.rotation * com;
        BodyState {
            position: origin,
            orientation,
            velocity: self.point_velocity(&origin),
            angular_velocity: self.angular_velocity,
        }
    }
}

/// Poses of the surfaces on moving bodies.
pub(crate) fn update_surfaces(system: &System, bodies: &[BodyKinematics], surfaces: &mut [Pose]) {
    for (data, pose) in system.surfaces.iter().zip(surfaces) {
        if system.bodies[data.body].link.is_some() {
            *pose = bodies[data.body].pose.compose(&data.pose);
        }
    }
}

/// States of all bodies' frames at kinematics that belong to the state. Orientations are quaternions that do not jump between
/// states: products along the trees.
pub(crate) fn write_body_states(
    system: &System,
    y: &[f64],
    bodies: &[BodyKinematics],
    states: &mut Vec<BodyState>,
) {
    states.clear();
    let pairs = system.bodies.iter().zip(bodies);
    states.extend(pairs.map(|(data, body)| body.body_state(&data.com, data.orientation)));
    // Parents come before what hangs on them.
    for link in &system.links {
        let own = joint::rotation(link.kind, &y[link.coordinates()]);
        let Some(parent) = link.parent_body else {
            states[link.body].orientation = own.normalized();
            continue;
        };
        let own = if link.reversed { own.conjugate() } else { own };
        let inboard = Quaternion::from_matrix(&link.inboard.rotation);
        let outboard = Quaternion::from_matrix(&link.outboard.rotation).conjugate();
        let parent = states[parent].orientation;
        states[link.body].orientation =
            parent.multiply(&inboard).multiply(&own).multiply(&outboard).normalized();
    }
}

/// The same in a list of its own.
pub(crate) fn body_states(system: &System, y: &[f64], bodies: &[BodyKinematics]) -> Vec<BodyState> {
    let mut states = Vec::with_capacity(bodies.len());
    write_body_states(system, y, bodies, &mut states);
    states
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
    for link in &system.links {
        if let Some((at, _)) = joint::quaternion_at(link.kind) {
            let components = &mut y[link.first_state + at..link.first_state + at + 4];
            let q = joint::quaternion(components).normalized();
            components.copy_from_slice(&[q.w, q.x, q.y, q.z]);
        }
    }
}
