use carom_math::{Pose, Twist, Vec3};

use super::{Link, PrismaticTable, RevoluteTable, Shortcut};
use crate::mechanics::joint;
use crate::mechanics::kinematics::BodyKinematics;

/// What a joint adds to the motion of its parent.
pub(crate) struct Across {
    pub(crate) body: BodyKinematics,
    /// From the parent's centre of mass to the body's (m).
    pub(crate) arm: Vec3,
    /// Acceleration of the centre of mass frame with the parent's acceleration and all q̈ zero: Coriolis and
    /// centripetal.
    pub(crate) bias: Twist,
}

/// Motion of the body carried by a link that is no root, from its parent's and its own states. Writes the
/// columns S of the joint, about the body's centre of mass, in world axes: a = shift(a_P) + bias + S q̈.
pub(crate) fn across(link: &Link, parent: &BodyKinematics, states: &[f64], columns: &mut [Twist]) -> Across {
    match &link.shortcut {
        Shortcut::Revolute(table) => across_revolute(link, table, parent, states[0], states[1], columns),
        Shortcut::Prismatic(table) => across_prismatic(table, parent, states[0], states[1], columns),
        Shortcut::Fixed(pose) => across_fixed(pose, parent),
        Shortcut::None => across_any(link, parent, states, columns),
    }
}

/// The same for a revolute joint.
#[inline(always)]
pub(super) fn across_revolute(
    link: &Link,
    table: &RevoluteTable,
    parent: &BodyKinematics,
    angle: f64,
    rate: f64,
    columns: &mut [Twist],
) -> Across {
    let (sine, cosine) = libm::sincos(angle);
    let rotation = parent.pose.rotation * (table.constant + table.cosine * cosine + table.sine * sine);
    let to_joint = parent.pose.rotation * link.inboard.translation;
    let from_joint = -(rotation * link.outboard.translation);
    let axis = parent.pose.rotation * table.axis;
    columns[0] = Twist::new(axis, axis.cross(&from_joint));
    let outer = parent.angular_velocity;
    let spin = axis * rate;
    let omega = outer + spin;
    let arm = to_joint + from_joint;
    // Velocity of the joint against the parent's centre of mass, and of the body's against the joint.
    let (inboard, outboard) = (outer.cross(&to_joint), omega.cross(&from_joint));
    let turning = outer.cross(&spin);
    let bias =
        Twist::new(turning, outer.cross(&inboard) + turning.cross(&from_joint) + omega.cross(&outboard));
    let body = BodyKinematics {
        pose: Pose { rotation, translation: parent.pose.translation + arm },
        velocity: parent.velocity + inboard + outboard,
        angular_velocity: omega,
    };
    Across { body, arm, bias }
}

/// The same for a prismatic joint.
#[inline(always)]
pub(super) fn across_prismatic(
    table: &PrismaticTable,
    parent: &BodyKinematics,
    displacement: f64,
    rate: f64,
    columns: &mut [Twist],
) -> Across {
    let axis = parent.pose.rotation * table.axis;
    let arm = parent.pose.rotation * table.at_zero.translation + axis * displacement;
    columns[0] = Twist::new(Vec3::zeros(), axis);
    let omega = parent.angular_velocity;
    let (carried, sliding) = (omega.cross(&arm), axis * rate);
    let bias = Twist::new(Vec3::zeros(), omega.cross(&(carried + sliding * 2.0)));
    let body = BodyKinematics {
        pose: Pose {
            rotation: parent.pose.rotation * table.at_zero.rotation,
            translation: parent.pose.translation + arm,
        },
        velocity: parent.velocity + carried + sliding,
        angular_velocity: omega,
    };
    Across { body, arm, bias }
}

/// The same for a fixed joint: both bodies move as one, `fixed` apart.
#[inline(always)]
pub(super) fn across_fixed(fixed: &Pose, parent: &BodyKinematics) -> Across {
    let arm = parent.pose.rotation * fixed.translation;
    let pose =
        Pose { rotation: parent.pose.rotation * fixed.rotation, translation: parent.pose.translation + arm };
    let omega = parent.angular_velocity;
    let along = omega.cross(&arm);
    let bias = Twist::new(Vec3::zeros(), omega.cross(&along));
    let body = BodyKinematics { pose, velocity: parent.velocity + along, angular_velocity: omega };
    Across { body, arm, bias }
}

/// The same for a joint of any kind.
pub(super) fn across_any(
    link: &Link,
    parent: &BodyKinematics,
    states: &[f64],
    columns: &mut [Twist],
) -> Across {
    let (q, v) = states.split_at(link.kind.coordinates());
    let motion = joint::motion(link.kind, q, v);
    let inboard = parent.pose.compose(&link.inboard);
    // Frame F, M's origin and the sign with which the joint moves the body carried.
    let (f, origin_m, outboard, sign) = if link.reversed {
        let f = inboard.compose(&motion.pose.inverse());
        (f, inboard.translation, f, -1.0)
    } else {
        let m = inboard.compose(&motion.pose);
        (inboard, m.translation, m, 1.0)
    };
    let pose = outboard.compose(&link.outboard.inverse());
    let (to_joint, from_joint) = (origin_m - parent.pose.translation, pose.translation - origin_m);
    for (column, local) in columns.iter_mut().zip(&motion.columns) {
        *column = local.rotated(&f.rotation).shifted(&from_joint) * sign;
    }
    let relative = motion.twist(v).rotated(&f.rotation) * sign;
    let local_bias = motion.bias.rotated(&f.rotation) * sign;
    let outer = parent.angular_velocity;
    let omega = outer + relative.angular;
    // Rates in F are seen from the world with F's own angular velocity.
    let carrier = if link.reversed { omega } else { outer };
    let turning = carrier.cross(&relative.angular) + local_bias.angular;
    let bias = Twist::new(
        turning,
        outer.cross(&outer.cross(&to_joint))
            + carrier.cross(&relative.linear) * 2.0
            + local_bias.linear
            + turning.cross(&from_joint)
            + omega.cross(&omega.cross(&from_joint)),
    );
    let arm = to_joint + from_joint;
    let body = BodyKinematics {
        pose,
        velocity: parent.velocity + outer.cross(&arm) + relative.linear + relative.angular.cross(&from_joint),
        angular_velocity: omega,
    };
    Across { body, arm, bias }
}
