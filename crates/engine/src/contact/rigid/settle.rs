//! An event of rigid contacts: impacts first, then the accelerations, then what each contact does from now on.

use std::ops::Range;

use super::decide::{Decision, Held, calc_rounding, decide, find_forces, turn_ends};
use super::delassus::Delassus;
use super::failure::ConeFailure;
use super::hold::{Hold, Holding};
use super::impact::ImpactSolver;
use super::islands::Islands;
use super::multipliers::{RigidWorkspace, STILL, free_accelerations, with_buffers};
use super::project::{return_to_contacts, take_points};
use super::rest::{end_rebounds, end_slips, find_hovering, note_set_back, rest_speed};
use super::rows::{RigidPoint, RigidPoints};
use super::single::{cable_of, law_of, single_motion};
use crate::contact::commit::{change_cable, event, open};
use crate::contact::rims::{Turns, lies_over_border, settle_down, tip_over_border};
use crate::contact::{Astray, Evaluator, Transition};
use crate::law::RigidLaw;
use crate::record::{ContactMode, Event, EventKind, Impact};
use crate::system::PairSource;

/// Overlap, over the model's length, at which a run may take up a contact, and which rounding may leave of one that parts.
pub(crate) const OVERLAP: f64 = 1e-9;
/// The same within a run, between whose steps what is held drifts by its tolerances.
pub(crate) const DRIFT: f64 = 1e-6;
/// An impact after which points are so many times faster than before and than the model, by the work of motors, is none: their bodies cannot
/// give way. No lever that is built throws as far.
const JAMMED: f64 = 1e5;
/// What rounding leaves of the speeds of contacts, over the fastest.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Forces and accelerations over the largest that count as none.
pub(super) const NOTHING: f64 = 1e-9;

/// Turns of flat round ends in one event: each leaves half of what the points are off, or less, and 1e-7 rad is enough.
const TURNS: usize = 64;
/// Of which so many lead to where an end that tips over one point is lowest. Where that is no one place, as where two rims cross, it rolls from where it is.
const ROLLS: usize = 32;

/// Why an event has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RigidFault {
    /// The contact starts with this overlap (m).
    Overlap { contact: usize, depth: f64 },
    /// Inertia or positions are no numbers to go on with.
    Unsound,
    /// Neither side of the contact can move along its row.
    Immovable { contact: usize },
    /// A given motion would throw the bodies of the contact off this fast (m/s), from `before` or less.
    Jammed { contact: usize, before: f64, after: f64 },
    /// A solid with round ends lies on a face, over its border.
    OverBorder { contact: usize },
    /// No impulses, or no forces, meet the conditions of the contacts.
    NoAnswer { contacts: Vec<usize>, is_impact: bool, failure: ConeFailure },
    /// A state could not be put onto contacts and constraints.
    Astray(Astray),
}

impl From<Astray> for RigidFault {
    fn from(astray: Astray) -> Self {
        Self::Astray(astray)
    }
}

/// What an event has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled {
    /// What motors put in during the impacts (J), and what projections added.
    pub(crate) motors: f64,
    pub(crate) projected: f64,
    pub(crate) impacts: u64,
    /// Impacts whose law would have gained energy.
    pub(crate) scaled: u64,
    pub(crate) iterations: u64,
    /// How long the shortest flight that has just begun will last, as the forces are now (s).
    pub(crate) flight: f64,
}

/// Buffers of events.
#[derive(Clone, Debug, Default)]
pub(super) struct SettleBuffers {
    /// Contacts that are closed, by problem, and what each did before.
    pub(super) closed: Vec<usize>,
    pub(super) islands: Islands,
    before: Vec<Hold>,
    pub(super) points: RigidPoints,
    /// By problem: what has become of its speeds.
    pub(super) outcomes: Vec<SpeedOutcome>,
    /// Contacts that part, though no farther than the rounding of their gaps.
    pub(super) hovering: Vec<usize>,
    /// Contacts whose slips have been ended. What that leaves, where hardly anything moves along their rows, is no slip.
    pub(super) at_rest: Vec<usize>,
    /// Contacts that the impact has parted.
    parted: Vec<usize>,
    /// Overlap, over the model's length, from which contacts may be taken up.
    most_overlap: f64,
    flying: RigidPoints,
    pub(super) delassus: Delassus,
    /// Of the impact: γ⁻ and laws.
    speeds: Vec<f64>,
    laws: Vec<RigidLaw>,
    impact: ImpactSolver,
    decision: Decision,
}

