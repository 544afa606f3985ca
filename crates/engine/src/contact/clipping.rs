//! Contacts whose law is clipped: what they do as they begin, let go and end is so little that no step ends for it
//! (certificates.md 1).
//!
//! A clipped contact pushes where its surfaces overlap and its law pushes, and does nothing elsewhere: one formula for all its modes, so
//! that a step may go over their changes. At the start of a step it is the force of its mode. An open contact that is clipped is
//! evaluated ("watched") before it begins, with the damping of the approach speed that is expected there.

use carom_math::Pose;
use carom_solvers::Kinks;

use super::kinks::KinkBook;
use super::passing::RISE;
use super::placed::Placed;
use super::{ContactForce, Evaluator, LEDGER_QUADRATURES, Load, PointMotion, QUADRATURES, finder};
use crate::law::{Damping, Exponent};
use crate::mechanics::kinematics::BodyKinematics;
use crate::model::JointKind;
use crate::record::{ContactMode, Peaks};
use crate::system::{PairSource, System};

/// An open contact is watched if its gap is less than so many times what it closes in the next step.
const MARGIN: f64 = 1.25;
/// States of a free body.
const FREE: usize = 13;

/// Where a run is, as far as the next step is to be foreseen.
pub(crate) struct Outlook<'a> {
    /// Length of the next step (s).
    pub(crate) step: f64,
    pub(crate) state: &'a [f64],
    pub(crate) rates: &'a [f64],
    pub(crate) kinks: &'a Kinks,
}

/// Can the contact be clipped? One point, a law whose force sets in with the depth and no memory but the approach speed, and bodies that
/// nothing but forces holds, so that what a force does to them is known.
pub(crate) fn is_clippable(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let data = &evaluator.table.contacts[contact];
    let pair = &evaluator.table.pairs[data.pair];
    let is_point = matches!(pair.source, PairSource::Surfaces(_))
        && pair.rigid.is_none()
        && pair.source.manifold_weight().is_none();
    let starts_smoothly = !data.law.jumps_at_touch()
        && !matches!(data.law.exponent, Exponent::Other(n) if n < 1.0)
        && pair.mu_visc == 0.0
        && pair.friction.states() == 0;
    is_point
        && starts_smoothly
        && !evaluator.workspace.mechanism.is_constrained()
        && pair.bodies.iter().all(|&body| is_free_or_fixed(&evaluator.system, body))
}

fn is_free_or_fixed(system: &System, body: usize) -> bool {
    system.mechanics.bodies[body].link.is_none_or(|link| {
        let link = &system.mechanics.links[link];
        link.lone && link.kind == JointKind::Free
    })
}

/// Has the contact's law the damping of another approach speed than that of its begin? Then what it does in the step is off by this
/// force at the end (N).
pub(super) fn damping_misfit(
    evaluator: &Evaluator<'_>,
    contact: usize,
    end: &PointMotion,
    approach: f64,
) -> f64 {
    let law = &evaluator.table.contacts[contact].law;
    let used = evaluator.contacts.memory[contact].frozen_damping;
    let elastic = law.force(-end.gap, 0.0, 0.0).elastic;
    (elastic * (law.frozen_damping(approach, f64::INFINITY) - used) * end.approach).abs()
}

/// Starts to evaluate an open contact, which expects to begin at `approach` (m/s) and is here now.
pub(crate) fn watch(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    now: &PointMotion,
    approach: f64,
    time: f64,
) {
    let law = evaluator.table.contacts[contact].law;
    debug_assert!(!matches!(law.damping, Damping::Additive { .. }));
    let memory = &mut evaluator.contacts.memory[contact];
    if !memory.watched {
        memory.watched = true;
        memory.load = Load { force: 0.0, depth: -now.gap, rate: now.approach, ..Load::default() };
        memory.load_before = memory.load;
        memory.lag = 0.0;
        forget_past(evaluator, contact, time);
    }
    let memory = &mut evaluator.contacts.memory[contact];
    memory.clipped = true;
    memory.frozen_damping = law.frozen_damping(approach, f64::INFINITY);
}

