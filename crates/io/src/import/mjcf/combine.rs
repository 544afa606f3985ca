//! The joints of one body as one joint. Each turns or shifts after those before it, as in a chain with massless
//! bodies between.

use carom_math::{Mat3, Pose, Vec3};

use super::super::robot::{Axis, Joint, JointKind, Motion, Uniform};
use super::joint::{ReadJoint, ReadKind};
use crate::source::Span;

/// Directions closer than this are parallel, or at right angles.
const PARALLEL: f64 = 1e-9;
/// Points closer than this (m) are one.
const TOGETHER: f64 = 1e-9;

/// One joint for several, without its links: kind, centre in the body's frame, the joint frame's rotation there, and
/// for each joint of the file the axis it has become.
pub(super) struct Combined {
    pub(super) kind: JointKind,
    centre: Vec3,
    rotation: Mat3,
    axes: Vec<Axis>,
    uniform: Uniform,
    pub(super) coordinates: Vec<Option<usize>>,
}

impl Combined {
    /// The joint between the parent `a` and the body `b`, whose pose in the parent is `x_ab`.
    pub(super) fn into_joint(self, name: String, span: Span, a: usize, b: usize, x_ab: &Pose) -> Joint {
        let frame_b = Pose { rotation: self.rotation, translation: self.centre };
        Joint {
            frame_a: x_ab.compose(&frame_b),
            frame_b,
            axes: self.axes,
            uniform: self.uniform,
            ..Joint::bare(name, span, self.kind, [a, b])
        }
    }
}

