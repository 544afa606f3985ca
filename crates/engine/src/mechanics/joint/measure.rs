//! Coordinates and velocities of a joint from the relative motion of its frames, for joints that carry no body
//! and for starts given by poses.

use std::f64::consts::TAU;

use carom_math::{Pose, Quaternion, Twist, Vec3, Wrench};

use super::{JointMotion, MAX_COORDINATES};
use crate::mechanics::small::invert;
use crate::model::{JointKind, Sliding, Turning};

/// The angle of the same direction that is nearest to `near`.
pub(crate) fn nearest_angle(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// Coordinates at which the joint comes closest to the pose `X_FM`; angles in the turn nearest to `near`.
pub(crate) fn coordinates(kind: JointKind, pose: &Pose, near: &[f64]) -> [f64; MAX_COORDINATES] {
    let mut q = [0.0; MAX_COORDINATES];
    let near = |k: usize| near.get(k).copied().unwrap_or(0.0);
    match kind.turning() {
        Turning::None => {}
        Turning::AboutZ { at } => q[at] = nearest_angle(angle_about_z(pose), near(at)),
        Turning::Cardan { second } => {
            let [first, after] = universal_angles(&second, pose);
            q[0] = nearest_angle(first, near(0));
            q[1] = nearest_angle(after, near(1));
        }
        Turning::Ball { at } => write_rotation(pose, &mut q[at..]),
    }
    if let Sliding::Along { at, axes } = kind.sliding() {
        for (k, &axis) in axes.iter().enumerate() {
            q[at + k] = pose.translation[axis];
        }
    }
    q
}

fn write_rotation(pose: &Pose, q: &mut [f64]) {
    let r = Quaternion::from_matrix(&pose.rotation);
    q[..4].copy_from_slice(&[r.w, r.x, r.y, r.z]);
}

/// Angle about z of the rotation nearest to R_FM: the direction of (x_M + i y_M) against F's.
fn angle_about_z(pose: &Pose) -> f64 {
    let r = &pose.rotation;
    libm::atan2(r[(1, 0)] - r[(0, 1)], r[(0, 0)] + r[(1, 1)])
}

/// θ₁ turns e about z to where M holds it; θ₂ is what remains about e.
fn universal_angles(second: &Vec3, pose: &Pose) -> [f64; 2] {
    let held = pose.rotation * second;
    let first = libm::atan2(second.x * held.y - second.y * held.x, second.x * held.x + second.y * held.y);
    let back = super::about_z(first).tr_mul(&pose.rotation);
    // Of a rotation about e: tr R = 1 + 2 cos θ, and the antisymmetric part is e sin θ.
    let antisymmetric =
        Vec3::new(back[(2, 1)] - back[(1, 2)], back[(0, 2)] - back[(2, 0)], back[(1, 0)] - back[(0, 1)]);
    [first, libm::atan2(second.dot(&antisymmetric), back.trace() - 1.0)]
}

/// Velocities whose motion comes closest to `twist` (F's axes, linear part at M's origin).
pub(crate) fn rates(motion: &JointMotion, freedoms: usize, twist: &Twist) -> [f64; 6] {
    let mut v = [0.0; 6];
    let columns = &motion.columns[..freedoms];
    let inverse = gram_inverse(columns);
    for i in 0..freedoms {
        v[i] = (0..freedoms).map(|j| inverse[freedoms * i + j] * inner(&columns[j], twist)).sum();
    }
    v
}

/// Wrench on B at M's origin (F's axes) whose power is Σ effort · velocity: the smallest of them.
pub(crate) fn reaction(motion: &JointMotion, effort: &[f64]) -> Wrench {
    let n = effort.len();
    let columns = &motion.columns[..n];
    let inverse = gram_inverse(columns);
    let mut wrench = Wrench::ZERO;
    for (i, column) in columns.iter().enumerate() {
        let weight: f64 = (0..n).map(|j| inverse[n * i + j] * effort[j]).sum();
        wrench += Wrench::new(column.angular * weight, column.linear * weight);
    }
    wrench
}

/// (Sᵀ S)⁻¹, row by row. Angles and lengths meet in it only for the screw, where any weights do.
fn gram_inverse(columns: &[Twist]) -> [f64; 36] {
    let n = columns.len();
    let mut gram = [0.0; 36];
    for i in 0..n {
        for j in 0..n {
            gram[n * i + j] = inner(&columns[i], &columns[j]);
        }
    }
    invert(&mut gram[..n * n], n);
    gram
}

fn inner(a: &Twist, b: &Twist) -> f64 {
    a.angular.dot(&b.angular) + a.linear.dot(&b.linear)
}
