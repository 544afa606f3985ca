//! Gearboxes: two bodies that turn about axes of a third one, at a ratio.

use carom_engine::Problem;
use carom_math::Mat3;

use super::super::context::Context;
use super::super::robot::{Constraint, ConstraintKind, Joint, JointKind, Robot, Term};
use super::super::xml::Element;
use super::frames::{Carrier, Frames, Scope};
use super::joint::Direction;
use super::pose::Stated;
use super::{Reader, Version};
use crate::source::Span;

/// How far the axes of a gearbox may be turned from those of its joints, as 1 - cos.
const PARALLEL: f64 = 1e-9;

/// θ₂ = -ratio θ₁ of the angles that the parent (θ₁) and the child (θ₂) have turned by from the reference body.
pub(super) struct Gearbox {
    name: String,
    span: Span,
    reference: (String, Span),
    /// Parent and child, each with its axis.
    wheels: [((String, Span), Direction); 2],
    ratio: f64,
}

impl Reader<'_> {
    pub(super) fn gearbox(&mut self, element: &Element, scope: &Scope, version: Version) {
        let context = self.context;
        element.mark();
        let name = element.required_text("name", context);
        let end = |side: &str| {
            let child = element.required_child(side, context)?;
            Some((scope.key(child.content.trim()), child.span))
        };
        let (parent, child) = (end("parent"), end("child"));
        let reference = end("gearbox_reference_body");
        let ratio = element.child("gearbox_ratio").map_or(Some(1.0), |stated| {
            let ratio = stated.content_number(context)?;
            if ratio == 0.0 {
                let problem = Problem::new("E0805", "", format!("gearbox_ratio of {} is 0", element.title()));
                context.report(
                    problem.expected("how often the parent turns for each turn of the child"),
                    stated.span,
                );
                return None;
            }
            Some(ratio)
        });
        let (Some(name), Some(parent), Some(child)) = (name, parent, child) else { return };
        let own = (scope.key(name), element.place("name"));
        let stated = element.child("pose").and_then(|pose| Stated::read(pose, context)).unwrap_or_default();
        let place = stated.within(scope, &child.0);
        if !self.frames.add(own.0.clone(), own.1, place, Carrier::Attached(child.clone()), None, context) {
            return;
        }
        let direction = |axis: &str| {
            let holder = element.required_child(axis, context)?;
            Direction::read(holder, element, &own, scope, version, context)
        };
        let directions = (direction("axis"), direction("axis2"));
        if let ((Some(first), Some(second)), Some(reference), Some(ratio)) = (directions, reference, ratio) {
            let wheels = [(parent, first), (child, second)];
            self.gearboxes.push(Gearbox { name: self.shown(&own.0), span: own.1, reference, wheels, ratio });
        }
    }
}

/// Couples the coordinates of the hinges that hold the wheels to the reference body.
pub(super) fn couple(all: &[Gearbox], robot: &mut Robot, frames: &Frames, context: &Context<'_>) {
    for Gearbox { name, span, reference, wheels, ratio } in all {
        let Some(reference) = frames.link(&reference.0, reference.1, context) else { continue };
        let terms = wheels.each_ref().map(|((wheel, place), direction)| {
            let wheel = frames.link(wheel, *place, context)?;
            let found = turning(robot, reference, wheel, direction, frames, context);
            if found.is_none() {
                let [wheel, reference] = [wheel, reference].map(|link| &robot.links[link].name);
                let message = format!(
                    "the gearbox \"{name}\" has no hinge from \"{reference}\" to \"{wheel}\" along its axis"
                );
                let help = "a gearbox couples two revolute joints, from the reference body to the parent along `axis`, \
                            and to the child along `axis2`";
                context.report(Problem::new("E0812", "", message).help(help), direction.span);
            }
            found
        });
        let [Some(first), Some(second)] = terms else { continue };
        let terms = vec![second, Term { factor: ratio * first.factor, ..first }];
        let kind = ConstraintKind::Coupling { terms, offset: 0.0 };
        robot.constraints.push(Constraint { name: name.clone(), kind });
        context.choice("gearboxes couple the angles of two joints", Some(*span));
    }
}

/// The hinge between two links along a direction, with the sign in which its coordinate turns the wheel.
fn turning(
    robot: &Robot,
    reference: usize,
    wheel: usize,
    direction: &Direction,
    frames: &Frames,
    context: &Context<'_>,
) -> Option<Term> {
    let wanted = direction.seen_from(&Mat3::identity(), frames, context)?;
    let along = |joint: &Joint| {
        let turned = robot.links[joint.a].pose.compose(&joint.frame_a).rotation * joint.axes[0].direction;
        let sign = if joint.a == reference { 1.0 } else { -1.0 };
        sign * turned.dot(&wanted)
    };
    let joins = |joint: &Joint| {
        joint.kind == JointKind::Revolute
            && [[reference, wheel], [wheel, reference]].contains(&[joint.a, joint.b])
    };
    robot.joints.iter().enumerate().filter(|(_, joint)| joins(joint)).find_map(|(k, joint)| {
        let cosine = along(joint);
        (cosine.abs() > 1.0 - PARALLEL).then(|| Term { joint: k, axis: 0, factor: cosine.signum() })
    })
}
