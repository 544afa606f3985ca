//! Changes of contact modes. Nothing else changes a contact's history.

use carom_math::Vec3;

use super::chatter::{self, Bounce};
use super::felt_mass::{carried_mass, grip_damping};
use super::held_face::{begin_on_face, goes_on};
use super::meshes::entry::entering;
use super::observe::{gap_epsilon, zero_function};
use super::planar::{forget_kin, passes};
use super::rigid::{Hold, STILL, close_struck, takes_over};
use super::rims::{gives_way, lands, part_beside, take_off};
use super::{ContactSet, Evaluator, PointMotion, areal, regions};
use crate::contact::patches::hit;
use crate::law::Damping;
use crate::record::{ContactMode, Event, EventKind, Peaks};
use crate::system::PairSource;

/// A change of a contact's mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// Open → closed: the gap reached zero.
    Close,
    /// Closed or released → open: the gap opened.
    Open,
    /// Closed → released: the force reached zero.
    Release,
    /// Closed: another patch of areal surfaces begins.
    BeginPatch,
    /// Closed: a patch of areal surfaces is hit hardest, and harder than it began.
    Hit,
    /// Closed: regions merge or split, or another one begins.
    Regroup,
    /// Released → closed: the force came back.
    Reengage,
    /// Closed and rigid: it came to the end of its face, or of its edges.
    Leave,
    /// The same: the normal force reached zero.
    Detach,
    /// The same: friction reached its bound.
    Slip,
    /// The same: the slip came to rest.
    Stick,
    /// The same: what it is held to contradicts what others are held to, as where a given motion lifts what it holds by friction.
    Contradict,
}

/// Closes every contact whose gap is zero or less and that has not begun in place of another, at the time at which a run takes up its state.
pub(crate) fn commit_start(evaluator: &mut Evaluator<'_>, time: f64, log: &mut Vec<Event>) {
    for contact in 0..evaluator.contacts.memory.len() {
        let is_open = evaluator.contacts.memory[contact].mode == ContactMode::Open;
        if evaluator.is_mesh_contact(contact) || !is_open {
            continue;
        }
        let point = evaluator.motion_of(contact);
        if point.gap <= gap_epsilon(&point) {
            close(evaluator, contact, time, &point, log);
            // An overlap that parts faster than the law can push does not pull.
            let releases = zero_function(evaluator, contact, Transition::Release, &point) < 0.0;
            if point.gap < 0.0 && !evaluator.table.is_rigid(contact) && releases {
                change(evaluator, contact, Transition::Release, time, &point, log);
            }
        }
    }
}

/// Closes an areal contact whose surfaces touch where a run takes up its state.
pub(super) fn close_at_start(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    close(evaluator, contact, time, point, log);
}

/// Begins a contact that is evaluated already: nothing restarts.
pub(super) fn begin_smoothly(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    // What the step has raised already is this contact's: it had nothing before.
    let before = evaluator.contacts.memory[contact];
    close(evaluator, contact, time, point, log);
    let memory = &mut evaluator.contacts.memory[contact];
    memory.peaks = before.peaks;
    memory.impulse_normal = before.impulse_normal;
    memory.impulse_tangential = before.impulse_tangential;
}

/// A change of a clipped contact that the accepted step has gone over: nothing restarts.
pub(super) fn pass(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    transition: Transition,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    match transition {
        Transition::Close => {
            let peaks = &mut evaluator.contacts.memory[contact].peaks;
            // What it has not raised yet begins with it.
            for peak in [&mut peaks.force, &mut peaks.penetration, &mut peaks.pressure] {
                peak.time = if peak.value > 0.0 { peak.time } else { time };
            }
            begin_smoothly(evaluator, contact, time, point, log);
        }
        Transition::Open => {
            open(evaluator, contact, time, point, log);
            evaluator.contacts.memory[contact].watched = true;
        }
        _ => change(evaluator, contact, transition, time, point, log),
    }
}

/// Ends a contact that goes on being evaluated.
pub(super) fn end_smoothly(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    open(evaluator, contact, time, point, log);
    let memory = &mut evaluator.contacts.memory[contact];
    memory.watched = true;
    memory.peaks = Peaks::beginning(time);
    memory.impulse_normal = 0.0;
    memory.impulse_tangential.fill(0.0);
}