/// What an event has done to the speeds of a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeedOutcome {
    /// What parts slower than this stays (m/s).
    pub(super) slowest: f64,
    /// An impact has brought it to rest, or something hovers.
    pub(super) rests: bool,
}

/// Settles an event at a state, which impacts and projections change. `cause` is the contact that it was located for; where it
/// `is_local` what its bodies do not hang together with goes on as before, but for contacts that have closed. What impacts lost is in
/// the buffers' `lost`. What overlaps by more than `most` of the model's length at an event without a cause is a fault.
pub(crate) fn settle(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
    (cause, is_local): (Option<(usize, Transition)>, bool),
    most: f64,
    log: &mut Vec<Event>,
) -> Result<Settled, RigidFault> {
    let mut settled = Settled { flight: f64::INFINITY, ..Settled::default() };
    let to = (&mut settled, log);
    let answered = with_buffers(evaluator, |evaluator, work| {
        work.settling.most_overlap = most;
        answer(evaluator, (t, y), (cause, is_local), work, to)
    })?;
    if answered {
        evaluator.rebuild_active();
        // A state that is off what is held from now on by more than rounding.
        let held = evaluator.energy_at(t, y);
        if return_to_contacts(evaluator, t, y)? {
            settled.projected += evaluator.energy_at(t, y) - held;
            with_buffers(evaluator, |evaluator, work| note_set_back(evaluator, (t, y), work));
        }
    }
    Ok(settled)
}

/// Speeds and forces after an event; false if there are none to find.
fn answer(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (mut cause, is_local): (Option<(usize, Transition)>, bool),
    work: &mut RigidWorkspace,
    (settled, log): (&mut Settled, &mut Vec<Event>),
) -> Result<bool, RigidFault> {
    work.lost.clear();
    work.several.clear();
    settle_down(evaluator, (t, y), log);
    for _ in 0..TURNS {
        match try_answer(evaluator, (t, y), (cause, is_local), work, (settled, log))? {
            Tried::Nothing => return Ok(false),
            Tried::Answered => return Ok(true),
            Tried::Struck => take_back(evaluator, &work.settling),
            // What it was located for has happened.
            Tried::TipsOver => cause = cause.map(|(contact, _)| (contact, Transition::Leave)),
        }
    }
    // Both solids hand over to each other, as where two rims cross.
    Err(RigidFault::OverBorder { contact: work.settling.closed[0] })
}

/// What has become of contacts that were to be answered.
enum Tried {
    Nothing,
    Answered,
    /// After an impact, or by its forces, a flat end tips over a border: others touch in place of its contacts.
    Struck,
    TipsOver,
}

/// Lets contacts be as before they were taken, of which nothing has been decided.
fn take_back(evaluator: &mut Evaluator<'_>, SettleBuffers { closed, before, .. }: &SettleBuffers) {
    for (&contact, before) in closed.iter().zip(before) {
        if let Some(group) = cable_of(evaluator, contact) {
            evaluator.workspace.mechanism.holds[group] = true;
        }
        let memory = &mut evaluator.contacts.memory[contact];
        if memory.mode == ContactMode::Closed {
            memory.hold = *before;
        }
    }
}

