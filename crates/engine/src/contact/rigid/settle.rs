//! An event of rigid contacts: impacts first, then the accelerations, then what each contact does from now on.

use super::cone::ConeFailure;
use super::decide::{Decision, Held, decide};
use super::delassus::Delassus;
use super::hold::{Hold, Holding};
use super::impact::ImpactSolver;
use super::multipliers::{RigidWorkspace, STILL, free_accelerations};
use super::project::{end_speeds, return_to_contacts, take_points};
use super::rows::{RigidPoint, RigidPoints};
use super::single::{cable_of, law_of};
use crate::contact::commit::{change_cable, event, open};
use crate::contact::energy::stored;
use crate::contact::observe::gap_epsilon;
use crate::contact::{Evaluator, Transition};
use crate::law::RigidLaw;
use crate::mechanics::Misfit;
use crate::record::{ContactMode, Event, EventKind, Impact};

/// An impact slower than this share of the model's speed has no restitution, and what it parts slower than that stays: so end
/// infinitely many impacts in finite time, of a ball that comes to rest or of a sleeve that rattles between two corners.
const REST: f64 = 1e-6;
/// A flight that does not rise above so many times the rounding of its gap is not seen: what would begin one stays, too.
const LEAST_FLIGHT: f64 = 32.0;
/// Overlap, over the model's length, at which a run may take up a contact, and which rounding may leave of one that parts.
pub(crate) const OVERLAP: f64 = 1e-9;
/// Slip, over the fastest of the points, that the event which says that it has ended may leave.
const STOPPED: f64 = 1e-6;
/// Forces and accelerations over the largest that count as none.
pub(super) const NOTHING: f64 = 1e-9;

/// Why an event has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RigidFault {
    /// The contact starts with this overlap (m).
    Overlap { contact: usize, depth: f64 },
    /// Inertia or positions are no numbers to go on with.
    Unsound,
    /// Neither side of the contact can move along its row.
    Immovable { contact: usize },
    /// No impulses, or no forces, meet the conditions of the contacts.
    NoAnswer { contacts: Vec<usize>, is_impact: bool, failure: ConeFailure },
    /// A state could not be put onto contacts and constraints.
    Misfit(Misfit),
}

impl From<Misfit> for RigidFault {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
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
    /// Contacts that are closed, and what each did before.
    closed: Vec<usize>,
    before: Vec<Hold>,
    points: RigidPoints,
    /// Contacts that the impact has parted.
    parted: Vec<usize>,
    flying: RigidPoints,
    delassus: Delassus,
    /// Of the impact: γ⁻ and laws.
    speeds: Vec<f64>,
    laws: Vec<RigidLaw>,
    impact: ImpactSolver,
    decision: Decision,
}

