//! What closed contacts do from now on, by the accelerations that their forces leave: the cone problem, and what its answer is for each.

use carom_solvers::PivotedCholesky;

use super::cone::{Answer, ConeProblem, ConeSolver};
use super::delassus::Delassus;
use super::failure::ConeFailure;
use super::hold::{Hold, Holding};
use super::member::{Member, Tangent};
use super::multipliers::STILL;
use super::rest::STOPPED;
use super::rows::RigidPoint;
use super::settle::{NOTHING, RigidFault, fastest, part};
use super::several::find_undecided;
use super::single::{cable_of, law_of};
use super::sparing::{SparingBuffers, spare};
use super::watch::limit_of_contradiction;
use crate::contact::commit::event;
use crate::contact::rims::{Turns, align_ends, is_of_end};
use crate::contact::{Evaluator, Transition};
use crate::record::{Event, EventKind};
use crate::system::Scales;

/// Share of the largest force that a point whose force was found to come to zero has no more.
const LOST: f64 = 1e-6;
/// Share of the largest acceleration by which what depends on others and carries nothing may part and stay, idle, until it is seen to: of a car's
/// four wheels one leaves by what solvers leave of an acceleration, and would hover.
const ADRIFT: f64 = 1e-6;
/// Decisions in a row that leave everything as it was although it contradicts itself, each time by a hundred times more: after so many no forces are
/// found that go with it.
const MOST_DOUBTS: u32 = 3;
/// Friction that is at its bound, of it: what the least share of one contact's bound would be of another's, with less load.
const AT_BOUND: f64 = 1.0 - 1e-5;
/// Share of accelerations that are none which may be left of what friction holds: what is left of more, forces have to take away, and where hardly
/// anything moves they are large.
pub(super) const HELD: f64 = 3e-2;

/// What accelerations decide about: closed contacts without impact, W v̇ + w̄ without their forces, and what they did before.
pub(super) struct Held<'a> {
    pub(super) points: &'a [RigidPoint],
    pub(super) delassus: &'a Delassus,
    pub(super) free: &'a [f64],
    pub(super) before: &'a [Hold],
    /// Contacts whose slips have been ended.
    pub(super) at_rest: &'a [usize],
    pub(super) cause: Option<(usize, Transition)>,
    /// What rounding leaves where the accelerations of both bodies cancel (m/s²).
    pub(super) rounding: f64,
}

/// Rounding of an acceleration, over gravity and the model's speed squared over its length.
const ROUNDING: f64 = 1e-13;

/// What rounding leaves where accelerations of bodies cancel (m/s²).
pub(super) fn calc_rounding(evaluator: &Evaluator<'_>) -> f64 {
    let Scales { velocity, length, .. } = evaluator.system.scales;
    ROUNDING * (evaluator.system.mechanics.gravity.norm() + velocity * velocity / length)
}

impl Held<'_> {
    /// Accelerations that are none (m/s²).
    fn least_acceleration(&self) -> f64 {
        self.free.iter().fold(self.rounding, |m, a| m.max(NOTHING * a.abs()))
    }

    /// Forces that are none (N), beside those of an answer and beside what would keep each point alone from accelerating: what an answer
    /// without forces has is rounding.
    fn least_force(&self, forces: &[f64]) -> f64 {
        let size = self.free.len();
        let mobile = (0..self.points.len()).map(|k| 3 * k).filter(|&row| self.delassus.is_mobile(size, row));
        let alone = mobile.map(|row| self.free[row] / self.delassus.matrix[row * (size + 1)]);
        NOTHING * forces.iter().copied().chain(alone).fold(0.0_f64, |m, f| m.max(f.abs()))
    }
}

/// Buffers of a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    solver: ConeSolver,
    members: Vec<Member>,
    start: Vec<f64>,
    answer: Answer,
    sparing: SparingBuffers,
    /// By contact: its hold; none where it opens.
    holds: Vec<Option<Hold>>,
    /// Contacts whose friction is at its bound.
    together: Vec<usize>,
    independence: Independence,
    /// Contacts that another answer would accelerate otherwise, by their place.
    pub(super) undecided: Vec<usize>,
}

