//! Links with fixed joints between them become one body.

use carom_math::Pose;

use super::context::Context;
use super::options::FixedJoints;
use super::robot::{ConstraintKind, Held, JointKind, Link, Robot, WORLD};

/// Merges links along fixed joints: all of them, or those where one side has no mass. A link that is fixed to
/// the world becomes a fixed body of its own.
pub(super) fn merge_fixed(robot: &mut Robot, context: &Context<'_>) {
    hold_by_world(robot);
    let merge_all = context.options.fixed_joints == FixedJoints::Merge;
    // From the leaves inwards, so that each child has its own children in it already.
    for k in robot.tree_order().into_iter().rev() {
        let joint = &robot.joints[k];
        let (a, b) = (joint.a, joint.b);
        if joint.kind != JointKind::Fixed || joint.cut || a == WORLD {
            continue;
        }
        let one_is_massless =
            !robot.links[b].has_mass() || !robot.links[a].has_mass() && robot.links[a].held != Held::Fixed;
        if merge_all || one_is_massless {
            let x_ab = joint.pose();
            merge_into(robot, a, b, &x_ab);
            robot.joints[k].a = robot.joints[k].b;
        }
    }
    drop_merged_joints(robot);
}

/// Fixed joints of the world hold their link in place.
fn hold_by_world(robot: &mut Robot) {
    for k in 0..robot.joints.len() {
        let joint = &robot.joints[k];
        if joint.kind == JointKind::Fixed && !joint.cut && joint.a == WORLD {
            let link = &mut robot.links[joint.b];
            link.pose = joint.pose();
            link.held = Held::Fixed;
            robot.joints[k].a = robot.joints[k].b;
        }
    }
    drop_merged_joints(robot);
}

/// Link `b` becomes part of link `a`, in which it has the pose `x_ab`.
fn merge_into(robot: &mut Robot, a: usize, b: usize, x_ab: &Pose) {
    let empty = Link::new("", robot.links[b].span);
    let merged = std::mem::replace(&mut robot.links[b], empty);
    robot.links[b].held = Held::Merged;
    let target = &mut robot.links[a];
    target.frames.push((merged.name, *x_ab));
    target.frames.extend(merged.frames.into_iter().map(|(name, x)| (name, x_ab.compose(&x))));
    target.parts.extend(merged.parts.into_iter().map(|mut part| {
        part.solid = part.solid.transformed(x_ab);
        part
    }));
    target.shapes.extend(merged.shapes.into_iter().map(|mut shape| {
        shape.pose = x_ab.compose(&shape.pose);
        shape
    }));
    for joint in &mut robot.joints {
        if joint.a == b {
            joint.a = a;
            joint.frame_a = x_ab.compose(&joint.frame_a);
        }
        if joint.cut && joint.b == b {
            joint.b = a;
            joint.frame_b = x_ab.compose(&joint.frame_b);
        }
    }
    let of_holds = robot.holds.iter_mut().flat_map(|hold| [&mut hold.a, &mut hold.b]);
    let of_loads = robot.loads.iter_mut().map(|load| &mut load.at);
    for (link, frame) in of_holds.chain(of_loads) {
        if *link == b {
            (*link, *frame) = (a, x_ab.compose(frame));
        }
    }
    for point in robot.ropes.iter_mut().flat_map(|rope| &mut rope.path).filter(|point| point.0 == b) {
        *point = (a, x_ab.transform_point(&point.1));
    }
    for constraint in &mut robot.constraints {
        if let ConstraintKind::Point { a: p, b: q } = &mut constraint.kind {
            for end in [p, q] {
                if end.0 == b {
                    *end = (a, x_ab.transform_point(&end.1));
                }
            }
        }
    }
}

/// Joints from a link to itself are those that were dissolved; terms of couplings and actuators follow the others.
fn drop_merged_joints(robot: &mut Robot) {
    let mut index = Vec::with_capacity(robot.joints.len());
    let mut kept = 0;
    for joint in &robot.joints {
        let is_dissolved = joint.a == joint.b && joint.kind == JointKind::Fixed;
        index.push(kept);
        kept += usize::from(!is_dissolved);
    }
    robot.joints.retain(|j| !(j.a == j.b && j.kind == JointKind::Fixed));
    let of_constraints = robot.constraints.iter_mut().filter_map(|constraint| match &mut constraint.kind {
        ConstraintKind::Coupling { terms, .. } => Some(terms),
        ConstraintKind::Point { .. } => None,
    });
    let of_actuators = robot.actuators.iter_mut().map(|actuator| &mut actuator.terms);
    for term in of_constraints.chain(of_actuators).flatten() {
        term.joint = index[term.joint];
    }
}