/// Commits the changes at an event: that of the contact which triggered it, whatever rounding left of
/// its zero, and those of all others whose zero functions have their new sign by now.
pub(crate) fn commit_event(
    evaluator: &mut Evaluator<'_>,
    time: f64,
    trigger: Option<(usize, Transition)>,
    evaluated_at: u64,
    log: &mut Vec<Event>,
) {
    // What leaves has left where others take over.
    let leaving = trigger.filter(|(_, change)| *change == Transition::Leave).map(|(contact, _)| contact);
    if let Some(contact) = leaving {
        let point = evaluator.motion_of(contact);
        change(evaluator, contact, Transition::Leave, time, &point, log);
        part_beside(evaluator, contact, time, log);
    }
    for contact in (0..evaluator.contacts.memory.len()).filter(|&contact| leaving != Some(contact)) {
        let forced = trigger.filter(|(c, _)| *c == contact).map(|(_, transition)| transition);
        let memory = &evaluator.contacts.memory[contact];
        // An open contact that was not evaluated at this state holds a certificate.
        let pair = evaluator.table.contacts[contact].pair;
        let is_left = leaving.is_some_and(|leaving| evaluator.table.contacts[leaving].pair == pair);
        let known = memory.mode != ContactMode::Open || memory.evaluated_at == evaluated_at || is_left;
        if forced.is_none() && (!known || evaluator.is_mesh_contact(contact)) {
            continue;
        }
        let point = evaluator.motion_of(contact);
        let takes_over = || (is_left && takes_over(evaluator, contact, &point)).then_some(Transition::Close);
        if let Some(transition) = forced.or_else(|| due(evaluator, contact, &point)).or_else(takes_over) {
            let point = match transition {
                Transition::Close => entering_here(evaluator, contact, point),
                _ => point,
            };
            change(evaluator, contact, transition, time, &point, log);
        }
    }
    if let Some((cause, Transition::Close)) = trigger
        && evaluator.table.is_rigid(cause)
    {
        close_struck(evaluator, (cause, evaluated_at, time), |evaluator, contact| {
            close(evaluator, contact, time, &evaluator.motion_of(contact), log);
        });
    }
    evaluator.rebuild_active();
}

/// Cosine of the angle between normals from which a contact begins on another piece than it was over.
const SAME_PIECE: f64 = 0.9;

/// The motion of what begins to touch where the evaluator is: of triangle surfaces where they enter each other, of rigid polyhedra and outlines on the
/// piece that holds them from now on; of other contacts their own.
fn entering_here(evaluator: &mut Evaluator<'_>, contact: usize, point: PointMotion) -> PointMotion {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    if matches!(pair.source, PairSource::Facets(_) | PairSource::Planar(_))
        && evaluator.table.is_rigid(contact)
    {
        begin_on_face(evaluator, contact);
        evaluator.contacts.memory[contact].mode = ContactMode::Closed;
        let on_piece = evaluator.motion_of(contact);
        evaluator.contacts.memory[contact].mode = ContactMode::Open;
        return if on_piece.normal.dot(&point.normal) < SAME_PIECE { on_piece } else { point };
    }
    let Some(meshes) = pair.source.meshes() else { return point };
    let poses = meshes.surfaces.map(|surface| evaluator.surfaces[surface]);
    let bodies = pair.bodies.map(|body| evaluator.workspace.bodies[body]);
    entering(evaluator, contact, (&poses, &bodies), point)
}

/// Forgets what open contacts were taken to be at the end of an attempt that is not accepted, whose stamp this is.
pub(crate) fn forget_attempt(evaluator: &mut Evaluator<'_>, stamp: u64) {
    let ContactSet { memory, certificates, .. } = &mut evaluator.contacts;
    for (memory, certificate) in memory.iter_mut().zip(certificates) {
        if memory.evaluated_at == stamp {
            memory.evaluated_at = u64::MAX;
            *certificate = f64::NEG_INFINITY;
        }
    }
}

