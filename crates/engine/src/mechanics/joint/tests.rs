use carom_math::Vec3;

use super::*;

fn kinds() -> [JointKind; 9] {
    JointKind::ALL.map(|kind| match kind {
        JointKind::Screw { .. } => JointKind::Screw { lead: 0.3 },
        JointKind::Universal { .. } => JointKind::Universal { second: Vec3::new(0.8, 0.0, 0.6) },
        other => other,
    })
}

/// Some coordinates and velocities, with a quaternion of unit length.
fn sample(kind: JointKind) -> ([f64; 7], [f64; 6]) {
    let mut q = [0.4, -0.7, 1.1, 0.0, 0.0, 0.0, 0.0];
    if let Some((at, _)) = quaternion_at(kind) {
        let r = Quaternion::from_rotation_vector(&Vec3::new(0.3, -0.8, 0.5));
        q[at..at + 4].copy_from_slice(&[r.w, r.x, r.y, r.z]);
    }
    (q, [0.9, -1.3, 0.6, 0.2, -0.4, 1.7])
}

/// Pose after time h at constant velocities.
fn moved(kind: JointKind, q: &[f64; 7], v: &[f64; 6], h: f64) -> ([f64; 7], JointMotion) {
    let mut q = *q;
    let d: Vec<f64> = v.iter().map(|v| h * v).collect();
    displace(kind, &mut q[..kind.coordinates()], &d);
    (q, motion(kind, &q, v))
}

/// Columns and bias against differences of the pose, of second order in h.
#[test]
fn columns_and_bias_are_derivatives() {
    let h = 1e-4;
    for kind in kinds() {
        let (q, v) = sample(kind);
        let now = motion(kind, &q, &v);
        let v_used = &v[..kind.freedoms()];
        let twist = now.twist(v_used);
        let (before, after) = (moved(kind, &q, &v, -h).1, moved(kind, &q, &v, h).1);
        let linear = (after.pose.translation - before.pose.translation) / (2.0 * h);
        assert!((linear - twist.linear).norm() < 1e-7, "{kind:?}: velocity");
        let turn = after.pose.rotation * before.pose.rotation.transpose();
        let angular = Quaternion::from_matrix(&turn).to_rotation_vector() / (2.0 * h);
        assert!((angular - twist.angular).norm() < 1e-7, "{kind:?}: angular velocity");
        let bias = (after.twist(v_used) - before.twist(v_used)) * (0.5 / h);
        assert!((bias.linear - now.bias.linear).norm() < 1e-7, "{kind:?}: bias");
        assert!((bias.angular - now.bias.angular).norm() < 1e-7, "{kind:?}: angular bias");
    }
}

#[test]
fn measuring_gives_back_what_was_put_in() {
    for kind in kinds() {
        let (q, v) = sample(kind);
        let now = motion(kind, &q, &v);
        let (nq, nv) = (kind.coordinates(), kind.freedoms());
        let back = coordinates(kind, &now.pose, &q);
        for k in 0..nq {
            assert!((back[k] - q[k]).abs() < 1e-14, "{kind:?}: coordinate {k}");
        }
        let velocity = rates(&now, nv, &now.twist(&v[..nv]));
        for k in 0..nv {
            assert!((velocity[k] - v[k]).abs() < 1e-13, "{kind:?}: velocity {k}");
        }
    }
}

/// Angles go on over full turns.
#[test]
fn turns_are_counted_from_where_the_joint_was() {
    let now = motion(JointKind::Revolute, &[20.0], &[0.0]);
    assert!((coordinates(JointKind::Revolute, &now.pose, &[19.0])[0] - 20.0).abs() < 1e-14);
}

#[test]
fn efforts_have_the_power_of_their_wrench() {
    for kind in kinds().into_iter().filter(|k| !k.axes().is_empty()) {
        let (q, v) = sample(kind);
        let now = motion(kind, &q, &v);
        let n = kind.freedoms();
        let effort = &[0.7, -0.3, 1.9][..n];
        let power: f64 = effort.iter().zip(&v).map(|(e, v)| e * v).sum();
        assert!((reaction(&now, effort).dot(&now.twist(&v[..n])) - power).abs() < 1e-14, "{kind:?}");
    }
}

#[test]
fn rates_are_the_derivative_of_the_coordinates() {
    let h = 1e-6;
    for kind in kinds() {
        let (q, v) = sample(kind);
        let (nq, nv) = (kind.coordinates(), kind.freedoms());
        let mut rate = [0.0; 7];
        coordinate_rates(kind, &q[..nq], &v[..nv], &mut rate[..nq]);
        let later = moved(kind, &q, &v, h).0;
        for k in 0..nq {
            assert!(((later[k] - q[k]) / h - rate[k]).abs() < 1e-5, "{kind:?}: {k}");
        }
    }
}