fn try_answer(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (cause, is_local): (Option<(usize, Transition)>, bool),
    work: &mut RigidWorkspace,
    (settled, log): (&mut Settled, &mut Vec<Event>),
) -> Result<Tried, RigidFault> {
    take_closed(evaluator, cause.filter(|_| is_local), &mut work.settling);
    if work.settling.closed.is_empty() {
        return Ok(Tried::Nothing);
    }
    evaluator.update(t, y);
    let buffers = &mut work.settling;
    take_points(evaluator, t, y, &buffers.closed, &mut buffers.points);
    let deepest = -buffers.most_overlap * evaluator.system.scales.length;
    let overlapping = buffers.points.iter().find(|point| point.motion.gap < deepest);
    if let Some(point) = overlapping.filter(|_| cause.is_none()) {
        return Err(RigidFault::Overlap { contact: point.contact, depth: -point.motion.gap });
    }
    if let Some(&contact) = buffers.closed.iter().find(|&&contact| lies_over_border(evaluator, contact)) {
        return Err(RigidFault::OverBorder { contact });
    }
    buffers.outcomes.clear();
    buffers.hovering.clear();
    buffers.at_rest.clear();
    for island in 0..work.settling.islands.len() {
        let outcome = settle_speeds(evaluator, (t, y), (cause, island), (settled, work), log)?;
        work.settling.outcomes.push(outcome);
    }
    work.settling.parted.clear();
    part_flying(evaluator, t, &mut work.settling, log);
    if tip_over_border(evaluator, &work.settling.closed, t, log) {
        return Ok(Tried::Struck);
    }
    evaluator.rebuild_active();
    let (added, are_left) = end_rebounds(evaluator, (t, y), work).ok_or(RigidFault::Unsound)?;
    settled.projected += added;
    if are_left {
        part_flying(evaluator, t, &mut work.settling, log);
        evaluator.rebuild_active();
    }
    let buffers = &mut work.settling;
    evaluator.update(t, y);
    take_points(evaluator, t, y, &buffers.parted, &mut buffers.flying);
    take_points(evaluator, t, y, &buffers.closed, &mut buffers.points);
    evaluator.update(t, y);
    let is_sound = free_accelerations(evaluator, work) && work.settling.delassus.prepare(evaluator);
    if !is_sound {
        return Err(RigidFault::Unsound);
    }
    let SettleBuffers { points, flying, delassus, islands, before, decision, at_rest, .. } =
        &mut work.settling;
    points.iter_mut().chain(&mut **flying).for_each(|point| point.update_bias(evaluator));
    for point in &**flying {
        let fall = -(point.directions[0].along(&work.links, &work.freedoms) + point.bias[0]);
        if fall > 0.0 && point.speeds[0] > 0.0 {
            settled.flight = settled.flight.min(2.0 * point.speeds[0] / fall);
        }
    }
    let rounding = calc_rounding(evaluator);
    for island in 0..islands.len() {
        let range = islands.range(island);
        let (points, before) = (&mut points[range.clone()], &before[range]);
        if points.is_empty() {
            continue;
        }
        let mut turning = Turns::default();
        for turns in 0.. {
            delassus.update(evaluator, points);
            Delassus::accelerations(points, &work.links, &work.freedoms, &mut work.free);
            let problem = Held { points, delassus, free: &work.free, before, at_rest, cause, rounding };
            settled.iterations += find_forces(evaluator, &problem, decision)?;
            if let Some(turn) = turn_ends(evaluator, &problem, decision, (&mut turning, turns < ROLLS)) {
                if turns == TURNS {
                    let contacts = points.iter().map(|point| point.contact).collect();
                    let failure = ConeFailure { iterations: turns, residual: turn };
                    return Err(RigidFault::NoAnswer { contacts, is_impact: false, failure });
                }
                take_again(evaluator, points);
                continue;
            }
            decide(evaluator, t, &problem, decision, log)?;
            break;
        }
        work.several.extend(decision.undecided.iter().map(|&k| points[k].contact));
    }
    let tips = tip_over_border(evaluator, &work.settling.closed, t, log);
    Ok(if tips { Tried::TipsOver } else { Tried::Answered })
}