/// Change that the state itself asks for.
fn due(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> Option<Transition> {
    let is_rigid = evaluator.table.is_rigid(contact);
    if is_rigid && evaluator.contacts.memory[contact].mode == ContactMode::Closed {
        return None;
    }
    let force = zero_function(evaluator, contact, Transition::Release, point);
    let epsilon = gap_epsilon(point);
    // A rigid contact that has let go is at rest along its normal.
    let still = if is_rigid { STILL * evaluator.system.scales.velocity } else { 0.0 };
    let is_near = || point.gap <= epsilon || lands(evaluator, contact, point);
    match evaluator.contacts.memory[contact].mode {
        ContactMode::Open => (point.approach > still && is_near()).then_some(Transition::Close),
        ContactMode::Closed if point.gap > epsilon => Some(Transition::Open),
        ContactMode::Closed => (point.gap < 0.0 && force < 0.0).then_some(Transition::Release),
        ContactMode::Released if point.gap > epsilon => Some(Transition::Open),
        ContactMode::Released => (point.gap < 0.0 && force > 0.0).then_some(Transition::Reengage),
        ContactMode::Latched => None,
    }
}

fn change(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    transition: Transition,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    match transition {
        Transition::Close => close(evaluator, contact, time, point, log),
        Transition::Leave if goes_on(evaluator, contact) => {}
        Transition::Open | Transition::Leave => open(evaluator, contact, time, point, log),
        // Taken where the accepted step is noted (`patches/regroup.rs`, `patches/hit.rs`, `regions/keep.rs`).
        Transition::BeginPatch | Transition::Hit | Transition::Regroup => {}
        // Settled with all rigid contacts together (`rigid/settle.rs`).
        Transition::Detach | Transition::Slip | Transition::Stick | Transition::Contradict => {}
        Transition::Release => {
            evaluator.contacts.memory[contact].mode = ContactMode::Released;
            evaluator.contacts.memory[contact].calm_since = time;
            log.push(event(evaluator, EventKind::Release, contact, time, point));
        }
        Transition::Reengage => {
            evaluator.contacts.memory[contact].mode = ContactMode::Closed;
            log.push(event(evaluator, EventKind::Reengage, contact, time, point));
            let memory = &mut evaluator.contacts.memory[contact];
            let duration = evaluator.table.contacts[contact].impact_duration(memory.frozen_approach);
            if chatter::note_reengagement(memory, time, duration) == Bounce::Chatters {
                latch(evaluator, contact, time, point, log);
            }
        }
    }
}

pub(super) fn close(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    if passes(evaluator, contact) || gives_way(evaluator, contact, (time, point), log) {
        return;
    }
    let law = evaluator.table.contacts[contact].law;
    // Other dampings do not ask for the mass, which takes a factorisation where joints hold the bodies.
    let needs_mass = matches!(law.damping, Damping::Additive { .. });
    let mass = if needs_mass { carried_mass(evaluator, contact, point) } else { f64::INFINITY };
    let grip_damping = grip_damping(evaluator, contact, point);
    begin_on_face(evaluator, contact);
    let memory = &mut evaluator.contacts.memory[contact];
    memory.mode = ContactMode::Closed;
    memory.begin = time;
    memory.frozen_approach = law.frozen_approach(point.approach);
    memory.frozen_damping = law.frozen_damping(point.approach, mass);
    memory.grip_damping = grip_damping;
    memory.unfelt = 0.0;
    memory.normal = point.normal;
    memory.watched = false;
    memory.impulse_normal = 0.0;
    memory.impulse_tangential.fill(0.0);
    memory.begin_speed = point.approach;
    memory.peaks = Peaks::beginning(time);
    // What rounding leaves at the begin of a rigid contact is no depth.
    if !evaluator.table.is_rigid(contact) {
        memory.peaks.penetration.raise(-point.gap, time);
    }
    memory.stored = 0.0;
    (memory.gap, memory.approach) = (point.gap, point.approach);
    let speed = memory.frozen_approach;
    areal::begin::begin_first_patch(evaluator, contact, time, &point.position, speed);
    regions::begin_first(evaluator, contact, time, &point.position);
    log.push(event(evaluator, EventKind::ContactBegin, contact, time, point));
    let duration = evaluator.table.contacts[contact].impact_duration(speed);
    if !evaluator.is_mesh_contact(contact)
        && !evaluator.table.is_rigid(contact)
        && chatter::note_bounce(&mut evaluator.contacts.memory[contact], time, duration, point)
            == Bounce::Chatters
    {
        latch(evaluator, contact, time, point, log);
    }
}

/// From now on the clipped law acts, without events, until the contact has been calm.
fn latch(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    let memory = &mut evaluator.contacts.memory[contact];
    memory.mode = ContactMode::Latched;
    memory.calm_since = time;
    memory.touching = true;
    log.push(event(evaluator, EventKind::Latch, contact, time, point));
}

/// The row of the event log of a cable that goes taut or slack, with the speed at which it is stretched (m/s).
pub(crate) fn change_cable(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    goes_taut: bool,
    speed: f64,
) -> Event {
    let memory = &mut evaluator.contacts.memory[contact];
    if goes_taut {
        (memory.begin, memory.begin_speed, memory.peaks) = (time, speed, Peaks::beginning(time));
    }
    let event = Event {
        time,
        kind: if goes_taut { EventKind::ContactBegin } else { EventKind::ContactEnd },
        contact,
        gap: 0.0,
        normal: Vec3::zeros(),
        position: Vec3::zeros(),
        approach_speed: speed,
        law_approach_speed: 0.0,
        impulse_normal: memory.impulse_normal,
        impulse_tangential: Vec3::zeros(),
        begin: memory.begin,
        begin_speed: memory.begin_speed,
        peaks: memory.peaks,
        stiffness: 0.0,
        damping: 0.0,
        force_jump: None,
        impact: None,
    };
    if !goes_taut {
        (memory.peaks, memory.impulse_normal) = (Peaks::default(), 0.0);
    }
    event
}

pub(super) fn open(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    point: &PointMotion,
    log: &mut Vec<Event>,
) {
    hit::note_hits(evaluator, contact, |_| true, log);
    let pair = evaluator.table.contacts[contact].pair;
    evaluator.contacts.books[pair].clear();
    evaluator.contacts.region_books[pair].clear();
    log.push(event(evaluator, EventKind::ContactEnd, contact, time, point));
    let memory = &mut evaluator.contacts.memory[contact];
    memory.mode = ContactMode::Open;
    memory.hold = Hold::default();
    memory.lasted = time - memory.begin;
    memory.end = time;
    memory.gap = point.gap;
    memory.approach = point.approach;
    evaluator.contacts.certificates[contact] = f64::NEG_INFINITY;
    forget_kin(evaluator, contact);
    take_off(evaluator, contact);
}

/// Lets go of latched contacts that have been calm; true if a mode has changed.
pub(crate) fn commit_calm(evaluator: &mut Evaluator<'_>, time: f64, log: &mut Vec<Event>) -> bool {
    let mut changed = false;
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        if evaluator.contacts.memory[contact].mode != ContactMode::Latched {
            continue;
        }
        let point = evaluator.motion_of(contact);
        if chatter::is_calm(&mut evaluator.contacts.memory[contact], time, point.gap < 0.0) {
            log.push(event(evaluator, EventKind::Unlatch, contact, time, &point));
            evaluator.contacts.memory[contact].mode = ContactMode::Closed;
            if point.gap >= 0.0 {
                open(evaluator, contact, time, &point, log);
            }
            changed = true;
        }
    }
    if changed {
        evaluator.rebuild_active();
    }
    changed
}

pub(super) fn event(
    evaluator: &Evaluator<'_>,
    kind: EventKind,
    contact: usize,
    time: f64,
    point: &PointMotion,
) -> Event {
    let memory = &evaluator.contacts.memory[contact];
    Event {
        time,
        kind,
        contact,
        gap: point.gap,
        normal: point.normal,
        position: point.position,
        approach_speed: point.approach,
        law_approach_speed: memory.frozen_approach,
        impulse_normal: memory.impulse_normal,
        impulse_tangential: memory.impulse_tangential,
        begin: memory.begin,
        begin_speed: memory.begin_speed,
        peaks: memory.peaks,
        stiffness: evaluator.table.contacts[contact].law.stiffness,
        damping: memory.frozen_damping,
        force_jump: None,
        impact: None,
    }
}

/// The event of a part of a contact, whose law measures against `speed` (m/s) from now on.
pub(super) fn event_with_speed(
    evaluator: &Evaluator<'_>,
    kind: EventKind,
    contact: usize,
    time: f64,
    point: &PointMotion,
    speed: f64,
) -> Event {
    Event { law_approach_speed: speed, ..event(evaluator, kind, contact, time, point) }
}