/// What is summed up and kept from now on is of the contact that comes.
pub(super) fn forget_past(evaluator: &mut Evaluator<'_>, contact: usize, time: f64) {
    let memory = &mut evaluator.contacts.memory[contact];
    memory.peaks = Peaks::beginning(time);
    memory.impulse_normal = 0.0;
    memory.impulse_tangential.fill(0.0);
}

/// No contact is clipped any more; true if one that was evaluated is not now.
pub(crate) fn clip_none(evaluator: &mut Evaluator<'_>) -> bool {
    let mut changes = false;
    for slot in 0..evaluator.contacts.active.len() {
        let memory = &mut evaluator.contacts.memory[evaluator.contacts.active[slot]];
        if std::mem::take(&mut memory.clipped) && memory.mode == ContactMode::Open {
            memory.watched = false;
            changes = true;
        }
    }
    changes
}

/// Says of every contact that is evaluated, and of the open ones in `near`, whether it is clipped in the next step: if what is
/// foreseen of it is little enough. Returns whether the contacts to be evaluated are others now.
pub(crate) fn choose(
    evaluator: &mut Evaluator<'_>,
    book: &KinkBook,
    near: &[usize],
    outlook: &Outlook<'_>,
    time: f64,
) -> bool {
    let mut changes = false;
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        if evaluator.contacts.memory[contact].mode == ContactMode::Open || !is_clippable(evaluator, contact) {
            continue;
        }
        let clipped = lets_go_unnoticed(evaluator, book, slot, outlook);
        evaluator.contacts.memory[contact].clipped = clipped;
    }
    for &contact in near {
        if evaluator.contacts.memory[contact].mode != ContactMode::Open || !is_clippable(evaluator, contact) {
            continue;
        }
        let now = evaluator.motion_of(contact);
        let was = evaluator.contacts.memory[contact].watched;
        match begins_unnoticed(evaluator, book, contact, &now, outlook) {
            Some(approach) => watch(evaluator, contact, &now, approach, time),
            None => {
                let memory = &mut evaluator.contacts.memory[contact];
                (memory.watched, memory.clipped) = (false, false);
            }
        }
        changes |= evaluator.contacts.memory[contact].watched != was;
    }
    changes
}

/// Is what a contact's letting go and end in the next step, if they are to be expected, would do little enough?
fn lets_go_unnoticed(evaluator: &Evaluator<'_>, book: &KinkBook, slot: usize, outlook: &Outlook<'_>) -> bool {
    let contact = evaluator.contacts.active[slot];
    let memory = &evaluator.contacts.memory[contact];
    let law = &evaluator.table.contacts[contact].law;
    let h = outlook.step;
    let load = Load::of(&evaluator.forces[slot]);
    let rate = if memory.lag > 0.0 { (load.rate - memory.load_before.rate) / memory.lag } else { 0.0 };
    let (depth, approach) = (load.depth + h * (load.rate + 0.5 * h * rate), load.rate + h * rate);
    let then = law.force(depth, approach, memory.frozen_damping);
    let factor = law.release_function(depth, approach, memory.frozen_damping);
    let mut force = 0.0;
    if memory.mode == ContactMode::Closed && factor < 0.0 {
        let elastic = law.force(load.depth, 0.0, 0.0).elastic.abs().max(then.elastic.abs());
        force += outlook.kinks.bounds(1.0, 1.0)[0] * elastic * -factor;
    }
    if depth < 0.0 && memory.mode == ContactMode::Closed {
        let left = (depth / (depth - load.depth)).clamp(0.0, 1.0);
        force += outlook.kinks.bounds(law.exponent.value(), left)[0] * then.total.abs();
    }
    book.is_little(evaluator, contact, force, h)
}

