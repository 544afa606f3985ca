//! How contacts come to rest: slips that end, impacts that are the last of infinitely many, and the speeds that are left then.

use std::ops::Range;

use super::delassus::Delassus;
use super::multipliers::{RigidWorkspace, free_accelerations};
use super::project::{ProjectionBuffers, end_speeds, take_points};
use super::rows::RigidPoint;
use super::settle::{RigidFault, SettleBuffers, fastest};
use super::single::law_of;
use super::watch::unresolved_slip;
use crate::contact::Evaluator;
use crate::contact::observe::gap_epsilon;
use crate::system::Scales;

/// An impact slower than this share of the model's speed has no restitution, and what it parts slower than that stays: so end
/// infinitely many impacts in finite time, of a ball that comes to rest or of a sleeve that rattles between two corners.
const REST: f64 = 1e-6;
/// The same of impacts whose flights are lost in rounding because bodies turn into each other.
const FASTEST_REST: f64 = 1e-4;
/// A flight that does not rise above so many times the rounding of its gap is not seen: what would begin one stays, too.
const LEAST_FLIGHT: f64 = 32.0;
/// Slip, over the fastest of the points, that the event which says that it has ended may leave.
const STOPPED: f64 = 1e-6;

/// Ends the slip of a contact that has come to rest, and of those of its problem that rest with it: what the errors of a step have
/// left. Returns the energy that this adds (J).
pub(super) fn end_slips(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (contact, range): (usize, Range<usize>),
    work: &mut RigidWorkspace,
) -> f64 {
    let SettleBuffers { closed, points, delassus, .. } = &mut work.settling;
    let own = &points[range];
    let Some(ended) = own.iter().find(|point| point.contact == contact).map(slip_of) else { return 0.0 };
    let stopped = STOPPED * fastest(evaluator, own);
    if ended > stopped.max(unresolved_slip(evaluator)) {
        return 0.0;
    }
    let before = evaluator.energy_at(t, y);
    end_slow_speeds(evaluator, (own, delassus), Some(contact), &mut work.projection, y);
    let added = evaluator.energy_at(t, y) - before;
    take_points(evaluator, t, y, closed, points);
    added
}

fn slip_of(point: &RigidPoint) -> f64 {
    point.speeds[1].hypot(point.speeds[2])
}

/// Ends the speeds of a problem's points along their normals, and where friction holds their slips that are slow, and that of the contact which
/// `has_stopped`.
fn end_slow_speeds(
    evaluator: &mut Evaluator<'_>,
    (points, delassus): (&[RigidPoint], &Delassus),
    has_stopped: Option<usize>,
    projection: &mut ProjectionBuffers,
    y: &mut [f64],
) {
    let slowest = STOPPED * fastest(evaluator, points);
    let has_friction = |point: &RigidPoint| law_of(evaluator, point.contact).friction > 0.0;
    let ends = |point: &RigidPoint| slip_of(point) <= slowest || has_stopped == Some(point.contact);
    let rows = |point: &RigidPoint| point.count_held(has_friction(point) && ends(point));
    end_speeds(evaluator, (points, delassus), projection, rows, y);
}

/// Ends what impacts that bring contacts to rest have left of their speeds, and slips as slow as what errors leave of one: a block whose
/// slip went on for nanoseconds tipped by its friction, and so rocked for ever. All of a problem together, so that what one loses is not
/// given to another. Returns the energy that this adds (J); none if a body's inertia is not positive.
pub(super) fn end_rebounds(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    work: &mut RigidWorkspace,
) -> Option<f64> {
    let SettleBuffers { closed, islands, points, outcomes, delassus, .. } = &mut work.settling;
    if !outcomes.iter().any(|outcome| outcome.rests) {
        return Some(0.0);
    }
    let before = evaluator.energy_at(t, y);
    take_points(evaluator, t, y, closed, points);
    if !delassus.prepare(evaluator) {
        return None;
    }
    for island in (0..islands.len()).filter(|&island| outcomes[island].rests) {
        let own = &mut points[islands.range(island)];
        delassus.update(evaluator, own);
        end_slow_speeds(evaluator, (own, delassus), None, &mut work.projection, y);
    }
    Some(evaluator.energy_at(t, y) - before)
}

/// Speed of approach below which the impact of a problem comes to rest (m/s): by rule, or because the flight after it, v²/2a high, would
/// be lost in the rounding of the gaps, where a is the model's speed squared over its length, or how fast the bodies of a point are
/// pressed, or turn, into each other. That is asked where the impact is slow enough.
pub(super) fn rest_speed(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &[f64]),
    (approach, range): (f64, Range<usize>),
    work: &mut RigidWorkspace,
) -> Result<f64, RigidFault> {
    let Scales { velocity, length, .. } = evaluator.system.scales;
    let own = &work.settling.points[range.clone()];
    let rounding = own.iter().map(|point| gap_epsilon(&point.motion) * point.arm).fold(0.0, f64::max);
    let unseen = |acceleration: f64| (2.0 * LEAST_FLIGHT * rounding * acceleration).sqrt();
    let resting = unseen(velocity * velocity / length).max(REST * velocity);
    let fastest = FASTEST_REST * velocity;
    if approach < resting || approach >= fastest {
        return Ok(resting);
    }
    evaluator.update(t, y);
    if !free_accelerations(evaluator, work) {
        return Err(RigidFault::Unsound);
    }
    let RigidWorkspace { settling, links, freedoms, .. } = work;
    let falls = settling.points[range].iter_mut().map(|point| {
        point.update_bias(evaluator);
        -(point.directions[0].along(links, freedoms) + point.bias[0])
    });
    Ok(resting.max(unseen(falls.fold(0.0, f64::max)).min(fastest)))
}
