//! What joints leave free: relative motion from coordinates, and coordinates from relative motion.
//!
//! A joint connects frame F on body A with frame M on body B. Coordinates and their meaning:
//! [`JointKind`].

mod measure;

use carom_math::{Mat3, Pose, Quaternion, Twist, Vec3};

use crate::model::{JointKind, Sliding, Turning};

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

/// Motion across a joint at coordinates `q` with velocities `v`: what it turns, and on top what it is displaced.
pub(crate) fn motion(kind: JointKind, q: &[f64], v: &[f64]) -> JointMotion {
    let mut motion = JointMotion::none();
    match kind.turning() {
        Turning::None => {}
        // R_FM = R_z(θ); ω = z θ̇.
        Turning::AboutZ { at } => {
            motion.pose.rotation = about_z(q[at]);
            motion.columns[at].angular = Vec3::z();
        }
        // R_FM = R_z(θ₁) R_e(θ₂) with the second axis e, fixed in M and in the cross; ω = z θ̇₁ + (R_z(θ₁) e) θ̇₂, whose
        // second column turns about z at θ̇₁.
        Turning::Cardan { second } => {
            let first = about_z(q[0]);
            let turned = first * second;
            motion.pose.rotation = first * Quaternion::from_axis_angle(&second, q[1]).to_matrix();
            motion.columns[0].angular = Vec3::z();
            motion.columns[1].angular = turned;
            motion.bias.angular = Vec3::z().cross(&turned) * (v[0] * v[1]);
        }
        // ω_F = R_FM ω_M. The derivative of R_FM ω_M at constant ω_M is ω × ω = 0.
        Turning::Ball { at } => {
            let rotation = quaternion(&q[at..]).to_matrix();
            for k in 0..3 {
                motion.columns[at + k].angular = rotation.column(k).into_owned();
            }
            motion.pose.rotation = rotation;
        }
    }
    match kind.sliding() {
        Sliding::None => {}
        Sliding::Along { at, axes } => {
            for (k, &axis) in axes.iter().enumerate() {
                motion.pose.translation[axis] = q[at + k];
                motion.columns[at + k].linear[axis] = 1.0;
            }
        }
        // p_FM = z p θ with the lead p (m/rad); v = z p θ̇.
        Sliding::Thread { lead } => {
            motion.pose.translation.z = lead * q[0];
            motion.columns[0].linear.z = lead;
        }
    }
    motion
}

/// Coordinates at which M lies on F.
pub(crate) fn zero(kind: JointKind) -> [f64; MAX_COORDINATES] {
    let mut q = [0.0; MAX_COORDINATES];
    if let Turning::Ball { at } = kind.turning() {
        q[at] = 1.0;
    }
    q
}

/// Where the quaternion of a kind begins among its coordinates and its angular velocity among the freedoms.
pub(crate) fn quaternion_at(kind: JointKind) -> Option<(usize, usize)> {
    match kind.turning() {
        Turning::Ball { at } => Some((at, at)),
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
    match kind.turning() {
        Turning::None => Quaternion::IDENTITY,
        Turning::AboutZ { at } => Quaternion::from_axis_angle(&Vec3::z(), q[at]),
        Turning::Cardan { second } => {
            let first = Quaternion::from_axis_angle(&Vec3::z(), q[0]);
            first.multiply(&Quaternion::from_axis_angle(&second, q[1]))
        }
        Turning::Ball { at } => quaternion(&q[at..]),
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