/// Takes the rigid contacts that are closed, with what they do, and leaves that open; and cables that are taut, whose constraints
/// wait: whether they pull is decided with all others. Of the event of one contact, those that are its problem or have just closed.
fn take_closed(
    evaluator: &mut Evaluator<'_>,
    cause: Option<(usize, Transition)>,
    buffers: &mut SettleBuffers,
) {
    let SettleBuffers { closed, islands, before, .. } = buffers;
    evaluator.rebuild_active();
    let Evaluator { contacts, table, .. } = &*evaluator;
    let is_closed = |contact: &usize| contacts.memory[*contact].mode == ContactMode::Closed;
    closed.clear();
    closed.extend(contacts.active.iter().copied().filter(|c| is_closed(c) && table.is_rigid(*c)));
    if evaluator.workspace.mechanism.is_constrained() {
        let is_taut = |contact: &usize| {
            cable_of(evaluator, *contact).is_some_and(|group| evaluator.workspace.mechanism.holds[group])
        };
        closed.extend((0..contacts.memory.len()).filter(is_taut));
    }
    islands.sort(evaluator, closed);
    // A cable pulls at more bodies than those at its ends.
    let source = |contact: usize| &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source;
    if let Some((contact, _)) = cause.filter(|(contact, _)| !matches!(source(*contact), PairSource::Cable(_)))
    {
        let has_closed = |c: usize| evaluator.contacts.memory[c].hold.holding == Holding::Undecided;
        islands.keep(evaluator, contact, closed, has_closed);
    }
    before.clear();
    for &contact in &*closed {
        let hold = &mut evaluator.contacts.memory[contact].hold;
        before.push(*hold);
        hold.holding = Holding::Undecided;
        if let Some(group) = cable_of(evaluator, contact) {
            evaluator.workspace.mechanism.holds[group] = false;
        }
    }
}

/// Slips that end, and the impact, of one problem.
fn settle_speeds(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (cause, island): (Option<(usize, Transition)>, usize),
    (settled, work): (&mut Settled, &mut RigidWorkspace),
    log: &mut Vec<Event>,
) -> Result<SpeedOutcome, RigidFault> {
    let SettleBuffers { points, delassus, islands, .. } = &mut work.settling;
    let range = islands.range(island);
    let own = &mut points[range.clone()];
    if !delassus.prepare(evaluator) {
        return Err(RigidFault::Unsound);
    }
    delassus.update(evaluator, own);
    if !delassus.is_sound(own) {
        return Err(RigidFault::Unsound);
    }
    let still = STILL * fastest(evaluator, own);
    if let Some(k) = delassus.find_immovable(own, still) {
        return Err(RigidFault::Immovable { contact: own[k].contact });
    }
    if let Some((contact, Transition::Stick)) = cause {
        settled.projected += end_slips(evaluator, (t, y), (contact, range.clone()), work);
    }
    let own = &work.settling.points[range.clone()];
    let slowest = unstopped(evaluator, own);
    let approach = fastest_approach(own);
    if approach <= slowest {
        let rests = find_hovering(evaluator, (t, y), (still, range), work)?;
        return Ok(SpeedOutcome { slowest: still, rests });
    }
    let resting = rest_speed(evaluator, (t, y), ([approach, slowest], range.clone()), work)?;
    let rests = approach < resting;
    strike(evaluator, (t, y), (&mut work.settling, range, rests), (settled, &mut work.lost, log))?;
    Ok(SpeedOutcome { slowest: if rests { resting.max(still) } else { still }, rests })
}