/// Solves for the forces with which the closed contacts go on. Returns the iterations that it took.
pub(super) fn find_forces(
    evaluator: &Evaluator<'_>,
    held: &Held<'_>,
    decision: &mut Decision,
) -> Result<u64, RigidFault> {
    let Held { points, delassus, free, before, at_rest, .. } = *held;
    let [still, stopped] = [STILL, STOPPED].map(|share| share * fastest(evaluator, points));
    decision.members.clear();
    decision.members.extend(points.iter().zip(before).map(|(point, before)| {
        let friction = law_of(evaluator, point.contact).friction;
        let [_, x, y] = point.speeds;
        let slip = x.hypot(y);
        // Along rows by which hardly anything moves some of it is left of what has stuck or was ended. It is no direction of friction.
        let stuck = before.holding == Holding::Stick && slip <= stopped;
        let slides = slip > still && !stuck && !at_rest.contains(&point.contact);
        let tangent = match friction {
            0.0 => Tangent::Along([0.0; 2]),
            _ if slides && is_incipient(before) => {
                let [x, y] = [1, 2].map(|axis| point.axes[axis].dot(&before.direction));
                Tangent::Along([x / x.hypot(y), y / x.hypot(y)])
            }
            _ if slides => Tangent::Along([x / slip, y / slip]),
            _ => Tangent::Free,
        };
        Member { tangent, ..Member::coulomb(friction) }
    }));
    decision.start.clear();
    decision.start.extend(before.iter().flat_map(|hold| hold.multipliers));
    let members = &decision.members;
    let problem = ConeProblem { matrix: &delassus.matrix, offset: free, members, rounding: 0.0 };
    decision.solver.solve(&problem, &decision.start, &mut decision.answer).map_err(|failure| {
        RigidFault::NoAnswer {
            contacts: points.iter().map(|point| point.contact).collect(),
            is_impact: false,
            failure,
        }
    })?;
    find_undecided(&problem, &decision.answer, held.least_acceleration(), &mut decision.undecided);
    Ok(decision.answer.iterations as u64)
}

/// Turns the points of flat round ends that tip by the forces found, or of which one has come to bear nothing, to where these act. Returns the angle
/// by which the farthest has turned (rad), none if none has. Those that only roll to where they are lowest do so if they may.
pub(super) fn turn_ends(
    evaluator: &mut Evaluator<'_>,
    held: &Held<'_>,
    decision: &Decision,
    (turns, may_roll): (&mut Turns, bool),
) -> Option<f64> {
    let Answer { impulses, speeds, .. } = &decision.answer;
    let least = LOST * impulses.iter().fold(0.0_f64, |most, force| most.max(*force));
    let is_lost = |k: usize| {
        held.cause == Some((held.points[k].contact, Transition::Detach)) && impulses[3 * k] <= least
    };
    let leaves = |k: usize| speeds[3 * k] > held.least_acceleration() || is_lost(k);
    let least = if may_roll { held.least_acceleration() } else { f64::INFINITY };
    let answer = (&impulses[..], &speeds[..], least);
    align_ends(evaluator, held.points, answer, turns, leaves)
}

