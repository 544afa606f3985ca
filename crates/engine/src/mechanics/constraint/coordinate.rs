//! Rows on joint coordinates, whether they are states or follow from two bodies.

use carom_math::{Mat3, Pose, Twist, Vec3, Wrench};

use super::{PairPoint, Rows};
use crate::function::TimeFunction;
use crate::mechanics::Configuration;
use crate::mechanics::joint::{self, JointMotion, coordinates, rates};
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{JointData, JointRole};
use crate::model::JointCoordinate;

/// A joint seen from its bodies.
pub(crate) struct JointView {
    /// `X_FM`.
    pub(crate) pose: Pose,
    /// Axes of F in the world.
    pub(crate) f: Mat3,
    pub(crate) pair: PairPoint,
}

impl JointView {
    pub(crate) fn new(here: &Configuration<'_>, joint: usize) -> Self {
        let data = &here.mechanics.joints[joint];
        Self::between(data, &here.bodies[data.a.body], &here.bodies[data.b.body])
    }

    /// From the motion of both bodies.
    pub(crate) fn between(data: &JointData, body_a: &BodyKinematics, body_b: &BodyKinematics) -> Self {
        let x_wf = body_a.pose.compose(&data.a.pose);
        let x_wm = body_b.pose.compose(&data.b.pose);
        Self {
            pose: x_wf.inverse().compose(&x_wm),
            f: x_wf.rotation,
            pair: PairPoint::between([body_a, body_b], &data.a, &data.b),
        }
    }

    /// Motion of M against F, in F's axes, at M's origin.
    pub(crate) fn twist(&self) -> Twist {
        Twist::new(self.f.tr_mul(&self.pair.omega), self.f.tr_mul(&self.pair.relative))
    }
}

/// Scalar coordinates and velocities of a joint with elements.
pub(crate) fn joint_axes(here: &Configuration<'_>, joint: usize) -> ([f64; 3], [f64; 3]) {
    let data = &here.mechanics.joints[joint];
    let (mut q, mut v) = ([0.0; 3], [0.0; 3]);
    let n = data.kind.axes().len();
    match data.role {
        JointRole::Carries { link } => {
            let link = &here.mechanics.links[link];
            q[..n].copy_from_slice(&here.state[link.coordinates()][..n]);
            v[..n].copy_from_slice(&here.state[link.velocities()][..n]);
        }
        JointRole::Closes => {
            let near = &here.angles[data.first_angle..data.first_angle + n];
            return closing_axes(data, &here.bodies[data.a.body], &here.bodies[data.b.body], near);
        }
    }
    (q, v)
}

/// One of them.
#[inline]
pub(crate) fn joint_axis(here: &Configuration<'_>, at: JointCoordinate) -> [f64; 2] {
    let JointRole::Carries { link } = here.mechanics.joints[at.joint].role else {
        let (q, v) = joint_axes(here, at.joint);
        return [q[at.axis], v[at.axis]];
    };
    let link = &here.mechanics.links[link];
    [link.first_state, link.velocities().start].map(|first| here.state[first + at.axis])
}

/// A freedom of a joint by its place among the velocities, as [`joint_axis`]. Of a turn of a ball, which carries its body (E0336), the
/// coordinate is the component about that axis of M of the rotation vector from F to M, and its rate is not the velocity.
pub(crate) fn joint_freedom(here: &Configuration<'_>, at: JointCoordinate) -> [f64; 2] {
    let data = &here.mechanics.joints[at.joint];
    let turning = joint::quaternion_at(data.kind).filter(|(_, first)| at.axis >= *first);
    match (data.role, turning) {
        (JointRole::Carries { link }, Some((at_state, first))) => {
            let link = &here.mechanics.links[link];
            let turn = joint::quaternion(&here.state[link.first_state + at_state..]).to_rotation_vector();
            [turn[at.axis - first], here.state[link.velocities().start + at.axis]]
        }
        _ => joint_axis(here, at),
    }
}