/// Speed of approach up to which points are not stopped (m/s): as slow as what closes a contact, as what is not stopped would close it again and
/// again.
pub(super) fn unstopped(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> f64 {
    (STILL * evaluator.system.scales.velocity).max(ROUNDING * fastest(evaluator, points))
}

/// How fast the bodies of points approach each other at most (m/s).
fn fastest_approach(points: &[RigidPoint]) -> f64 {
    points.iter().map(|point| -point.speeds[0]).fold(0.0, f64::max)
}

/// Opens the contacts whose bodies part faster than what stays, but for those that hover.
fn part_flying(evaluator: &mut Evaluator<'_>, t: f64, buffers: &mut SettleBuffers, log: &mut Vec<Event>) {
    let SettleBuffers { closed, islands, before, points, outcomes, hovering, parted, .. } = buffers;
    let mut count = 0;
    islands.shrink(|island, k, kept| {
        if points[k].speeds[0] > outcomes[island].slowest && !hovering.contains(&closed[k]) {
            parted.push(closed[k]);
            part(evaluator, t, &points[k], log);
            return false;
        }
        (closed[kept], before[kept]) = (closed[k], before[k]);
        count = kept + 1;
        true
    });
    closed.truncate(count);
    before.truncate(count);
}

/// Takes points again whose ends have turned, where the evaluator is.
fn take_again(evaluator: &Evaluator<'_>, points: &mut [RigidPoint]) {
    for point in points {
        let (contact, motion) = (point.contact, single_motion(evaluator, point.contact));
        point.take(evaluator, contact, &motion, &evaluator.contacts.memory[contact].hold);
        point.update_bias(evaluator);
    }
}

/// The fastest of the points' bodies, or the model's speed (m/s).
pub(super) fn fastest(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> f64 {
    let speeds = points.iter().map(|point| point.speeds.iter().fold(0.0_f64, |m, v| m.max(v.abs())));
    speeds.fold(evaluator.system.scales.velocity, f64::max)
}

/// The impact of all contacts of a problem, which may be one that brings them to rest.
fn strike(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    (buffers, range, rests): (&mut SettleBuffers, Range<usize>, bool),
    (settled, lost_by, log): (&mut Settled, &mut Vec<(usize, f64)>, &mut Vec<Event>),
) -> Result<(), RigidFault> {
    let SettleBuffers { closed, points, delassus, speeds, laws, impact, .. } = buffers;
    let own = &points[range.clone()];
    speeds.clear();
    speeds.extend(own.iter().flat_map(|point| point.speeds));
    laws.clear();
    laws.extend(own.iter().map(|point| match law_of(evaluator, point.contact) {
        law if rests => RigidLaw { normal: 0.0, tangential: 0.0, ..law },
        law => law,
    }));
    let rounding = ROUNDING * fastest(evaluator, own);
    impact.solve(&delassus.matrix, (speeds, rounding), laws).map_err(|failure| RigidFault::NoAnswer {
        contacts: own.iter().map(|point| point.contact).collect(),
        is_impact: true,
        failure,
    })?;
    let (motors, before) = (Delassus::work_of_motors(own, &impact.impulses), fastest(evaluator, own));
    settled.motors += motors;
    Delassus::push(evaluator, own, &impact.impulses, y);
    evaluator.update(t, y);
    take_points(evaluator, t, y, closed, points);
    let strongest = impact.impulses.chunks_exact(3).map(|p| p[0]).fold(0.0, f64::max);
    let after = fastest(evaluator, &points[range.clone()]);
    if motors > 0.0 && after > JAMMED * before {
        let is_strongest = |k: &usize| impact.impulses[3 * (k - range.start)] >= strongest;
        let contact = range.clone().find(is_strongest).map_or(closed[range.start], |k| closed[k]);
        return Err(RigidFault::Jammed { contact, before, after });
    }
    for (k, point) in points[range].iter().enumerate() {
        let [own, old, new] = [&impact.impulses[3 * k..3 * k + 3], &speeds[3 * k..3 * k + 3], &point.speeds];
        let lost = -0.5 * (0..3).map(|axis| own[axis] * (old[axis] + new[axis])).sum::<f64>();
        lost_by.push((point.contact, lost));
        if own[0] <= NOTHING * strongest {
            continue;
        }
        let tangential = point.axes[1] * own[1] + point.axes[2] * own[2];
        let memory = &mut evaluator.contacts.memory[point.contact];
        memory.impulse_normal += own[0] * point.arm;
        memory.impulse_tangential += tangential;
        let kind = if rests { EventKind::Rest } else { EventKind::Impact };
        let row = event(evaluator, kind, point.contact, t, &point.motion);
        log.push(Event {
            approach_speed: -old[0] / point.arm,
            impact: Some(Impact {
                separation_speed: new[0] / point.arm,
                slip_before: old[1].hypot(old[2]),
                slip_after: new[1].hypot(new[2]),
                impulse_normal: own[0] * point.arm,
                impulse_tangential: tangential,
                lost,
                kept: impact.kept,
                iterations: impact.iterations as u64,
            }),
            ..row
        });
    }
    settled.impacts += 1;
    settled.scaled += u64::from(impact.kept < 1.0);
    settled.iterations += impact.iterations as u64;
    Ok(())
}

/// Opens a contact.
pub(super) fn part(evaluator: &mut Evaluator<'_>, t: f64, point: &RigidPoint, log: &mut Vec<Event>) {
    evaluator.contacts.memory[point.contact].hold = Hold::default();
    if cable_of(evaluator, point.contact).is_some() {
        // Its constraint has been let go of.
        return log.push(change_cable(evaluator, point.contact, t, false, 0.0));
    }
    open(evaluator, point.contact, t, &point.motion, log);
}
