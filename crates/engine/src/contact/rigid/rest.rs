//! How contacts come to rest: slips that end, impacts that are the last of infinitely many, and the speeds that are left then.

use std::ops::Range;

use super::delassus::Delassus;
use super::ending::{EndingBuffers, end_speeds};
use super::flush::strikes_in_turn;
use super::hold::Holding;
use super::multipliers::{RigidWorkspace, STILL, free_accelerations};
use super::project::{take_held, take_points};
use super::rows::RigidPoint;
use super::settle::{RigidFault, SettleBuffers, SpeedOutcome, fastest, unstopped};
use super::single::law_of;
use super::watch::unresolved_slip;
use crate::contact::Evaluator;
use crate::contact::observe::gap_epsilon;
use crate::contact::rims::rounding_of_search;
use crate::system::Scales;

/// An impact slower than this share of the model's speed has no restitution, and what it parts slower than that stays: so end
/// infinitely many impacts in finite time, of a ball that comes to rest or of a sleeve that rattles between two corners.
const REST: f64 = 1e-6;
/// The same of impacts whose flights are lost in rounding because bodies turn into each other.
const FASTEST_REST: f64 = 1e-4;
/// A flight that does not rise above so many times the rounding of its gap is not seen: what would begin one stays, too.
const LEAST_FLIGHT: f64 = 32.0;
/// Slip, over the fastest of the points, that the event which says that it has ended may leave.
pub(super) const STOPPED: f64 = 1e-6;

/// Ends the slip of a contact that has come to rest, and of those of its problem that rest with it: what the errors of a step have
/// left. Returns the energy that this adds (J).
pub(super) fn end_slips(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (contact, range): (usize, Range<usize>),
    work: &mut RigidWorkspace,
) -> f64 {
    let SettleBuffers { closed, points, delassus, at_rest, .. } = &mut work.settling;
    let own = &points[range];
    let Some(ended) = own.iter().find(|point| point.contact == contact).map(slip_of) else { return 0.0 };
    let stopped = STOPPED * fastest(evaluator, own);
    if ended > stopped.max(unresolved_slip(evaluator)) {
        return 0.0;
    }
    let before = evaluator.energy_at(t, y);
    end_slow_speeds(evaluator, (own, delassus), Some(contact), (&mut work.ending, f64::INFINITY, at_rest), y);
    let added = evaluator.energy_at(t, y) - before;
    take_points(evaluator, t, y, closed, points);
    added
}

fn slip_of(point: &RigidPoint) -> f64 {
    point.speeds[1].hypot(point.speeds[2])
}

/// Ends the speeds of a problem's points along their normals, and where friction holds their slips that are slow, and that of the contact which
/// `has_stopped`. Returns whether that can be, without one that approaches faster than `most` (m/s) after it.
fn end_slow_speeds(
    evaluator: &mut Evaluator<'_>,
    (points, delassus): (&[RigidPoint], &Delassus),
    has_stopped: Option<usize>,
    (ending, most, at_rest): (&mut EndingBuffers, f64, &mut Vec<usize>),
    y: &mut [f64],
) -> bool {
    let slowest = STOPPED * fastest(evaluator, points);
    let has_friction = |point: &RigidPoint| law_of(evaluator, point.contact).friction > 0.0;
    let ends = |point: &RigidPoint| slip_of(point) <= slowest || has_stopped == Some(point.contact);
    let rows = |point: &RigidPoint| point.count_held(has_friction(point) && ends(point));
    let has_ended = end_speeds(evaluator, (points, delassus), (ending, most), rows, y);
    if has_ended {
        at_rest.extend(points.iter().filter(|point| ends(point)).map(|point| point.contact));
    }
    has_ended
}

/// Notes slips that have just begun and that projections have set back, by no more than what counts as slow: they end where they go back farther. By
/// what was left of them before they would end at once, over and over.
pub(super) fn note_set_back(evaluator: &mut Evaluator<'_>, (t, y): (f64, &[f64]), work: &mut RigidWorkspace) {
    let SettleBuffers { closed, points, .. } = &mut work.settling;
    take_held(evaluator, closed);
    take_points(evaluator, t, y, closed, points);
    let slowest = STOPPED * fastest(evaluator, points);
    for point in points.iter() {
        let hold = &mut evaluator.contacts.memory[point.contact].hold;
        let speed = point.motion.sliding.dot(&hold.direction);
        if hold.holding == Holding::Slide && !hold.is_slipping && speed >= -slowest {
            hold.ends_at = hold.ends_at.min(speed);
        }
    }
}

/// Ends what impacts that bring contacts to rest have left of their speeds, and slips as slow as what errors leave of one: a block whose
/// slip went on for nanoseconds tipped by its friction, and so rocked for ever. All of a problem together, so that what one loses is not
/// given to another. Returns the energy that this adds (J), and whether some are left; none if a body's inertia is not positive. Where two
/// contacts can hardly move apart, and what is left of that would strike one of them again and again, what parts is not held: its problem
/// does not rest.
pub(super) fn end_rebounds(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    work: &mut RigidWorkspace,
) -> Option<(f64, bool)> {
    let RigidWorkspace { settling, ending, .. } = work;
    let SettleBuffers { closed, islands, points, outcomes, delassus, at_rest, .. } = settling;
    if !outcomes.iter().any(|outcome| outcome.rests) {
        return Some((0.0, false));
    }
    let before = evaluator.energy_at(t, y);
    take_points(evaluator, t, y, closed, points);
    if !delassus.prepare(evaluator) {
        return None;
    }
    let mut are_left = false;
    for (island, outcome) in outcomes.iter_mut().enumerate().filter(|(_, outcome)| outcome.rests) {
        let own = &mut points[islands.range(island)];
        delassus.update(evaluator, own);
        let in_turn = own.iter().any(|point| strikes_in_turn(evaluator, point.contact));
        let most = if in_turn { unstopped(evaluator, own) } else { f64::INFINITY };
        if !end_slow_speeds(evaluator, (own, delassus), None, (ending, most, at_rest), y) {
            *outcome = SpeedOutcome { slowest: STILL * fastest(evaluator, own), rests: false };
            are_left = true;
        }
    }
    Some((evaluator.energy_at(t, y) - before, are_left))
}