/// Coordinates and velocities of a joint from the motion of both bodies, with the angles in the turns nearest to `near`.
pub(crate) fn closing_axes(
    data: &JointData,
    body_a: &BodyKinematics,
    body_b: &BodyKinematics,
    near: &[f64],
) -> ([f64; 3], [f64; 3]) {
    let view = JointView::between(data, body_a, body_b);
    let q = coordinates(data.kind, &view.pose, near);
    let motion = joint::motion(data.kind, &q, &[0.0; 6]);
    let v = rates(&motion, data.kind.freedoms(), &view.twist());
    ([q[0], q[1], q[2]], [v[0], v[1], v[2]])
}

/// Adds k q to the open row; returns k q and the part of k q̈ that does not come from accelerations.
fn add_coordinate(here: &Configuration<'_>, at: JointCoordinate, k: f64, rows: &mut Rows) -> (f64, f64) {
    let data = &here.mechanics.joints[at.joint];
    if let JointRole::Carries { link } = data.role {
        let link = &here.mechanics.links[link];
        rows.add_freedom(link.first_freedom + at.axis, k);
        return (k * here.state[link.first_state + at.axis], 0.0);
    }
    let view = JointView::new(here, at.joint);
    let n = data.kind.axes().len();
    let near = &here.angles[data.first_angle..data.first_angle + n];
    let q = coordinates(data.kind, &view.pose, near);
    let freedoms = data.kind.freedoms();
    let v = rates(&joint::motion(data.kind, &q, &[0.0; 6]), freedoms, &view.twist());
    let motion = joint::motion(data.kind, &q, &v);
    let dual = dual_of(&motion, freedoms, at.axis);
    let (torque, force) = (view.f * dual.torque * k, view.f * dual.force * k);
    let pair = &view.pair;
    let [a, b] = pair.arms.map(|arm| Wrench::of_force(force, &arm) + Wrench::new(torque, Vec3::zeros()));
    rows.add(here.mechanics, pair.bodies[0], -a);
    rows.add(here.mechanics, pair.bodies[1], b);
    let angular = -pair.omega_a.cross(&pair.omega);
    let bias = dual.dot(&motion.bias) * k;
    (k * q[at.axis], torque.dot(&angular) + force.dot(&pair.drift) - bias)
}

/// The wrench (F's axes, at M) whose power on a motion that the joint allows is the velocity of one axis.
fn dual_of(motion: &JointMotion, freedoms: usize, axis: usize) -> Wrench {
    let mut unit = [0.0; 6];
    unit[axis] = 1.0;
    joint::reaction(motion, &unit[..freedoms])
}

/// Row q = 0.
pub(crate) fn write_coordinate(here: &Configuration<'_>, at: JointCoordinate, rows: &mut Rows) {
    let (q, rest) = add_coordinate(here, at, 1.0, rows);
    rows.close(q, 0.0, -rest);
}

/// Row q = f(t), or q̇ = f(t).
pub(super) fn write_drive(
    here: &Configuration<'_>,
    at: JointCoordinate,
    function: &TimeFunction,
    by_velocity: bool,
    rows: &mut Rows,
) {
    let jet = here.controls.motion(at, function, here.time);
    let (q, rest) = add_coordinate(here, at, 1.0, rows);
    if by_velocity {
        rows.close(0.0, jet.value, jet.rate - rest);
    } else {
        rows.close(q - jet.value, jet.rate, jet.acceleration - rest);
    }
}

/// Row Σ k q = c.
pub(super) fn write_coupling(
    here: &Configuration<'_>,
    terms: &[(JointCoordinate, f64)],
    offset: f64,
    rows: &mut Rows,
) {
    let (mut sum, mut rest) = (-offset, 0.0);
    for &(at, k) in terms {
        let (value, part) = add_coordinate(here, at, k, rows);
        sum += value;
        rest += part;
    }
    rows.close(sum, 0.0, -rest);
}
