//! Rigid surfaces that are open and touch to rounding: what they may dip below zero by before they close.

use carom_solvers::crossing::Look;

use super::Evaluator;
use super::rigid::{IDLE, OVERLAP, STILL};
use super::rims::slack_of_flat;
use super::step_view::Seen;
use crate::record::ContactMode;

/// Overlap, over the model's length, from which rigid contacts may part: where another one has begun on a feature nearby, within what the
/// geometry takes for one, the bodies are moved onto that.
const PARTING: f64 = 1e-6;
/// What settling takes for rest, so many times, is none to begin with: what goes back onto other contacts then moves by as little.
const SETTLED: f64 = 10.0;
/// What hovers beside what it touches moves by no more than so many times what counts as still.
const HOVERING: f64 = 10.0;
/// How far, in roundings of its gap, a rigid contact that lies on the other body may sink before it is one again, where others of its pair
/// hold: of the corners that a face rests on some carry nothing and have let go, and hardly any search tells them from what touches. It
/// comes to rest when it begins: so slow is what falls half of a flight that is not seen (`rigid::settle`).
const REDUNDANT: f64 = 16.0;

/// How far a rigid contact may sink in a step before it closes (m), from what is seen at its start. Surfaces that part from a gap of zero may dip
/// below it by rounding: they do not meet before they have come nearer than that, nor rigid ones that part from rest, or from an overlap which
/// is rounding. What gives closes at zero.
pub(super) fn slack_before_closing(
    evaluator: &Evaluator<'_>,
    contact: usize,
    start: &Look<Seen>,
    rounding: f64,
) -> f64 {
    if !evaluator.table.is_rigid(contact) {
        return 0.0;
    }
    let scales = &evaluator.system.scales;
    let points = evaluator.forces.iter().map(|force| &force.point);
    let speeds = points.map(|point| point.approach.abs().max(point.sliding.norm()));
    let fastest = speeds.fold(scales.velocity, f64::max);
    let parts = start.rate > STILL * scales.velocity;
    let overlap = if parts { PARTING } else { OVERLAP };
    let overlap = (overlap * scales.length).max(slack_of_flat(evaluator, contact));
    let has_touched = start.z > -overlap && start.z <= rounding;
    // It would begin over and over.
    if !has_touched || start.rate <= -SETTLED * STILL * fastest {
        return 0.0;
    }
    let beside = if is_held_beside(evaluator, contact) { REDUNDANT * rounding } else { 0.0 };
    (rounding + (-start.z).max(0.0)).max(beside)
}

/// Do rigid bodies go the same way beside each other, as the wheels of a car that stands on two others, or balls that have come to rest against each
/// other on equal strings? What is known of how they move does not tell that they never meet; they come to overlap by no more than what is idle may.
pub(super) fn hovers(evaluator: &Evaluator<'_>, contact: usize, ends: [&Look<Seen>; 2]) -> bool {
    let scales = &evaluator.system.scales;
    let is_still = |look: &&Look<Seen>| {
        look.z.abs() <= 0.5 * IDLE * scales.length && look.rate.abs() <= HOVERING * STILL * scales.velocity
    };
    evaluator.table.is_rigid(contact) && ends.iter().all(is_still)
}

/// Does another contact of the same pair hold?
fn is_held_beside(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let pair_of = |contact: usize| evaluator.table.contacts[contact].pair;
    let is_closed = |other: usize| evaluator.contacts.memory[other].mode == ContactMode::Closed;
    evaluator.contacts.active.iter().any(|&other| pair_of(other) == pair_of(contact) && is_closed(other))
}