/// The approach speed at which an open contact is to begin, if it is to begin in the next step or little later and what it does
/// in the step is little enough.
fn begins_unnoticed(
    evaluator: &Evaluator<'_>,
    book: &KinkBook,
    contact: usize,
    now: &PointMotion,
    outlook: &Outlook<'_>,
) -> Option<f64> {
    let h = outlook.step;
    let at_end = foresee(evaluator, contact, h, outlook)?;
    let closing = now.approach.max(at_end.approach).max(0.0) * h;
    if now.gap > MARGIN * closing {
        return None;
    }
    let mean = 0.5 * (now.approach + at_end.approach);
    let until = if now.gap < h * mean { now.gap / mean } else { h };
    let begin = foresee(evaluator, contact, until, outlook)?;
    let rest = if begin.approach > 0.0 { (begin.gap / begin.approach).clamp(-h, h) } else { 0.0 };
    let approach = begin.approach + rest / h * (at_end.approach - now.approach);
    let law = &evaluator.table.contacts[contact].law;
    let left = 1.0 - until / h;
    if left * h > RISE * evaluator.table.contacts[contact].impact_duration(law.frozen_approach(approach)) {
        return None;
    }
    let depth = (left * h * approach).max(0.0);
    let damping = law.frozen_damping(approach, f64::INFINITY);
    let force = law.force(depth, approach, damping).total.abs();
    let error = if force > 0.0 { outlook.kinks.bounds(law.exponent.value(), left)[0] * force } else { 0.0 };
    book.is_little(evaluator, contact, error, h).then_some(approach)
}

/// Where a contact of free bodies will be, if their accelerations stay.
fn foresee(
    evaluator: &Evaluator<'_>,
    contact: usize,
    after: f64,
    outlook: &Outlook<'_>,
) -> Option<PointMotion> {
    let system = &*evaluator.system;
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let (surfaces, swapped) = pair.source.surfaces()?;
    let bodies = pair.bodies.map(|body| {
        let Some(link) = system.mechanics.bodies[body].link else { return evaluator.workspace.bodies[body] };
        let first = system.mechanics.links[link].first_state;
        let (y, rates) = (&outlook.state[first..first + FREE], &outlook.rates[first..first + FREE]);
        let mut then: [f64; FREE] = std::array::from_fn(|k| y[k] + after * rates[k]);
        for k in 0..3 {
            then[k] += 0.5 * after * after * rates[7 + k];
        }
        BodyKinematics::from_state(&then)
    });
    let owners = if swapped { [1, 0] } else { [0, 1] };
    let poses: [Pose; 2] = [0, 1].map(|k| bodies[owners[k]].pose.compose(&system.surfaces[surfaces[k]].pose));
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    Some(finder::find_point(evaluator, contact, &placed))
}

/// Takes up the contacts that are to be evaluated from now on, where the evaluator is: of those that were, and of the open ones in `near`.
/// Writes of each new quadrature which of the old ones it is, if any.
pub(crate) fn take_watched(evaluator: &mut Evaluator<'_>, near: &[usize], old: &mut Vec<Option<usize>>) {
    let mut before = std::mem::take(&mut evaluator.before);
    before.clear();
    before.extend_from_slice(&evaluator.contacts.active);
    evaluator.contacts.rebuild_active_among(near, &evaluator.table);
    old.clear();
    old.extend((0..LEDGER_QUADRATURES).map(Some));
    let mut forces = std::mem::take(&mut evaluator.forces_before);
    forces.clear();
    for &contact in &evaluator.contacts.active {
        let slot = before.binary_search(&contact).ok();
        let first = slot.map(|slot| LEDGER_QUADRATURES + QUADRATURES * slot);
        old.extend((0..QUADRATURES).map(|k| first.map(|first| first + k)));
        forces.push(match slot {
            Some(slot) => evaluator.forces[slot],
            None => ContactForce::at(evaluator.motion_of(contact)),
        });
    }
    std::mem::swap(&mut evaluator.forces, &mut forces);
    (evaluator.before, evaluator.forces_before) = (before, forces);
}