/// Speed of approach below which the impact of a problem comes to rest (m/s): by rule, or because the flight after it, v²/2a high, would
/// be lost in the rounding of the gaps, where a is the model's speed squared over its length, or how fast the bodies of a point are
/// pressed, or turn, into each other. That is asked where the impact is slow enough; of round ends that strike the faces of solids it is the rounding of
/// the search for nearest points, as which they begin.
pub(super) fn rest_speed(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &[f64]),
    ([approach, slowest], range): ([f64; 2], Range<usize>),
    work: &mut RigidWorkspace,
) -> Result<f64, RigidFault> {
    let Scales { velocity, length, .. } = evaluator.system.scales;
    let own = &work.settling.points[range.clone()];
    let rounding = own.iter().map(|point| gap_epsilon(&point.motion) * point.arm).fold(0.0, f64::max);
    let resting = unseen_flight(rounding, velocity * velocity / length).max(REST * velocity);
    let fastest = FASTEST_REST * velocity;
    if approach < resting || approach >= fastest {
        return Ok(resting);
    }
    take_falls(evaluator, (t, y), range.clone(), work)?;
    let RigidWorkspace { settling, free, .. } = work;
    let unseen = settling.points[range].iter().zip(&*free).map(|(point, &fall)| {
        let is_struck = -point.speeds[0] > slowest;
        let searched = rounding_of_search(evaluator, point.contact, &point.motion);
        let searched = searched.filter(|(_, is_round)| is_struck && *is_round);
        unseen_flight(searched.map_or(rounding, |(own, _)| rounding.max(own)), fall)
    });
    Ok(resting.max(unseen.fold(0.0, f64::max).min(fastest)))
}

/// Finds the points of a problem that stand on the faces of solids and part, though no farther than what the search for nearest points leaves of a gap: such
/// contacts stay, and come to rest (`end_rebounds`). Not where another point of the same two bodies stands: over that they tip. Nor where nothing presses the bodies
/// together: what falls with what it stands on parts. Returns whether any hovers.
pub(super) fn find_hovering(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &[f64]),
    (still, range): (f64, Range<usize>),
    work: &mut RigidWorkspace,
) -> Result<bool, RigidFault> {
    let fastest = FASTEST_REST * evaluator.system.scales.velocity;
    let search = |evaluator: &Evaluator<'_>, own: &[RigidPoint], point: &RigidPoint| {
        if point.speeds[0] <= still || point.speeds[0] > fastest {
            return None;
        }
        let (rounding, _) = rounding_of_search(evaluator, point.contact, &point.motion)?;
        let bodies =
            |point: &RigidPoint| evaluator.table.pairs[evaluator.table.contacts[point.contact].pair].bodies;
        let stands = |other: &RigidPoint| {
            other.speeds[0] <= still.max(STOPPED * point.speeds[0]) && bodies(other) == bodies(point)
        };
        (!own.iter().any(stands)).then_some(rounding)
    };
    let own = &work.settling.points[range.clone()];
    if !own.iter().any(|point| search(evaluator, own, point).is_some()) {
        return Ok(false);
    }
    take_falls(evaluator, (t, y), range.clone(), work)?;
    let RigidWorkspace { settling: SettleBuffers { points, hovering, .. }, free, .. } = work;
    let (own, before) = (&points[range], hovering.len());
    hovering.extend(own.iter().zip(&*free).filter_map(|(point, &fall)| {
        let slowest = (2.0 * search(evaluator, own, point)? * fall).sqrt();
        (point.speeds[0] <= slowest).then_some(point.contact)
    }));
    Ok(hovering.len() > before)
}

/// Speed (m/s) below which a flight, v²/2a high, does not rise above the rounding of its gap (m) as far as it must to be seen.
fn unseen_flight(rounding: f64, acceleration: f64) -> f64 {
    (2.0 * LEAST_FLIGHT * rounding * acceleration).sqrt()
}

/// Takes how fast the bodies of a problem's points would be pressed, or turn, into each other without the forces of contacts (m/s²); zero
/// where they would part. They are left in `free`, point by point.
fn take_falls(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &[f64]),
    range: Range<usize>,
    work: &mut RigidWorkspace,
) -> Result<(), RigidFault> {
    evaluator.update(t, y);
    if !free_accelerations(evaluator, work) {
        return Err(RigidFault::Unsound);
    }
    let RigidWorkspace { settling, links, freedoms, free, .. } = work;
    free.clear();
    free.extend(settling.points[range].iter_mut().map(|point| {
        point.update_bias(evaluator);
        -(point.directions[0].along(links, freedoms) + point.bias[0]).min(0.0)
    }));
    Ok(())
}
