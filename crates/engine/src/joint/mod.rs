//! What joints leave free: relative motion from coordinates, and coordinates from relative motion.
//!
//! A joint connects frame F on body A with frame M on body B. Coordinates and their meaning:
//! [`JointKind`].

mod cylindrical;
mod fixed;
mod free;
mod measure;
mod planar;
mod prismatic;
mod revolute;
mod screw;
mod spherical;
mod universal;

use carom_math::{Mat3, Pose, Quaternion, Twist, Vec3};

use crate::model::JointKind;

pub(crate) use measure::{coordinates, nearest_angle, rates, reaction};

/// Motion of M against F, in F's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointMotion {
    /// `X_FM`.
    pub(crate) pose: Pose,
    /// For each freedom the motion at unit velocity, linear part at M's origin.
    pub(crate) columns: [Twist; 6],
    /// Acceleration of M (linear part: its origin's) that remains when the velocities do not change.
    pub(crate) bias: Twist,
}

/// Most coordinates of a joint.
pub(crate) const MAX_COORDINATES: usize = 7;

impl JointMotion {
    /// M stays on F.
    pub(crate) fn none() -> Self {
        Self { pose: Pose::identity(), columns: [Twist::ZERO; 6], bias: Twist::ZERO }
    }

    /// Σ columns · v.
    pub(crate) fn twist(&self, v: &[f64]) -> Twist {
        self.columns.iter().zip(v).fold(Twist::ZERO, |sum, (column, v)| sum + *column * *v)
    }
}

/// Motion across a joint at coordinates `q` with velocities `v`.
pub(crate) fn motion(kind: JointKind, q: &[f64], v: &[f64]) -> JointMotion {
    match kind {
        JointKind::Fixed => fixed::motion(),
        JointKind::Revolute => revolute::motion(q[0]),
        JointKind::Prismatic => prismatic::motion(q[0]),
        JointKind::Cylindrical => cylindrical::motion(q[0], q[1]),
        JointKind::Screw { lead } => screw::motion(lead, q[0]),
        JointKind::Universal { second } => universal::motion(&second, [q[0], q[1]], [v[0], v[1]]),
        JointKind::Spherical => spherical::motion(q),
        JointKind::Planar => planar::motion([q[0], q[1], q[2]]),
        JointKind::Free => free::motion(q),
    }
}

/// Coordinates at which M lies on F.
pub(crate) fn zero(kind: JointKind) -> [f64; MAX_COORDINATES] {
    let mut q = [0.0; MAX_COORDINATES];
    match kind {
        JointKind::Spherical => q[0] = 1.0,
        JointKind::Free => q[3] = 1.0,
        _ => {}
    }
    q
}

/// Where the quaternion of a kind begins among its coordinates and its angular velocity among the freedoms.
pub(crate) fn quaternion_at(kind: JointKind) -> Option<(usize, usize)> {
    match kind {
        JointKind::Spherical => Some((0, 0)),
        JointKind::Free => Some((3, 3)),
        _ => None,
    }
}

/// Rates of the coordinates: q̇ = v, and q̇ = ½ q ⊗ (0, ω) for a quaternion.
pub(crate) fn coordinate_rates(kind: JointKind, q: &[f64], v: &[f64], rates: &mut [f64]) {
    match quaternion_at(kind) {
        None => rates.copy_from_slice(v),
        Some((at, omega)) => {
            rates[..at].copy_from_slice(&v[..at]);
            let rate = quaternion(&q[at..]).rate(&Vec3::new(v[omega], v[omega + 1], v[omega + 2]));
            rates[at..at + 4].copy_from_slice(&[rate.w, rate.x, rate.y, rate.z]);
        }
    }
}

/// Coordinates after a small displacement `d` along the freedoms: q + d, and q ⊗ exp(d) for a quaternion.
pub(crate) fn displace(kind: JointKind, q: &mut [f64], d: &[f64]) {
    let plain = quaternion_at(kind).map_or(q.len(), |(at, _)| at);
    for (q, d) in q[..plain].iter_mut().zip(d) {
        *q += d;
    }
    if let Some((at, omega)) = quaternion_at(kind) {
        let turn = Quaternion::from_rotation_vector(&Vec3::new(d[omega], d[omega + 1], d[omega + 2]));
        let turned = quaternion(&q[at..]).multiply(&turn).normalized();
        q[at..at + 4].copy_from_slice(&[turned.w, turned.x, turned.y, turned.z]);
    }
}

/// Rotation R_FM as a quaternion, continuous in the coordinates.
pub(crate) fn rotation(kind: JointKind, q: &[f64]) -> Quaternion {
    match kind {
        JointKind::Fixed | JointKind::Prismatic => Quaternion::IDENTITY,
        JointKind::Revolute | JointKind::Cylindrical | JointKind::Screw { .. } => {
            Quaternion::from_axis_angle(&Vec3::z(), q[0])
        }
        JointKind::Universal { second } => {
            let first = Quaternion::from_axis_angle(&Vec3::z(), q[0]);
            first.multiply(&Quaternion::from_axis_angle(&second, q[1]))
        }
        JointKind::Planar => Quaternion::from_axis_angle(&Vec3::z(), q[2]),
        JointKind::Spherical => quaternion(q),
        JointKind::Free => quaternion(&q[3..]),
    }
}

/// The four components at the start of a slice.
pub(crate) fn quaternion(q: &[f64]) -> Quaternion {
    Quaternion::new(q[0], q[1], q[2], q[3])
}

/// Rotation about z.
fn about_z(angle: f64) -> Mat3 {
    let (s, c) = libm::sincos(angle);
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

#[cfg(test)]
mod tests;