/// Combines the joints of a body; `None` where no joint does all that they do. `is_used` says whether an actuator, an
/// equality or a tendon asks for a joint's coordinate.
pub(super) fn combine(joints: &[ReadJoint], is_used: impl Fn(&ReadJoint) -> bool) -> Option<Combined> {
    let single = |j: &ReadJoint| match &j.kind {
        ReadKind::Single(axis) => Some((axis.clone(), j.anchor)),
        _ => None,
    };
    let plain = |kind, centre, axes: Vec<Axis>| {
        let coordinates = (0..axes.len()).map(Some).collect();
        let uniform = Uniform::default();
        Some(Combined { kind, centre, rotation: Mat3::identity(), axes, uniform, coordinates })
    };
    let loose = |kind, centre| {
        let coordinates = vec![None; joints.len()];
        let uniform = joints.iter().map(|j| j.uniform).find(|u| !u.is_none()).unwrap_or_default();
        Some(Combined { kind, centre, rotation: Mat3::identity(), axes: Vec::new(), uniform, coordinates })
    };
    let singles: Vec<(Axis, Vec3)> = joints.iter().map_while(single).collect();
    let turns = singles.iter().filter(|s| s.0.motion == Motion::Turn).count();
    let shifts = singles.len() - turns;
    // A joint without scalar coordinates stands for those that only move.
    let is_bare = |j: &ReadJoint| match &j.kind {
        ReadKind::Single(axis) => !is_acted_on(axis) && !is_used(j),
        ReadKind::Ball | ReadKind::Free => j.elastic == [0.0; 2] && j.uniform.is_none() && !is_used(j),
    };
    let stand_in = |kind, centre| {
        if joints.iter().all(is_bare) { loose(kind, centre) } else { None }
    };
    match joints {
        [] => plain(JointKind::Fixed, Vec3::zeros(), Vec::new()),
        [one] => match &one.kind {
            ReadKind::Single(axis) => {
                let kind = if turns == 1 { JointKind::Revolute } else { JointKind::Prismatic };
                plain(kind, one.anchor, vec![axis.clone()])
            }
            ReadKind::Ball => loose(JointKind::Spherical, one.anchor),
            ReadKind::Free => loose(JointKind::Free, Vec3::zeros()),
        },
        _ if singles.len() == joints.len() => match (shifts, turns) {
            (0, 2) => meeting_point(&singles)
                .and_then(|centre| plain(JointKind::Universal, centre, axes_of(&singles))),
            (0, 3) if spans_space(&singles) => {
                meeting_point(&singles).and_then(|centre| stand_in(JointKind::Spherical, centre))
            }
            (1, 1) if points_alike(&singles[0].0, &singles[1].0) => Some(cylindrical(&singles)),
            (2, 1) => planar(&singles),
            (3, 3) if spans_space(&singles[..3]) && spans_space(&singles[3..]) => {
                let first_turns = singles[..3].iter().any(|s| s.0.motion == Motion::Turn);
                let centre = if first_turns { None } else { meeting_point(&singles[3..]) };
                centre.and_then(|centre| stand_in(JointKind::Free, centre))
            }
            _ => None,
        },
        [.., last] if matches!(last.kind, ReadKind::Ball) && joints.len() == 4 && shifts == 3 => {
            if spans_space(&singles) {
                stand_in(JointKind::Free, last.anchor)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn axes_of(singles: &[(Axis, Vec3)]) -> Vec<Axis> {
    singles.iter().map(|s| s.0.clone()).collect()
}

/// One coordinate cannot be counted the other way: what drives it would not be.
fn points_alike(a: &Axis, b: &Axis) -> bool {
    a.direction.cross(&b.direction).norm() < PARALLEL && a.direction.dot(&b.direction) > 0.0
}

fn spans_space(singles: &[(Axis, Vec3)]) -> bool {
    let columns: Vec<Vec3> = singles.iter().map(|s| s.0.direction).collect();
    Mat3::from_columns(&columns).determinant().abs() > PARALLEL
}

/// Point on all axes: that of the first two, if it is on the others too. Parallel axes have none.
fn meeting_point(singles: &[(Axis, Vec3)]) -> Option<Vec3> {
    let ((a, p), (b, q)) = (&singles[0], &singles[1]);
    let n = a.direction.cross(&b.direction);
    if n.norm() < PARALLEL {
        return None;
    }
    // p + s a, where s a reaches the axis of b within the plane across n.
    let s = (q - p).cross(&b.direction).dot(&n) / n.norm_squared();
    let point = p + a.direction * s;
    let is_on = |(axis, at): &(Axis, Vec3)| (point - at).cross(&axis.direction).norm() < TOGETHER;
    singles.iter().all(is_on).then_some(point)
}

/// Angle first, then displacement, about the direction of the hinge.
fn cylindrical(singles: &[(Axis, Vec3)]) -> Combined {
    let turn = singles.iter().position(|s| s.0.motion == Motion::Turn).unwrap_or(0);
    let (hinge, centre) = singles[turn].clone();
    let slide = singles[1 - turn].0.clone();
    let coordinates = if turn == 0 { vec![Some(0), Some(1)] } else { vec![Some(1), Some(0)] };
    Combined {
        kind: JointKind::Cylindrical,
        centre,
        rotation: Mat3::identity(),
        axes: vec![hinge, slide],
        uniform: Uniform::default(),
        coordinates,
    }
}

/// Two slides at right angles, then a hinge across both: x, y and z of the joint frame.
fn planar(singles: &[(Axis, Vec3)]) -> Option<Combined> {
    let [(x, _), (y, _), (turn, centre)] = singles else { return None };
    let order = [x.motion, y.motion, turn.motion] == [Motion::Shift, Motion::Shift, Motion::Turn];
    let square = x.direction.dot(&y.direction).abs() < PARALLEL;
    let across = x.direction.cross(&y.direction);
    if !order || !square || across.cross(&turn.direction).norm() > PARALLEL {
        return None;
    }
    // The frame is right-handed about the hinge; a left-handed pair of slides is counted the other way round.
    let (first, second) = if across.dot(&turn.direction) > 0.0 { (x, y) } else { (y, x) };
    let rotation = Mat3::from_columns(&[first.direction, second.direction, turn.direction]);
    let coordinates = if std::ptr::eq(first, x) {
        vec![Some(0), Some(1), Some(2)]
    } else {
        vec![Some(1), Some(0), Some(2)]
    };
    let along = |axis: &Axis, direction| Axis { direction, ..axis.clone() };
    let axes = vec![along(first, Vec3::x()), along(second, Vec3::y()), along(turn, Vec3::z())];
    let uniform = Uniform::default();
    Some(Combined { kind: JointKind::Planar, centre: *centre, rotation, axes, uniform, coordinates })
}

fn is_acted_on(a: &Axis) -> bool {
    a.stiffness != 0.0 || a.damping != 0.0 || a.friction != 0.0 || a.armature != 0.0 || a.lower.is_some()
}

/// Names of joints, for messages.
pub(super) fn names(joints: &[ReadJoint]) -> String {
    joints.iter().map(|j| j.name.as_str()).collect::<Vec<_>>().join(", ")
}