/// Settles an event at a state, which impacts and projections change. `cause` is the contact that it was located for. What impacts
/// lost is in `evaluator.rigid.lost`.
pub(crate) fn settle(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
    cause: Option<(usize, Transition)>,
    log: &mut Vec<Event>,
) -> Result<Settled, RigidFault> {
    let mut settled = Settled { flight: f64::INFINITY, ..Settled::default() };
    let mut work = std::mem::take(&mut evaluator.rigid);
    work.lost.clear();
    work.several.clear();
    take_closed(evaluator, &mut work.settling);
    if work.settling.closed.is_empty() {
        evaluator.rigid = work;
        return Ok(settled);
    }
    evaluator.rebuild_active();
    evaluator.update(t, y);
    let buffers = &mut work.settling;
    take_points(evaluator, t, y, &buffers.closed, &mut buffers.points);
    let deepest = OVERLAP * evaluator.system.scales.length;
    let overlapping = buffers.points.iter().find(|point| point.motion.gap < -deepest);
    if let Some(point) = overlapping.filter(|_| cause.is_none()) {
        return Err(RigidFault::Overlap { contact: point.contact, depth: -point.motion.gap });
    }
    let size = 3 * buffers.points.len();
    let is_sound = buffers.delassus.update(evaluator, &mut buffers.points);
    let is_number = |k: usize| buffers.delassus.matrix[3 * k * (size + 1)].is_finite();
    if !is_sound || !(0..buffers.points.len()).all(is_number) {
        return Err(RigidFault::Unsound);
    }
    let still = STILL * fastest(evaluator, &buffers.points);
    if let Some(k) = buffers.delassus.find_immovable(&buffers.points, still) {
        return Err(RigidFault::Immovable { contact: buffers.closed[k] });
    }
    if let Some((contact, Transition::Stick)) = cause {
        settled.projected += end_slips(evaluator, (t, y), contact, &mut work);
    }
    let buffers = &mut work.settling;
    let mut slowest = still;
    if buffers.points.iter().any(|point| point.speeds[0] < -still)
        && strike(evaluator, (t, y), buffers, (&mut settled, &mut work.lost, log))?
    {
        slowest = slowest.max(rest_speed(evaluator, &buffers.points));
    }
    part_flying(evaluator, t, slowest, buffers, log);
    evaluator.rebuild_active();
    if slowest > still {
        settled.projected += end_rebounds(evaluator, (t, y), &mut work).ok_or(RigidFault::Unsound)?;
    }
    let buffers = &mut work.settling;
    evaluator.update(t, y);
    take_points(evaluator, t, y, &buffers.parted, &mut buffers.flying);
    take_points(evaluator, t, y, &buffers.closed, &mut buffers.points);
    evaluator.update(t, y);
    let is_free = free_accelerations(evaluator, &mut work);
    let buffers = &mut work.settling;
    let is_sound = is_free && buffers.delassus.update(evaluator, &mut buffers.points);
    if !is_sound {
        return Err(RigidFault::Unsound);
    }
    buffers.points.iter_mut().chain(&mut *buffers.flying).for_each(|point| point.update_bias(evaluator));
    for point in &*buffers.flying {
        let fall = -(point.directions[0].along(&work.links, &work.freedoms) + point.bias[0]);
        if fall > 0.0 {
            settled.flight = settled.flight.min(2.0 * point.speeds[0] / fall);
        }
    }
    Delassus::accelerations(&buffers.points, &work.links, &work.freedoms, &mut work.free);
    let SettleBuffers { points, delassus, before, decision, .. } = buffers;
    let problem = Held { points, delassus, free: &work.free, before, cause };
    settled.iterations += decide(evaluator, t, &problem, decision, log)?;
    work.several.extend(decision.undecided.iter().map(|&k| points[k].contact));
    evaluator.rigid = work;
    evaluator.rebuild_active();
    // A state that is off what is held from now on by more than rounding.
    let held = stored_at(evaluator, t, y);
    if return_to_contacts(evaluator, t, y)? {
        settled.projected += stored_at(evaluator, t, y) - held;
    }
    Ok(settled)
}

/// Takes the rigid contacts that are closed, with what they do, and leaves that open; and cables that are taut, whose constraints
/// wait: whether they pull is decided with all others.
fn take_closed(evaluator: &mut Evaluator<'_>, buffers: &mut SettleBuffers) {
    let SettleBuffers { closed, before, .. } = buffers;
    closed.clear();
    before.clear();
    for (contact, memory) in evaluator.contacts.memory.iter_mut().enumerate() {
        if memory.mode == ContactMode::Closed && evaluator.table.is_rigid(contact) {
            closed.push(contact);
            before.push(memory.hold);
            memory.hold.holding = Holding::Undecided;
        }
    }
    for contact in 0..evaluator.contacts.memory.len() {
        let Some(group) = cable_of(evaluator, contact) else { continue };
        if std::mem::take(&mut evaluator.workspace.mechanism.holds[group]) {
            closed.push(contact);
            before.push(std::mem::take(&mut evaluator.contacts.memory[contact].hold));
        }
    }
}

/// Opens the contacts whose bodies part faster than `slowest` (m/s).
fn part_flying(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    slowest: f64,
    buffers: &mut SettleBuffers,
    log: &mut Vec<Event>,
) {
    let SettleBuffers { closed, before, points, parted, .. } = buffers;
    parted.clear();
    let mut kept = 0;
    for k in 0..points.len() {
        if points[k].speeds[0] > slowest {
            parted.push(closed[k]);
            part(evaluator, t, &points[k], log);
        } else {
            (closed[kept], before[kept]) = (closed[k], before[k]);
            kept += 1;
        }
    }
    closed.truncate(kept);
    before.truncate(kept);
}

