//! Links that move and have no mass: frames between joints, rotors whose mass is counted elsewhere, ends that carry nothing.

use std::collections::BTreeSet;

use carom_engine::Problem;
use carom_geometry::MassProperties;
use carom_math::{Mat3, Vec3};

use super::context::Context;
use super::robot::{Axis, ConstraintKind, Held, JointKind, Motion, Part, Robot};

/// Share of another link's mass that a link without any has.
pub(super) const FRACTION: f64 = 1e-9;

/// Makes links without mass ones that can move. What carries mass gets a billionth of the mass next to it, and keeps its own
/// inertia. What carries none and would turn no inertia does not move: nothing else in the robot can tell. `true` if there are such.
pub(super) fn settle(robot: &mut Robot, context: &Context<'_>) -> bool {
    if robot.links.iter().all(|link| link.parts.is_empty()) {
        return false;
    }
    robot.update_poses();
    let massless: Vec<usize> = (0..robot.links.len())
        .filter(|&k| robot.links[k].held == Held::Joint && !robot.links[k].has_mass())
        .collect();
    let mut idle = BTreeSet::new();
    // In a row of such links none stands in for another that stands in.
    let carried: Vec<Option<usize>> = massless.iter().map(|&k| next_with_mass(robot, k)).collect();
    for (&k, carried) in massless.iter().zip(carried).rev() {
        let Some(joint) = robot.joints.iter().position(|j| j.b == k && !j.cut) else { continue };
        if let Some(carried) = carried {
            let text = "links without mass that carry others have a billionth of the mass of what they carry";
            context.choice(text, Some(robot.links[k].span));
            stand_in(robot, k, carried);
        } else if turns_inertia(robot, k, joint) {
            let text = "links with inertia and without mass have a billionth of the mass of the link that carries them";
            context.choice(text, Some(robot.links[k].span));
            let mass = FRACTION * mass_above(robot, joint);
            let solid = MassProperties { mass, com: Vec3::zeros(), inertia: Mat3::zeros() };
            add_part(robot, k, solid);
        } else if robot.format != "MJCF" {
            // MuJoCo refuses what the others read.
            idle.insert(joint);
        }
    }
    idle.retain(|&joint| !robot.actuators.iter().any(|a| a.terms.iter().any(|t| t.joint == joint)));
    keep_leaders(robot, &mut idle);
    hold(robot, &idle, context);
    !idle.is_empty()
}

/// The nearest link with mass that a link carries.
fn next_with_mass(robot: &Robot, link: usize) -> Option<usize> {
    let mut open = vec![link];
    while !open.is_empty() {
        let carried: Vec<usize> =
            robot.joints.iter().filter(|j| !j.cut && open.contains(&j.a)).map(|j| j.b).collect();
        if let Some(&found) = carried.iter().find(|&&k| robot.links[k].has_mass()) {
            return Some(found);
        }
        open = carried;
    }
    None
}

fn stand_in(robot: &mut Robot, link: usize, carried: usize) {
    let x = robot.links[link].pose.inverse().compose(&robot.links[carried].pose);
    let mut solid = super::mass::total(&robot.links[carried]);
    solid.mass *= FRACTION;
    solid.inertia *= FRACTION;
    add_part(robot, link, solid.transformed(&x));
}

fn add_part(robot: &mut Robot, link: usize, solid: MassProperties) {
    let (span, of) = (robot.links[link].span, robot.links[link].name.clone());
    robot.links[link].parts.push(Part { solid, span, of });
}

/// Has the link inertia that its joint turns?
fn turns_inertia(robot: &Robot, link: usize, joint: usize) -> bool {
    let joint = &robot.joints[joint];
    let turns = joint.kind == JointKind::Spherical || joint.axes.iter().any(|a| a.motion == Motion::Turn);
    turns && robot.links[link].parts.iter().any(|part| part.solid.inertia != Mat3::zeros())
}

/// Mass of the next link towards the world that has any (kg), or 1.
fn mass_above(robot: &Robot, joint: usize) -> f64 {
    let mut at = robot.joints[joint].a;
    loop {
        let mass: f64 = robot.links[at].parts.iter().map(|p| p.solid.mass).sum();
        if mass > 0.0 {
            return mass;
        }
        match robot.holder(at) {
            Some(joint) => at = joint.a,
            None => return 1.0,
        }
    }
}

/// Joints that something with mass follows stay as they are.
fn keep_leaders(robot: &Robot, idle: &mut BTreeSet<usize>) {
    loop {
        let before = idle.len();
        for constraint in &robot.constraints {
            if let ConstraintKind::Coupling { terms, .. } = &constraint.kind
                && !idle.contains(&terms[0].joint)
            {
                idle.retain(|joint| !terms[1..].iter().any(|t| t.joint == *joint));
            }
        }
        if idle.len() == before {
            return;
        }
    }
}

/// Makes joints fixed at the coordinate nearest to 0 that their limits allow.
fn hold(robot: &mut Robot, joints: &BTreeSet<usize>, context: &Context<'_>) {
    let follows = |kind: &ConstraintKind| match kind {
        ConstraintKind::Coupling { terms, .. } => joints.contains(&terms[0].joint),
        ConstraintKind::Point { .. } => false,
    };
    robot.constraints.retain(|constraint| !follows(&constraint.kind));
    for &k in joints {
        let joint = &mut robot.joints[k];
        let start =
            |frame: carom_math::Pose, axis: &Axis| frame.compose(&axis.pose_at(axis.within_limits(0.0)));
        joint.frame_a = joint.axes.iter().fold(joint.frame_a, start);
        joint.axes.clear();
        let message = format!(
            "\"{}\" has no mass and carries none: its {} joint \"{}\" does not move",
            robot.links[joint.b].name,
            joint.kind.name(),
            joint.name
        );
        joint.kind = JointKind::Fixed;
        let problem = Problem::new("W0805", "", message)
            .help("its motion is not determined; give it mass and inertia, or make its joint fixed");
        context.warn_once("held without mass", problem, joint.span);
    }
}
