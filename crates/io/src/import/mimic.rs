//! Where joints that mimic others start: their leaders move so far that the limits of both allow it.

use std::collections::BTreeMap;

use carom_engine::Problem;

use super::context::Context;
use super::robot::{ConstraintKind, Robot};

/// A joint and its axis.
type Place = (usize, usize);

/// q = factor q_leader + offset, with the leader of all.
#[derive(Clone, Copy)]
struct Following {
    leader: Place,
    factor: f64,
    offset: f64,
}

/// How far beyond a limit a coordinate may be by rounding (rad, m).
const ROUNDING: f64 = 1e-9;

/// Each follower of one leader, through those between them. Rings of them have none.
fn followings(robot: &Robot) -> BTreeMap<Place, Following> {
    let mut direct = BTreeMap::new();
    for constraint in &robot.constraints {
        if let ConstraintKind::Coupling { terms, offset } = &constraint.kind
            && let [own, of] = terms[..]
        {
            let (factor, offset) = (-of.factor / own.factor, offset / own.factor);
            direct.insert((own.joint, own.axis), Following { leader: (of.joint, of.axis), factor, offset });
        }
    }
    let mut all = BTreeMap::new();
    for (&place, &first) in &direct {
        let mut whole = first;
        let mut steps = 0;
        while let Some(next) = direct.get(&whole.leader).filter(|_| steps <= direct.len()) {
            whole = Following {
                leader: next.leader,
                factor: whole.factor * next.factor,
                offset: whole.factor * next.offset + whole.offset,
            };
            steps += 1;
        }
        if steps <= direct.len() {
            all.insert(place, whole);
        }
    }
    all
}

/// Moves each leader to the place nearest to where it is that its own limits and those of its followers allow, where there is one.
pub(super) fn fit_leaders(robot: &mut Robot, context: &Context<'_>) {
    let mut rooms: BTreeMap<Place, (f64, f64)> = BTreeMap::new();
    for ((joint, axis), following) in followings(robot) {
        let room = rooms.entry(following.leader).or_insert_with(|| {
            let own = &robot.joints[following.leader.0].axes[following.leader.1];
            (own.lower.unwrap_or(f64::NEG_INFINITY), own.upper.unwrap_or(f64::INFINITY))
        });
        let own = &robot.joints[joint].axes[axis];
        for (limit, is_upper) in [(own.lower, false), (own.upper, true)] {
            let Some(at) = limit.map(|limit| (limit - following.offset) / following.factor) else { continue };
            if is_upper == (following.factor > 0.0) {
                room.1 = room.1.min(at);
            } else {
                room.0 = room.0.max(at);
            }
        }
    }
    for ((joint, axis), (lower, upper)) in rooms {
        let span = robot.joints[joint].span;
        let own = &mut robot.joints[joint].axes[axis];
        let nearest = own.start.max(lower).min(upper);
        if lower <= upper && nearest != own.start {
            own.start = nearest;
            let text = "a joint starts where the limits of those that mimic it allow it";
            context.choice(text, Some(span));
        }
    }
}

/// Warns of followers that start beyond their limits: the stop there would throw them back. Rings of joints that mimic each other hold
/// them all in place.
pub(super) fn tell_out_of_limits(robot: &Robot, context: &Context<'_>) {
    let known = followings(robot);
    for constraint in &robot.constraints {
        let ConstraintKind::Coupling { terms, .. } = &constraint.kind else { continue };
        let Some(own) = terms.first() else { continue };
        let joint = &robot.joints[own.joint];
        if terms.len() == 2 && !known.contains_key(&(own.joint, own.axis)) {
            let message = format!("joint \"{}\" mimics a joint that mimics it in turn", joint.name);
            let problem = Problem::new("W0801", "", message)
                .help("such joints hold each other in place, unless all their multipliers give 1: let one lead the others");
            context.warn_once("ring of mimics", problem, joint.span);
        }
        let axis = &joint.axes[own.axis];
        let beyond = (axis.start - axis.within_limits(axis.start)).abs();
        if beyond > ROUNDING && !robot.has_stated_start {
            let message = format!(
                "joint \"{}\" starts {beyond:.3} beyond its limit, where the joint that it mimics puts it",
                joint.name
            );
            let problem = Problem::new("W0801", "", message)
                .help("no place of the leader keeps to the limits of all: widen them, or correct multiplier and offset");
            context.warn_once("mimic beyond its limit", problem, joint.span);
        }
    }
}