/// Decides by the accelerations that the forces found leave what the closed contacts do.
pub(super) fn decide(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    held: &Held<'_>,
    decision: &mut Decision,
    log: &mut Vec<Event>,
) -> Result<(), RigidFault> {
    let Held { points, delassus, free, before, cause, .. } = *held;
    let has_cause = |point: &RigidPoint, change: Transition| cause == Some((point.contact, change));
    let acceleration = held.least_acceleration();
    let slipping = points.iter().position(|point| has_cause(point, Transition::Slip));
    if let Some(slipping) = slipping {
        let force = held.least_force(&decision.answer.impulses);
        let Decision { solver, members, answer, sparing, .. } = &mut *decision;
        spare(solver, ((&delassus.matrix, free), members), (slipping, acceleration, force), answer, sparing);
    }
    let Decision { members, answer, holds, independence, .. } = decision;
    let force = held.least_force(&answer.impulses);
    let own = |values: &[f64], k: usize| [values[3 * k], values[3 * k + 1], values[3 * k + 2]];
    independence.rows.clear();
    holds.clear();
    holds.resize(points.len(), None);
    // Those that carry come first: what depends on them and carries nothing waits for its turn. It would share changes of friction without
    // a bound to share.
    let carries = |k: &usize| answer.impulses[3 * k] > force;
    let loaded = (0..points.len()).filter(carries);
    for k in loaded.chain((0..points.len()).filter(|k| !carries(k))) {
        let (point, forces, speeds) = (&points[k], own(&answer.impulses, k), own(&answer.speeds, k));
        let carries = carries(&k);
        let is_free = independence.is_new(delassus, 3 * points.len(), 3 * k);
        // Points of round ends turn to where forces act, and let go for that.
        let is_of_end = is_of_end(evaluator, point.contact);
        let is_adrift = !is_free && !is_of_end && !has_cause(point, Transition::Detach);
        let least = if is_adrift { ADRIFT / NOTHING * acceleration } else { acceleration };
        let leaves = !carries && speeds[0] > least;
        let is_lost = !carries && has_cause(point, Transition::Detach) && is_free;
        // Bodies that go the same way beside each other, as clay balls on equal strings, have a force that is rounding from the start: they
        // hover, and what went apart or together by more than rounding meanwhile is brought back.
        let was_idle = before[k].holding == Holding::Idle;
        let may_hover = is_lost && !is_of_end && (was_idle || before[k].multipliers[0] <= force);
        if leaves || (is_lost && !may_hover) {
            continue;
        }
        let mut hold = hold_of(&members[k], point, forces, speeds, acceleration);
        // What slips on is as far as it was.
        if members[k].tangent != Tangent::Free && is_incipient(&before[k]) {
            (hold.is_slipping, hold.ends_at) = (false, before[k].ends_at);
        }
        if !carries && (!is_free || (may_hover && !was_idle)) {
            hold.holding = Holding::Idle;
        } else {
            let count = point.count_held(hold.holding == Holding::Stick);
            independence.rows.extend(3 * k..3 * k + count);
        }
        holds[k] = Some(hold);
    }
    if let Some((contact, Transition::Slip)) = cause {
        begin_slip(held, contact, decision);
    }
    let goes_on =
        |(hold, before): (&Option<Hold>, &Hold)| hold.is_some_and(|hold| hold.holding == before.holding);
    let is_doubted = points.iter().any(|point| has_cause(point, Transition::Contradict))
        && decision.holds.iter().zip(before).all(goes_on);
    if is_doubted && before.iter().any(|hold| hold.doubts >= MOST_DOUBTS) {
        let contacts = points.iter().map(|point| point.contact).collect();
        let residual = limit_of_contradiction(MOST_DOUBTS);
        let failure = ConeFailure { iterations: decision.answer.iterations, residual };
        return Err(RigidFault::NoAnswer { contacts, is_impact: false, failure });
    }
    for ((k, point), hold) in points.iter().enumerate().zip(&mut decision.holds) {
        if is_doubted && let Some(hold) = hold {
            hold.doubts = before[k].doubts + 1;
        }
        if let Some(hold) = hold.as_mut().filter(|hold| is_incipient(hold))
            && decision.members[k].tangent == Tangent::Free
        {
            hold.ends_at = -point.speeds[1].hypot(point.speeds[2]);
        }
        let Some(hold) = *hold else {
            part(evaluator, t, point, log);
            continue;
        };
        note_change(evaluator, t, point, (&before[k], &hold), log);
        evaluator.contacts.memory[point.contact].hold = hold;
        if let Some(group) = cable_of(evaluator, point.contact) {
            evaluator.workspace.mechanism.holds[group] = true;
        }
    }
    Ok(())
}

