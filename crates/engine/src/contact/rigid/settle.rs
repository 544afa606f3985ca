//! An event of rigid contacts: impacts first, then the accelerations, then what each contact does from now on.

use carom_solvers::PivotedCholesky;

use super::cone::{Answer, ConeFailure, ConeProblem, Member, Tangent};
use super::delassus::Delassus;
use super::hold::{Hold, Holding};
use super::impact;
use super::multipliers::{STILL, free_accelerations};
use super::project::{return_to_contacts, take_points};
use super::rows::RigidPoint;
use crate::contact::commit::{event, open};
use crate::contact::energy::stored;
use crate::contact::{Evaluator, Transition};
use crate::law::RigidLaw;
use crate::mechanics::Misfit;
use crate::record::{ContactMode, Event, EventKind, Impact};

/// An impact slower than this share of the model's speed has no restitution, and what it parts slower than that stays: so end
/// infinitely many impacts in finite time, of a ball that comes to rest or of a sleeve that rattles between two corners.
pub(crate) const REST: f64 = 1e-6;
/// Overlap, over the model's length, at which a run may take up a contact, and which rounding may leave of one that parts.
pub(crate) const OVERLAP: f64 = 1e-9;
/// Forces and accelerations over the largest that count as none.
const NOTHING: f64 = 1e-9;
/// Shares of friction's bound that contacts are spared whose forces are not unique, the largest that goes first.
const SPARED: [f64; 4] = [1e-1, 1e-2, 1e-4, 1e-7];
/// Friction that is at its bound, of it.
const AT_BOUND: f64 = 1.0 - 1e-6;
/// Slip, over the model's speed, that the event which says that it has ended may leave.
const STOPPED: f64 = 1e-6;

/// Why an event has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RigidFault {
    /// The contact starts with this overlap (m).
    Overlap { contact: usize, depth: f64 },
    /// A body's inertia along a contact is not positive.
    Mass { contact: usize },
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
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// Energy lost in impacts, by contact (J).
    pub(crate) lost: Vec<(usize, f64)>,
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

/// Settles an event at a state, which impacts and projections change. `cause` is the contact that it was located for.
pub(crate) fn settle(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
    cause: Option<(usize, Transition)>,
    log: &mut Vec<Event>,
) -> Result<Settled, RigidFault> {
    let mut settled = Settled {
        lost: Vec::new(),
        motors: 0.0,
        projected: 0.0,
        impacts: 0,
        scaled: 0,
        iterations: 0,
        flight: f64::INFINITY,
    };
    let is_closed = |evaluator: &Evaluator<'_>, c: usize| {
        evaluator.contacts.memory[c].mode == ContactMode::Closed && evaluator.table.is_rigid(c)
    };
    let mut closed: Vec<usize> =
        (0..evaluator.contacts.memory.len()).filter(|&c| is_closed(evaluator, c)).collect();
    if closed.is_empty() {
        return Ok(settled);
    }
    let before: Vec<Hold> = closed.iter().map(|&c| evaluator.contacts.memory[c].hold).collect();
    closed.iter().for_each(|&c| evaluator.contacts.memory[c].hold.holding = Holding::Undecided);
    evaluator.rebuild_active();
    evaluator.update(t, y);
    let mut work = std::mem::take(&mut evaluator.rigid);
    let mut points = Vec::new();
    take_points(evaluator, t, y, &closed, &mut points);
    let deepest = OVERLAP * evaluator.system.scales.length;
    let overlapping = points.iter().find(|point| point.motion.gap < -deepest);
    if let Some(point) = overlapping.filter(|_| cause.is_none()) {
        return Err(RigidFault::Overlap { contact: point.contact, depth: -point.motion.gap });
    }
    let mut delassus = Delassus::default();
    let size = 3 * points.len();
    let is_sound = delassus.update(evaluator, &mut points);
    let is_massless = |k: &usize| !delassus.matrix[3 * k * (size + 1)].is_finite();
    if let Some(k) = (0..points.len()).find(is_massless).or((!is_sound).then_some(0)) {
        return Err(RigidFault::Mass { contact: closed[k] });
    }
    let still = STILL * fastest(evaluator, &points);
    let mut slowest = still;
    if points.iter().any(|point| point.speeds[0] < -still)
        && strike(evaluator, (t, y), &mut points, &delassus, (&mut settled, log))?
    {
        slowest = slowest.max(REST * evaluator.system.scales.velocity);
    }
    // Contacts that the impact has parted.
    let parted: Vec<usize> = (0..points.len()).filter(|&k| points[k].speeds[0] > slowest).collect();
    let mut flying = Vec::new();
    for &k in parted.iter().rev() {
        let point = points.remove(k);
        closed.remove(k);
        part(evaluator, t, &point, log);
        flying.push(point);
    }
    let before: Vec<Hold> =
        before.into_iter().enumerate().filter(|(k, _)| !parted.contains(k)).map(|(_, hold)| hold).collect();
    evaluator.rebuild_active();
    evaluator.update(t, y);
    take_points(evaluator, t, y, &closed, &mut points);
    evaluator.update(t, y);
    let is_sound = free_accelerations(evaluator, &mut work) && delassus.update(evaluator, &mut points);
    if !is_sound && !closed.is_empty() {
        return Err(RigidFault::Mass { contact: closed[0] });
    }
    points.iter_mut().chain(&mut flying).for_each(|point| point.update_bias(evaluator));
    for point in &flying {
        let fall = -(point.directions[0].along(&work.links, &work.freedoms) + point.bias[0]);
        if fall > 0.0 {
            settled.flight = settled.flight.min(2.0 * point.speeds[0] / fall);
        }
    }
    Delassus::accelerations(&points, &work.links, &work.freedoms, &mut work.free);
    decide(evaluator, t, &points, (&delassus, &work.free), (&before, cause), (&mut settled, log))?;
    evaluator.rigid = work;
    evaluator.rebuild_active();
    // A state that is off what is held from now on by more than rounding.
    let held = stored_at(evaluator, t, y);
    if return_to_contacts(evaluator, t, y)? {
        settled.projected = stored_at(evaluator, t, y) - held;
    }
    Ok(settled)
}