fn stored_at(evaluator: &mut Evaluator<'_>, t: f64, y: &[f64]) -> f64 {
    evaluator.update(t, y);
    stored(evaluator)
}

/// The fastest of the points' bodies, or the model's speed (m/s).
pub(super) fn fastest(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> f64 {
    let speeds = points.iter().map(|point| point.speeds.iter().fold(0.0_f64, |m, v| m.max(v.abs())));
    speeds.fold(evaluator.system.scales.velocity, f64::max)
}

/// Ends the slip of a contact that has come to rest, and of those that rest with it: what the errors of a step have left. Returns
/// the energy that this adds (J).
fn end_slips(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    contact: usize,
    work: &mut RigidWorkspace,
) -> f64 {
    let SettleBuffers { closed, points, delassus, .. } = &mut work.settling;
    let slowest = STOPPED * fastest(evaluator, points);
    let is_slow = |point: &RigidPoint| point.speeds[1].hypot(point.speeds[2]) <= slowest;
    if !points.iter().any(|point| point.contact == contact && is_slow(point)) {
        return 0.0;
    }
    let before = stored_at(evaluator, t, y);
    let has_friction = |point: &RigidPoint| law_of(evaluator, point.contact).friction > 0.0;
    let rows = |point: &RigidPoint| if has_friction(point) && is_slow(point) { 3 } else { 1 };
    end_speeds(evaluator, (points, delassus), &mut work.projection, rows, y);
    let added = stored_at(evaluator, t, y) - before;
    take_points(evaluator, t, y, closed, points);
    added
}

/// Ends what an impact that brings contacts to rest has left of their speeds: all together, so that what one loses is not given to
/// another. Returns the energy that this adds (J); none if a body's inertia is not positive.
fn end_rebounds(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    work: &mut RigidWorkspace,
) -> Option<f64> {
    let SettleBuffers { closed, points, delassus, .. } = &mut work.settling;
    let before = stored_at(evaluator, t, y);
    take_points(evaluator, t, y, closed, points);
    if !delassus.update(evaluator, points) {
        return None;
    }
    end_speeds(evaluator, (points, delassus), &mut work.projection, |_| 1, y);
    Some(stored_at(evaluator, t, y) - before)
}

/// Speed of approach below which impacts come to rest (m/s): by rule, or because the flight after it, v²/2a high where a is the
/// model's speed squared over its length, would be lost in the rounding of the gaps.
fn rest_speed(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> f64 {
    let scales = &evaluator.system.scales;
    let rounding = points.iter().map(|point| gap_epsilon(&point.motion)).fold(0.0, f64::max);
    scales.velocity * REST.max((2.0 * LEAST_FLIGHT * rounding / scales.length).sqrt())
}

/// The impact of all closed contacts; true if it is one that brings them to rest.
fn strike(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    buffers: &mut SettleBuffers,
    (settled, lost_by, log): (&mut Settled, &mut Vec<(usize, f64)>, &mut Vec<Event>),
) -> Result<bool, RigidFault> {
    let SettleBuffers { closed, points, delassus, speeds, laws, impact, .. } = buffers;
    speeds.clear();
    speeds.extend(points.iter().flat_map(|point| point.speeds));
    let approach = points.iter().map(|point| -point.speeds[0]).fold(0.0, f64::max);
    let rests = approach < rest_speed(evaluator, points);
    laws.clear();
    laws.extend(points.iter().map(|point| match law_of(evaluator, point.contact) {
        law if rests => RigidLaw { normal: 0.0, tangential: 0.0, ..law },
        law => law,
    }));
    impact.solve(&delassus.matrix, speeds, laws).map_err(|failure| RigidFault::NoAnswer {
        contacts: closed.clone(),
        is_impact: true,
        failure,
    })?;
    settled.motors += Delassus::work_of_motors(points, &impact.impulses);
    Delassus::push(evaluator, points, &impact.impulses, y);
    evaluator.update(t, y);
    take_points(evaluator, t, y, closed, points);
    let strongest = impact.impulses.chunks_exact(3).map(|p| p[0]).fold(0.0, f64::max);
    for (k, point) in points.iter().enumerate() {
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
    Ok(rests)
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
