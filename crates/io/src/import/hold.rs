//! Servos that hold the pose of the start (`--hold`).
//!
//! A joint parts the robot in two. Its servo is stiff enough for the weight of what it carries, on the lever that it has about the
//! axis, to move it by no more than [`SAG_TURN`] or [`SAG_SHIFT`], however the robot is turned. Where the robot is free, what it
//! stands on may be on either side, and the heavier one counts.

use carom_engine::Problem;
use carom_engine::model::ActivationKind;
use carom_geometry::MassProperties;
use carom_math::Vec3;

use super::context::Context;
use super::mass::total;
use super::robot::{
    Actuator, Axis, ConstraintKind, Held, Joint, JointKind, Motion, Robot, Servo, Term, WORLD,
};

/// What the weight may turn a joint by (rad).
const SAG_TURN: f64 = 0.02;
/// What the weight may shift a joint by (m).
const SAG_SHIFT: f64 = 1e-3;
/// Least angular frequency with which what a servo carries swings (rad/s): balanced parts have no lever.
const SLOWEST: f64 = 20.0;

/// Gives a servo to every coordinate that has none, but to those that follow others.
pub(super) fn add_servos(robot: &mut Robot, context: &Context<'_>) {
    let followers: Vec<(usize, usize)> = robot
        .constraints
        .iter()
        .filter_map(|c| match &c.kind {
            ConstraintKind::Coupling { terms, .. } => Some((terms[0].joint, terms[0].axis)),
            ConstraintKind::Point { .. } => None,
        })
        .collect();
    let driven = hold_by_actuators(robot);
    let gravity = Some(robot.gravity.norm()).filter(|g| *g > 0.0).unwrap_or(9.81);
    let mut held = 0;
    for k in 0..robot.joints.len() {
        if robot.joints[k].cut {
            continue;
        }
        let sides = sides_of(robot, k);
        // Axes turn with those before them.
        let joint = &robot.joints[k];
        let mut frame = robot.links[joint.a].pose.compose(&joint.frame_a);
        for axis in 0..joint.axes.len() {
            let here = &mut robot.joints[k].axes[axis];
            let line = (frame.translation, frame.rotation * here.direction);
            frame = frame.compose(&here.pose_at(here.start));
            if here.servo.is_none() && !followers.contains(&(k, axis)) && !driven.contains(&(k, axis)) {
                here.servo = Some(servo(here, &sides, line, gravity));
                held += 1;
            }
        }
    }
    let has_servo = |joint: usize| {
        let mut servos = robot.actuators.iter().filter(|actuator| is_servo(actuator));
        servos.any(|servo| servo.terms.iter().any(|term| term.joint == joint))
    };
    let balls = robot.joints.iter().enumerate().filter(|(_, joint)| joint.kind == JointKind::Spherical);
    for (_, ball) in balls.filter(|(joint, _)| !has_servo(*joint)) {
        let problem =
            Problem::new("W0801", "", "a ball joint has no coordinate for a servo: --hold leaves it loose")
                .help("add a bushing to the model file");
        context.warn_once("a ball joint without a servo", problem, ball.span);
    }
    let text = format!(
        "servos hold {held} coordinates where they start: the weight that each carries moves it by at most {SAG_TURN} rad or \
         {} mm, where its greatest effort is not less",
        1e3 * SAG_SHIFT
    );
    context.choice(text, None);
    if !driven.is_empty() {
        let text = format!(
            "{} coordinates are held by position servos of the file, as far as these go",
            driven.len()
        );
        context.choice(text, None);
    }
}

/// Controls with which the file's own position servos exert nothing at the start; the coordinates that they hold alone.
fn hold_by_actuators(robot: &mut Robot) -> Vec<(usize, usize)> {
    let Robot { actuators, joints, has_stated_start, .. } = robot;
    let mut driven = Vec::new();
    for actuator in actuators {
        let Some((length, coordinate)) = length_at_start(&actuator.terms, joints) else { continue };
        if !is_servo(actuator) {
            continue;
        }
        driven.extend(coordinate);
        if !*has_stated_start {
            let acting = (actuator.stiffness * length - actuator.bias) / actuator.gain;
            actuator.control = acting;
            if let Some(activation) = &mut actuator.activation {
                activation.initial = activation.within_range(acting);
                if activation.kind == ActivationKind::Integrator {
                    actuator.control = 0.0;
                }
            }
        }
    }
    driven
}

fn is_servo(actuator: &Actuator) -> bool {
    actuator.stiffness > 0.0 && actuator.gain != 0.0
}

/// Where an actuator that acts on one coordinate, or along turns of one ball, is at the start, and that coordinate.
fn length_at_start(terms: &[Term], joints: &[Joint]) -> Option<(f64, Option<(usize, usize)>)> {
    let (first, others) = terms.split_first()?;
    let axes = &joints[first.joint].axes;
    // A ball starts where it has turned by nothing.
    if axes.is_empty() && others.iter().all(|other| other.joint == first.joint) {
        return Some((0.0, None));
    }
    let coordinate = axes.get(first.axis).filter(|_| others.is_empty())?;
    Some((first.factor * coordinate.start, Some((first.joint, first.axis))))
}

/// What a joint carries, and, where nothing holds the robot, the rest of it, in world axes.
fn sides_of(robot: &Robot, joint: usize) -> Vec<MassProperties> {
    let root = |mut link: usize| {
        while let Some(holder) = robot.holder(link) {
            link = holder.a;
        }
        link
    };
    let is_beyond = |mut link: usize| loop {
        if link == robot.joints[joint].b {
            return true;
        }
        match robot.holder(link) {
            Some(holder) => link = holder.a,
            None => return false,
        }
    };
    let base = root(robot.joints[joint].a);
    let is_free = base != WORLD && robot.links[base].held == Held::Free;
    let (mut carried, mut rest) = (Vec::new(), Vec::new());
    for (k, link) in robot.links.iter().enumerate().filter(|(_, l)| l.held != Held::Merged && l.has_mass()) {
        let solid = total(link).transformed(&link.pose);
        if is_beyond(k) {
            carried.push(solid);
        } else if is_free && root(k) == base {
            rest.push(solid);
        }
    }
    [carried, rest].into_iter().filter(|s| !s.is_empty()).map(|s| MassProperties::combine(&s)).collect()
}

/// Critically damped for what the joint carries, whose side is the first.
fn servo(axis: &Axis, sides: &[MassProperties], (point, direction): (Vec3, Vec3), gravity: f64) -> Servo {
    let lever = |side: &MassProperties| (side.com - point).cross(&direction).norm();
    // What turns on a thread moves along it, too.
    let inertia = |side: &MassProperties| match axis.motion {
        Motion::Turn => {
            let about = direction.dot(&(side.inertia * direction));
            about + side.mass * (lever(side).powi(2) + axis.lead.powi(2))
        }
        Motion::Shift => side.mass,
    };
    let weight = |side: &MassProperties| match axis.motion {
        Motion::Turn => side.mass * gravity * (lever(side) + axis.lead.abs()) / SAG_TURN,
        Motion::Shift => side.mass * gravity / SAG_SHIFT,
    };
    let carried = axis.armature + sides.first().map_or(0.0, inertia);
    let stiffness = sides.iter().map(weight).fold(carried * SLOWEST.powi(2), f64::max);
    let damping = 2.0 * (stiffness * carried).sqrt();
    Servo {
        stiffness,
        damping,
        target: axis.start,
        effort: axis.effort.map(|[least, most]| most.min(-least)).filter(|e| *e > 0.0),
    }
}