fn stored_at(evaluator: &mut Evaluator<'_>, t: f64, y: &[f64]) -> f64 {
    evaluator.update(t, y);
    stored(evaluator)
}

/// The fastest of the points' bodies, or the model's speed (m/s).
fn fastest(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> f64 {
    let speeds = points.iter().map(|point| point.speeds.iter().fold(0.0_f64, |m, v| m.max(v.abs())));
    speeds.fold(evaluator.system.scales.velocity, f64::max)
}

/// The impact of all closed contacts; true if it is one that brings them to rest.
fn strike(
    evaluator: &mut Evaluator<'_>,
    (t, y): (f64, &mut [f64]),
    points: &mut Vec<RigidPoint>,
    delassus: &Delassus,
    (settled, log): (&mut Settled, &mut Vec<Event>),
) -> Result<bool, RigidFault> {
    let speeds: Vec<f64> = points.iter().flat_map(|point| point.speeds).collect();
    let approach = points.iter().map(|point| -point.speeds[0]).fold(0.0, f64::max);
    let rests = approach < REST * evaluator.system.scales.velocity;
    let laws: Vec<RigidLaw> = points
        .iter()
        .map(|point| match *evaluator.table.rigid_law(point.contact) {
            law if rests => RigidLaw { normal: 0.0, tangential: 0.0, ..law },
            law => law,
        })
        .collect();
    let contacts: Vec<usize> = points.iter().map(|point| point.contact).collect();
    let impact = impact::solve(&delassus.matrix, &speeds, &laws).map_err(|failure| RigidFault::NoAnswer {
        contacts: contacts.clone(),
        is_impact: true,
        failure,
    })?;
    let energy = stored_at(evaluator, t, y);
    Delassus::push(evaluator, points, &impact.impulses, y);
    let change = stored_at(evaluator, t, y) - energy;
    take_points(evaluator, t, y, &contacts, points);
    let after: Vec<[f64; 3]> = points.iter().map(|point| point.speeds).collect();
    let strongest = impact.impulses.chunks_exact(3).map(|p| p[0]).fold(0.0, f64::max);
    let mut all_lost = 0.0;
    for (k, point) in points.iter().enumerate() {
        let [own, old, new] = [&impact.impulses[3 * k..3 * k + 3], &speeds[3 * k..3 * k + 3], &after[k]];
        let lost = -0.5 * (0..3).map(|axis| own[axis] * (old[axis] + new[axis])).sum::<f64>();
        all_lost += lost;
        settled.lost.push((point.contact, lost));
        if own[0] <= NOTHING * strongest {
            continue;
        }
        let tangential = point.axes[1] * own[1] + point.axes[2] * own[2];
        let memory = &mut evaluator.contacts.memory[point.contact];
        memory.impulse_normal += own[0];
        memory.impulse_tangential += tangential;
        let kind = if rests { EventKind::Rest } else { EventKind::Impact };
        let row = event(evaluator, kind, point.contact, t, &point.motion);
        log.push(Event {
            approach_speed: -old[0],
            impact: Some(Impact {
                separation_speed: new[0],
                slip_before: old[1].hypot(old[2]),
                slip_after: new[1].hypot(new[2]),
                impulse_normal: own[0],
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
    // What is left of the balance is work of what moves by itself; without such it is rounding.
    let motors = change + all_lost;
    if motors.abs() > NOTHING * (change.abs() + all_lost.abs()) {
        settled.motors += motors;
    }
    Ok(rests)
}

/// Decides by the accelerations what the closed contacts do.
fn decide(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    points: &[RigidPoint],
    (delassus, free): (&Delassus, &[f64]),
    (before, cause): (&[Hold], Option<(usize, Transition)>),
    (settled, log): (&mut Settled, &mut Vec<Event>),
) -> Result<(), RigidFault> {
    if points.is_empty() {
        return Ok(());
    }
    let scale = fastest(evaluator, points);
    let has_cause = |point: &RigidPoint, change: Transition| cause == Some((point.contact, change));
    let members: Vec<Member> = points
        .iter()
        .map(|point| {
            let friction = evaluator.table.rigid_law(point.contact).friction;
            let [_, x, y] = point.speeds;
            let slip = x.hypot(y);
            let most = if has_cause(point, Transition::Stick) { STOPPED } else { STILL };
            let slides = slip > most * scale;
            let tangent = match friction {
                0.0 => Tangent::Along([0.0; 2]),
                _ if slides => Tangent::Along([x / slip, y / slip]),
                _ => Tangent::Free,
            };
            Member { tangent, ..Member::coulomb(friction) }
        })
        .collect();
    let start: Vec<f64> = before.iter().flat_map(|hold| hold.multipliers).collect();
    let problem = ConeProblem { matrix: &delassus.matrix, offset: free, members: &members };
    let answer = problem.solve(&start).map_err(|failure| RigidFault::NoAnswer {
        contacts: points.iter().map(|point| point.contact).collect(),
        is_impact: false,
        failure,
    })?;
    settled.iterations += answer.iterations as u64;
    let acceleration = NOTHING * free.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    let answer = match cause {
        Some((_, Transition::Slip)) => spared(&problem, answer, acceleration),
        _ => answer,
    };
    let force = NOTHING * answer.impulses.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let own = |values: &[f64], k: usize| [values[3 * k], values[3 * k + 1], values[3 * k + 2]];
    let mut rows: Vec<usize> = Vec::new();
    let mut holds: Vec<Option<Hold>> = Vec::with_capacity(points.len());
    for (k, point) in points.iter().enumerate() {
        let (forces, speeds) = (own(&answer.impulses, k), own(&answer.speeds, k));
        let carries = forces[0] > force;
        let leaves = !carries && speeds[0] > acceleration;
        let is_free = depends_not(delassus, 3 * points.len(), &rows, 3 * k);
        if leaves || (!carries && has_cause(point, Transition::Detach) && is_free) {
            holds.push(None);
            continue;
        }
        let mut hold = held(&members[k], point, forces, speeds, acceleration);
        if !carries && !is_free {
            hold.holding = Holding::Idle;
        } else {
            rows.push(3 * k);
            if hold.holding == Holding::Stick {
                rows.extend([3 * k + 1, 3 * k + 2]);
            }
        }
        holds.push(Some(hold));
    }
    if let Some((contact, Transition::Slip)) = cause {
        let mu = |k: usize| members[k].friction;
        begin_slip(points, contact, delassus, mu, &mut holds);
    }
    for ((k, point), hold) in points.iter().enumerate().zip(holds) {
        let Some(hold) = hold else {
            part(evaluator, t, point, log);
            continue;
        };
        note_change(evaluator, t, point, (&before[k], &hold), log);
        evaluator.contacts.memory[point.contact].hold = hold;
    }
    Ok(())
}

/// Lets a contact slip whose friction has reached its bound, in a state in which it has yet no acceleration: alone where the others
/// leave it free, else together with all whose friction is at its bound too.
fn begin_slip(
    points: &[RigidPoint],
    contact: usize,
    delassus: &Delassus,
    friction: impl Fn(usize) -> f64,
    holds: &mut [Option<Hold>],
) {
    let size = 3 * points.len();
    let is_at_bound = |k: &usize| {
        holds[*k].is_some_and(|hold| {
            let [normal, x, y] = hold.multipliers;
            let tangential = x.hypot(y);
            hold.holding == Holding::Stick && tangential > 0.0 && tangential >= AT_BOUND * friction(*k) * normal
        })
    };
    let together: Vec<usize> = (0..points.len()).filter(is_at_bound).collect();
    let Some(&first) = together.iter().find(|&&k| points[k].contact == contact) else { return };
    for slipping in [&[first][..], &together] {
        let held_rows = |k: usize| match holds[k].map(|hold| hold.holding) {
            Some(Holding::Stick) if !slipping.contains(&k) => 3 * k..3 * k + 3,
            Some(Holding::Stick | Holding::Slide) => 3 * k..3 * k + 1,
            _ => 0..0,
        };
        let rows: Vec<usize> = (0..points.len()).flat_map(held_rows).collect();
        if !(1..3).any(|axis| depends_not(delassus, size, &rows, 3 * first + axis)) {
            continue;
        }
        for &k in slipping {
            let Some(hold) = &mut holds[k] else { continue };
            let [_, x, y] = hold.multipliers;
            let along = -(points[k].axes[1] * x + points[k].axes[2] * y) / x.hypot(y);
            *hold = Hold { holding: Holding::Slide, direction: along, is_slipping: false, ..*hold };
        }
        return;
    }
}

/// An answer with the same accelerations whose forces keep away from friction's bound, if there is one: where contacts depend on
/// each other (a sleeve that jams) the forces are not unique, and friction that reaches its bound at one of them lets nothing slip.
fn spared(problem: &ConeProblem<'_>, answer: Answer, acceleration: f64) -> Answer {
    for share in SPARED {
        let spare = |of: &Member| match of.tangent {
            Tangent::Free => Member { friction: (1.0 - share) * of.friction, ..*of },
            Tangent::Along(_) => *of,
        };
        let members: Vec<Member> = problem.members.iter().map(spare).collect();
        let other = ConeProblem { members: &members, ..*problem }.solve(&answer.impulses);
        let moves_alike = |other: &Answer| {
            answer.speeds.iter().zip(&other.speeds).all(|(a, b)| (a - b).abs() <= acceleration)
        };
        if let Some(other) = other.ok().filter(moves_alike) {
            return other;
        }
    }
    answer
}

/// The hold that an answer gives a contact that stays.
fn held(of: &Member, point: &RigidPoint, forces: [f64; 3], speeds: [f64; 3], acceleration: f64) -> Hold {
    let world = |[x, y]: [f64; 2]| point.axes[1] * x + point.axes[2] * y;
    let hold = Hold {
        holding: Holding::Slide,
        tangent: point.axes[1],
        direction: carom_math::Vec3::zeros(),
        is_slipping: true,
        multipliers: forces,
    };
    match of.tangent {
        Tangent::Along(direction) => Hold { direction: world(direction), ..hold },
        Tangent::Free => {
            let rate = speeds[1].hypot(speeds[2]);
            let bounded = forces[1].hypot(forces[2]) < (1.0 - NOTHING) * of.friction * forces[0];
            if bounded || rate <= acceleration {
                Hold { holding: Holding::Stick, is_slipping: false, ..hold }
            } else {
                let direction = world([speeds[1] / rate, speeds[2] / rate]);
                Hold { direction, is_slipping: false, ..hold }
            }
        }
    }
}

/// Is a row independent of others?
fn depends_not(delassus: &Delassus, size: usize, rows: &[usize], row: usize) -> bool {
    let mut all = rows.to_vec();
    all.push(row);
    let rank = |rows: &[usize]| {
        let of_row = |&i: &usize| rows.iter().map(move |&j| delassus.matrix[size * i + j]);
        let block: Vec<f64> = rows.iter().flat_map(of_row).collect();
        let mut factor = PivotedCholesky::with_room(rows.len());
        factor.factor(&block, rows.len(), None, 0.0);
        factor.rank()
    };
    rank(&all) > rank(rows)
}

/// Opens a contact.
fn part(evaluator: &mut Evaluator<'_>, t: f64, point: &RigidPoint, log: &mut Vec<Event>) {
    evaluator.contacts.memory[point.contact].hold = Hold::default();
    open(evaluator, point.contact, t, &point.motion, log);
}

/// Logs what a contact does from now on, where that is something else.
fn note_change(
    evaluator: &Evaluator<'_>,
    t: f64,
    point: &RigidPoint,
    (before, now): (&Hold, &Hold),
    log: &mut Vec<Event>,
) {
    let turned = now.holding == Holding::Slide && before.direction.dot(&now.direction) < 0.0;
    let kind = match now.holding {
        Holding::Stick if before.holding != Holding::Stick => EventKind::Stick,
        Holding::Slide if before.holding != Holding::Slide || turned => EventKind::Slip,
        _ => return,
    };
    if evaluator.table.rigid_law(point.contact).friction > 0.0 {
        log.push(event(evaluator, kind, point.contact, t, &point.motion));
    }
}
