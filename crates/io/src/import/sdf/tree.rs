//! Joints as a tree: SDF's may lead either way, and may close loops.

use std::collections::VecDeque;

use super::super::context::Context;
use super::super::robot::{ConstraintKind, Held, Joint, Robot};

/// Turns joints so that each leads away from the world, or from the first link of what is free; those that are left close loops.
pub(super) fn grow(robot: &mut Robot, context: &Context<'_>) {
    let mut reached = vec![false; robot.links.len()];
    let mut placed = vec![false; robot.joints.len()];
    let held: Vec<usize> = (0..robot.links.len()).filter(|&k| robot.links[k].held == Held::Fixed).collect();
    spread(robot, held, &mut reached, &mut placed, context);
    // Next, links that are the child of no joint; then any.
    let firsts: Vec<usize> =
        (1..robot.links.len()).filter(|&k| robot.joints.iter().all(|j| j.b != k)).collect();
    for root in firsts.into_iter().chain(1..robot.links.len()) {
        if !reached[root] {
            spread(robot, vec![root], &mut reached, &mut placed, context);
        }
    }
}

/// Follows joints from links that are held. Those whose child comes first are turned round; those between reached links are cut.
fn spread(
    robot: &mut Robot,
    from: Vec<usize>,
    reached: &mut [bool],
    placed: &mut [bool],
    context: &Context<'_>,
) {
    from.iter().for_each(|&link| reached[link] = true);
    let mut open: VecDeque<usize> = from.into();
    while let Some(link) = open.pop_front() {
        for k in 0..robot.joints.len() {
            let joint = &mut robot.joints[k];
            if placed[k] || joint.a != link && joint.b != link {
                continue;
            }
            placed[k] = true;
            let other = if joint.a == link { joint.b } else { joint.a };
            if reached[other] {
                joint.cut = true;
                context.choice(format!("joint \"{}\" closes a loop", joint.name), Some(joint.span));
                continue;
            }
            if joint.b == link {
                let span = joint.span;
                reverse(joint);
                reverse_terms(robot, k);
                let text = "joints whose child is nearer to the world than their parent are turned round; coordinates stay";
                context.choice(text, Some(span));
            }
            reached[other] = true;
            open.push_back(other);
        }
    }
}

/// The same joint from its other link: X_ba = X_ab⁻¹, each motion undone in the opposite order.
fn reverse(joint: &mut Joint) {
    std::mem::swap(&mut joint.a, &mut joint.b);
    std::mem::swap(&mut joint.frame_a, &mut joint.frame_b);
    joint.axes.reverse();
    joint.axes.iter_mut().for_each(|axis| axis.direction = -axis.direction);
}

/// What couples the axes of a joint finds them in their other order.
fn reverse_terms(robot: &mut Robot, joint: usize) {
    let last = robot.joints[joint].axes.len().saturating_sub(1);
    for constraint in &mut robot.constraints {
        if let ConstraintKind::Coupling { terms, .. } = &mut constraint.kind {
            terms.iter_mut().filter(|term| term.joint == joint).for_each(|term| term.axis = last - term.axis);
        }
    }
}