/// Lets a contact slip whose friction has reached its bound, in a state in which it has yet no acceleration: with those that have begun
/// to in the same state, where the others leave it free, else together with all whose friction is at its bound too. Where normals alone hold it,
/// as those of a floor hold the face of a block that a ram pushes, it cannot move, and its friction stays at its bound: so it slips, at rest.
fn begin_slip(held: &Held<'_>, contact: usize, decision: &mut Decision) {
    let Held { points, delassus, before, .. } = *held;
    let Decision { members, holds, together, independence, .. } = decision;
    let is_at_bound = |k: &usize| {
        holds[*k].is_some_and(|hold| {
            let [normal, x, y] = hold.multipliers;
            let (tangential, bound) = (x.hypot(y), members[*k].friction * normal);
            hold.holding == Holding::Stick && tangential > 0.0 && tangential >= AT_BOUND * bound
        })
    };
    let has_begun = |k: usize| is_incipient(&before[k]);
    together.clear();
    together.extend((0..points.len()).filter(is_at_bound));
    let Some(&first) = together.iter().find(|&&k| points[k].contact == contact) else { return };
    together.sort_by_key(|&k| k != first && !has_begun(k));
    let begun = together.partition_point(|&k| k == first || has_begun(k));
    for slipping in [&together[..begun], together] {
        let held_rows = |k: usize| match holds[k].map(|hold| hold.holding) {
            Some(Holding::Stick) if !slipping.contains(&k) => 3 * k..3 * k + points[k].count_held(true),
            Some(Holding::Stick | Holding::Slide) => 3 * k..3 * k + 1,
            _ => 0..0,
        };
        independence.rows.clear();
        independence.rows.extend((0..points.len()).flat_map(held_rows));
        if !(1..points[first].count_held(true))
            .any(|axis| independence.is_new(delassus, 3 * points.len(), 3 * first + axis))
        {
            continue;
        }
        for &k in slipping {
            let Some(hold) = &mut holds[k] else { continue };
            *hold = slide(&points[k], hold);
        }
        return;
    }
    let normals =
        |k: usize| if holds[k].is_some_and(|hold| hold.holding.has_rows()) { 3 * k..3 * k + 1 } else { 0..0 };
    independence.rows.clear();
    independence.rows.extend((0..points.len()).flat_map(normals));
    let hangs = (1..points[first].count_held(true))
        .all(|axis| !independence.is_new(delassus, 3 * points.len(), 3 * first + axis));
    if hangs && let Some(hold) = &mut holds[first] {
        *hold = slide(&points[first], hold);
    }
}

/// A contact that sticks with its friction at its bound, as one that begins to slip against that.
fn slide(point: &RigidPoint, hold: &Hold) -> Hold {
    let [_, x, y] = hold.multipliers;
    let along = -(point.axes[1] * x + point.axes[2] * y) / x.hypot(y);
    Hold { holding: Holding::Slide, direction: along, is_slipping: false, ..*hold }
}

/// The hold that an answer gives a contact that stays.
fn hold_of(of: &Member, point: &RigidPoint, forces: [f64; 3], speeds: [f64; 3], acceleration: f64) -> Hold {
    let world = |[x, y]: [f64; 2]| point.axes[1] * x + point.axes[2] * y;
    let hold = Hold {
        holding: Holding::Slide,
        tangent: point.axes[1],
        direction: carom_math::Vec3::zeros(),
        is_slipping: true,
        ends_at: 0.0,
        multipliers: forces,
        doubts: 0,
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

/// Has a slip begun, and not yet left rest?
fn is_incipient(hold: &Hold) -> bool {
    hold.holding == Holding::Slide && !hold.is_slipping
}

/// Tells whether a row depends on others.
#[derive(Clone, Debug, Default)]
struct Independence {
    rows: Vec<usize>,
    block: Vec<f64>,
    factor: PivotedCholesky,
}

impl Independence {
    /// Is a row independent of `rows`?
    fn is_new(&mut self, delassus: &Delassus, size: usize, row: usize) -> bool {
        if !delassus.is_mobile(size, row) {
            return false;
        }
        let before = self.rank(delassus, size);
        self.rows.push(row);
        let after = self.rank(delassus, size);
        self.rows.pop();
        after > before
    }

    fn rank(&mut self, delassus: &Delassus, size: usize) -> usize {
        let rows = &self.rows;
        self.block.clear();
        self.block
            .extend(rows.iter().flat_map(|&i| rows.iter().map(move |&j| delassus.matrix[size * i + j])));
        self.factor.factor(&self.block, rows.len(), None, 0.0);
        self.factor.rank()
    }
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
    if law_of(evaluator, point.contact).friction > 0.0 {
        log.push(event(evaluator, kind, point.contact, t, &point.motion));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block beside a wall that it leaves at 5 m/s²: what its answer has of a force carried it on along the wall, where it had none.
    #[test]
    fn rounding_is_no_force() {
        let points = [RigidPoint::default()];
        let mut delassus = Delassus::default();
        delassus.matrix = vec![2.0, 0.5, 0.0, 0.5, 2.0, 0.0, 0.0, 0.0, 2.0];
        let free = &[5.0, 0.1, 0.0];
        let held = Held {
            points: &points,
            delassus: &delassus,
            free,
            before: &[],
            at_rest: &[],
            cause: None,
            rounding: 0.0,
        };
        let rounding = [4e-17, 8e-18, 0.0];
        assert!(rounding[0] <= held.least_force(&rounding));
        assert!(held.least_force(&[1.0, 0.2, 0.0]) < 1e-6);
    }
}
