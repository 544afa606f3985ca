//! What ends the hold of a rigid contact, as functions that fall through zero.

use super::hold::{Holding, plane_of};
use super::multipliers::{INCIPIENT, STILL};
use super::project::is_held;
use crate::contact::held_face::{follow_face, room_left};
use crate::contact::rims::{is_of_end, turns_flat};
use crate::contact::{Evaluator, Transition};
use crate::system::PairSource;

/// Rounding of forces: this share of the largest, or of the contact's mass times the model's speed squared over its length.
const NOTHING: f64 = 1e-11;
/// What the forces of an event may be off friction's bound by, of the largest force: what it lets stick there slips no sooner.
const AT_BOUND: f64 = 4e-9;
/// A slip that is slower than so many relative tolerances, over the model's speed, and turns in a step so that this cosine is left, is led around rest
/// by the errors of steps: it ends as soon as it falls, to this share.
const UNRESOLVED: f64 = 20.0;
const STRAIGHT: f64 = 0.98;
const FALLING: f64 = 0.9;
/// A contact that is idle may be apart, or overlap, by this share of the model's length.
pub(crate) const IDLE: f64 = 1e-9;
/// What contradicts by less than this share of the largest acceleration is rounding; each time that nothing was to change it may
/// contradict so much more.
const CONTRADICTION: f64 = 1e-8;
const MORE: f64 = 100.0;

/// What a change of a contact is after a step of this length (s). A normal force that is lost within the rounding of time is found again and again
/// where the state is the same, as where a normal jumps: it is gone, and its contact parts; but for a point of a flat end, which that turns.
pub(crate) fn after_step(
    evaluator: &Evaluator<'_>,
    contact: usize,
    change: Transition,
    length: f64,
) -> Transition {
    let is_held = evaluator.contacts.memory[contact].hold.holding.has_rows();
    let is_gone = change == Transition::Detach && is_held && length == 0.0;
    if is_gone && !turns_flat(evaluator, contact) { Transition::Open } else { change }
}

/// Changes that a held contact is watched for.
pub(crate) fn watched_changes(
    evaluator: &Evaluator<'_>,
    contact: usize,
) -> impl Iterator<Item = Transition> + use<> {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let may_leave =
        matches!(pair.source, PairSource::Facets(_) | PairSource::Planar(_)) || is_of_end(evaluator, contact);
    changes_of_hold(evaluator, contact).iter().copied().chain(may_leave.then_some(Transition::Leave))
}

fn changes_of_hold(evaluator: &Evaluator<'_>, contact: usize) -> &'static [Transition] {
    let has_friction = evaluator.table.rigid_law(contact).friction > 0.0;
    match evaluator.contacts.memory[contact].hold.holding {
        Holding::Undecided => &[],
        Holding::Idle => &[Transition::Detach],
        Holding::Stick => &[Transition::Detach, Transition::Slip, Transition::Contradict],
        Holding::Slide if has_friction => &[Transition::Detach, Transition::Stick, Transition::Contradict],
        Holding::Slide => &[Transition::Detach, Transition::Contradict],
    }
}

/// Value of such a function where the evaluator is, for the contact in this place among the active ones: the normal force, what is
/// left of friction's bound, the slip along its direction, how far accelerations are from a contradiction.
pub(crate) fn holding_function(evaluator: &Evaluator<'_>, slot: usize, change: Transition) -> f64 {
    let contact = evaluator.contacts.active[slot];
    let force = &evaluator.forces[slot];
    let hold = &evaluator.contacts.memory[contact].hold;
    let scales = &evaluator.system.scales;
    if change == Transition::Leave {
        return room_left(evaluator, contact);
    }
    if hold.holding == Holding::Idle {
        return IDLE * scales.length - force.point.gap.abs();
    }
    if change == Transition::Contradict {
        return limit_of_contradiction(hold.doubts) - evaluator.rigid.contradictions[slot];
    }
    let slack = force_rounding(evaluator, contact);
    match change {
        Transition::Slip => {
            let slack = slack * (AT_BOUND / NOTHING);
            evaluator.table.rigid_law(contact).friction * force.normal - force.friction.norm() + slack
        }
        Transition::Stick => {
            let sliding = &force.point.sliding;
            let along = sliding.dot(&hold.direction);
            if hold.is_slipping {
                sliding.norm().copysign(along) - hold.ends_at
            } else {
                along - hold.ends_at + 10.0 * STILL * scales.velocity
            }
        }
        _ => force.normal + slack,
    }
}

/// Share of the largest acceleration by which what is held may contradict itself, after so many decisions in a row that nothing was to change.
pub(super) fn limit_of_contradiction(doubts: u32) -> f64 {
    (0..doubts).fold(CONTRADICTION, |limit, _| MORE * limit)
}

/// Is such a function zero to rounding?
pub(crate) fn is_located(evaluator: &Evaluator<'_>, slot: usize, change: Transition) -> bool {
    let contact = evaluator.contacts.active[slot];
    let is_idle = evaluator.contacts.memory[contact].hold.holding == Holding::Idle;
    if matches!(change, Transition::Leave | Transition::Contradict) || is_idle {
        return true;
    }
    let rounding = match change {
        Transition::Stick => 0.1 * STILL * evaluator.system.scales.velocity,
        _ => force_rounding(evaluator, contact),
    };
    holding_function(evaluator, slot, change).abs() <= rounding
}

/// What rounding leaves of a contact's forces (N).
fn force_rounding(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    let scales = &evaluator.system.scales;
    let largest = evaluator.forces.iter().map(|f| f.normal.abs()).fold(0.0, f64::max);
    let mass = evaluator.table.contacts[contact].nominal_mass;
    NOTHING * (largest + mass * scales.velocity * scales.velocity / scales.length)
}

/// Slip (m/s) of which the errors of steps leave no direction.
pub(super) fn unresolved_slip(evaluator: &Evaluator<'_>) -> f64 {
    UNRESOLVED * evaluator.system.tolerances.relative * evaluator.system.scales.velocity
}

/// Keeps what the next step starts from: the tangents and the direction of the slip, where the evaluator is.
pub(crate) fn keep_holds(evaluator: &mut Evaluator<'_>) {
    let unresolved = unresolved_slip(evaluator);
    let [still, incipient] = [STILL, INCIPIENT].map(|share| share * evaluator.system.scales.velocity);
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        if !is_held(evaluator, contact) {
            continue;
        }
        follow_face(evaluator, contact);
        let (point, friction) = (evaluator.forces[slot].point, evaluator.forces[slot].friction);
        let plane = plane_of(evaluator, contact);
        let rounding = force_rounding(evaluator, contact);
        let hold = &mut evaluator.contacts.memory[contact].hold;
        hold.tangent = hold.tangents(&point.normal, plane)[0];
        let speed = point.sliding.norm();
        if hold.holding != Holding::Slide {
            continue;
        }
        hold.is_slipping |= speed > incipient;
        if hold.is_slipping && speed > 2.0 * still {
            let is_turning = point.sliding.dot(&hold.direction) < STRAIGHT * speed;
            hold.direction = point.sliding / speed;
            let is_led = is_turning && speed < unresolved && plane.is_none();
            hold.ends_at = if is_led { FALLING * speed } else { 0.0 };
        } else if !hold.is_slipping && friction.norm() > rounding {
            // Friction without a load has the direction of rounding.
            hold.direction = -friction.normalize();
        }
    }
}
