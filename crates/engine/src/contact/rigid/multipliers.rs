//! Forces of closed rigid contacts while their sets are frozen: one linear system for an evaluation.

use carom_math::{Twist, Wrench};
use carom_solvers::PivotedCholesky;
use carom_solvers::complementarity::BasisSolver;

use super::delassus::Delassus;
use super::hold::Holding;
use super::islands::Islands;
use super::project::{ProjectionBuffers, holds_any, take_held};
use super::rows::{RigidPoint, RigidPoints};
use super::settle::SettleBuffers;
use crate::contact::{Evaluator, Transition};

/// Directions of the scaled G below which contacts depend on each other.
const RIDGE: f64 = 1e-9;
/// Least share of the largest load by which a contact takes part in changes.
const LIGHTEST: f64 = 1e-8;
/// Solutions of the linear system: the second corrects the rounding of the first.
const CORRECTIONS: usize = 2;
/// Slip, over the model's speed, below which its direction is the last one that is known.
pub(crate) const STILL: f64 = 1e-10;
/// Slip that has begun from rest, over the model's speed, up to which friction is along its acceleration.
pub(super) const INCIPIENT: f64 = 1e-6;
/// Rounds in search of the directions of slips that have just begun, and what is left of the acceleration across them, over friction's. Slips
/// that turn apart come nearer more slowly: what the last round leaves, in radians, stays, while they are below [`INCIPIENT`].
const TURNS: usize = 40;
const ACROSS: f64 = 1e-12;

/// Buffers of the rigid contacts of an evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidWorkspace {
    /// An event that is being settled has taken all of it: what it does not concern waits without forces.
    pub(super) is_away: bool,
    pub(crate) points: RigidPoints,
    /// Contacts that are held, by problem, and of each its place among the active contacts.
    held: Vec<usize>,
    islands: Islands,
    slots: Vec<usize>,
    pub(crate) delassus: Delassus,
    rates: Vec<f64>,
    pub(super) links: Vec<Twist>,
    pub(super) freedoms: Vec<f64>,
    wrenches: Vec<Wrench>,
    efforts: Vec<f64>,
    /// W v̇ + w̄ without contact forces.
    pub(super) free: Vec<f64>,
    system: FrozenSystem,
    /// Changes that are watched for in a step: place among the active contacts, contact, and change.
    pub(crate) watched: Vec<(usize, usize, Transition)>,
    pub(super) projection: ProjectionBuffers,
    pub(super) settling: SettleBuffers,
    /// Energy lost in the impacts of the event that was settled last, by contact (J).
    pub(crate) lost: Vec<(usize, f64)>,
    /// Contacts of the decision that was made last, if they had another answer.
    pub(crate) several: Vec<usize>,
}

/// The linear system of the multipliers: rows that are held, and columns of friction of contacts that slide.
#[derive(Clone, Debug, Default)]
struct FrozenSystem {
    /// Rows of G that are held.
    rows: Vec<usize>,
    /// Points that slide, each with its slip's direction along its tangents.
    slides: Vec<(usize, [f64; 2])>,
    matrix: Vec<f64>,
    factor: PivotedCholesky,
    metric: Vec<f64>,
    /// By slide: the place of its normal among the rows.
    places: Vec<usize>,
    /// By slide, one after the other: S C, with C the friction per unit of normal force on the rows.
    columns: Vec<f64>,
    /// 1 + P S C, its right-hand side, and the changes of the slides' normal forces.
    coupling: Vec<f64>,
    coupled: Vec<f64>,
    slides_change: Vec<f64>,
    slacks: Vec<f64>,
    everything: Vec<bool>,
    basis: BasisSolver,
    right: Vec<f64>,
    change: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
}

/// Accelerations without the forces of rigid contacts at the evaluator's place, with forces of all others: `links` and `freedoms`
/// of the workspace. What acts on the bodies is as before afterwards.
pub(super) fn free_accelerations(evaluator: &mut Evaluator<'_>, work: &mut RigidWorkspace) -> bool {
    let mechanics = &evaluator.system.mechanics;
    work.links.resize(mechanics.links.len(), Twist::ZERO);
    work.freedoms.resize(mechanics.freedoms(), 0.0);
    work.rates.resize(evaluator.workspace.state.len(), 0.0);
    work.wrenches.clone_from(&evaluator.workspace.wrenches);
    work.efforts.clone_from(&evaluator.workspace.mechanism.efforts);
    let account = evaluator.workspace.mechanism.account;
    let is_sound =
        evaluator.add_contacts().is_ok() && evaluator.workspace.accelerate(&mut work.rates).is_ok();
    if is_sound {
        evaluator.workspace.accelerations_in(&work.rates, &mut work.links, &mut work.freedoms);
    }
    evaluator.workspace.wrenches.clone_from(&work.wrenches);
    evaluator.workspace.mechanism.efforts.clone_from(&work.efforts);
    evaluator.workspace.mechanism.account = account;
    is_sound
}

/// Writes the forces of all rigid contacts that are held at the evaluator's place. A system without a solution has none that is
/// a number, which fails the evaluation.
pub(crate) fn update_multipliers(evaluator: &mut Evaluator<'_>) {
    if evaluator.rigid.is_away || !holds_any(evaluator) {
        return;
    }
    let mut work = std::mem::take(&mut evaluator.rigid);
    gather(evaluator, &mut work);
    let is_sound = free_accelerations(evaluator, &mut work) && work.delassus.prepare(evaluator);
    for island in 0..work.islands.len() {
        let RigidWorkspace { points, delassus, free, system, slots, islands, links, freedoms, .. } =
            &mut work;
        let range = islands.range(island);
        let (points, slots) = (&mut points[range.clone()], &slots[range]);
        if is_sound {
            delassus.update(evaluator, points);
            Delassus::accelerations(points, links, freedoms, free);
            solve(evaluator, (points, delassus, free), system);
        } else {
            system.multipliers.clear();
            system.multipliers.resize(3 * points.len(), f64::NAN);
        }
        write_forces(evaluator, points, slots, &system.multipliers);
    }
    evaluator.rigid = work;
}

/// Takes the points that are held.
fn gather(evaluator: &Evaluator<'_>, work: &mut RigidWorkspace) {
    let RigidWorkspace { points, held, islands, slots, .. } = work;
    take_held(evaluator, held);
    islands.sort(evaluator, held);
    slots.clear();
    points.resize(held.len());
    for (point, &contact) in points.iter_mut().zip(&*held) {
        let slot = evaluator.contacts.active.partition_point(|&active| active < contact);
        let hold = evaluator.contacts.memory[contact].hold;
        point.take(evaluator, contact, &evaluator.forces[slot].point, &hold);
        point.update_bias(evaluator);
        slots.push(slot);
    }
}

/// A λ = −(W v̇ + w̄) on the held rows, near the multipliers of the last event.
fn solve(
    evaluator: &Evaluator<'_>,
    (points, delassus, free): (&[RigidPoint], &Delassus, &[f64]),
    system: &mut FrozenSystem,
) {
    let size = 3 * points.len();
    system.rows.clear();
    system.slides.clear();
    system.multipliers.clear();
    for (k, point) in points.iter().enumerate() {
        let hold = &evaluator.contacts.memory[point.contact].hold;
        system.rows.push(3 * k);
        let anchor = hold.multipliers;
        if hold.holding == Holding::Stick {
            let tangents = 3 * k + 1..3 * k + point.count_held(true);
            system.rows.extend(tangents.filter(|&row| delassus.is_mobile(size, row)));
        } else {
            let direction = slip_direction(evaluator, point);
            let friction = evaluator.table.rigid_law(point.contact).friction;
            system.slides.push((k, direction.map(|d| friction * d)));
        }
        system.multipliers.extend(anchor);
    }
    let m = system.rows.len();
    system.matrix.clear();
    let rows = &system.rows;
    system.matrix.extend(
        rows.iter()
            .flat_map(|&i| rows.iter().map(move |&j| (i, j)))
            .map(|(i, j)| 0.5 * (delassus.matrix[size * i + j] + delassus.matrix[size * j + i])),
    );
    system.factor.factor(&system.matrix, m, None, RIDGE);
    let depends = system.factor.rank() < m;
    if depends {
        system.weigh_by_load(m);
    }
    system.change.resize(m, 0.0);
    for _ in 0..TURNS {
        balance(evaluator, (points, delassus, free), depends, system);
        if !turn_incipient(evaluator, (points, delassus, free), system) {
            break;
        }
    }
}

/// Multipliers for the directions of slip that the system has.
fn balance(
    evaluator: &Evaluator<'_>,
    (points, delassus, free): (&[RigidPoint], &Delassus, &[f64]),
    depends: bool,
    system: &mut FrozenSystem,
) {
    let (size, m) = (3 * points.len(), system.rows.len());
    for &(k, [first, second]) in &system.slides {
        let normal = system.multipliers[3 * k];
        system.multipliers[3 * k + 1] = -first * normal;
        system.multipliers[3 * k + 2] = -second * normal;
    }
    // (1 + P S C) Δ_N = P S r of the slides, with P their normal rows.
    system.columns.clear();
    system.places.clear();
    for &(k, direction) in &system.slides {
        let by_friction = |i: &usize| {
            -(delassus.matrix[size * i + 3 * k + 1] * direction[0]
                + delassus.matrix[size * i + 3 * k + 2] * direction[1])
        };
        system.right.clear();
        system.right.extend(system.rows.iter().map(by_friction));
        system.factor.solve(&system.right, &mut system.change);
        system.columns.extend_from_slice(&system.change);
        system.places.push(system.rows.iter().position(|&row| row == 3 * k).unwrap_or(0));
    }
    let s = system.places.len();
    system.coupling.clear();
    for i in 0..s {
        for j in 0..s {
            system.coupling.push(system.columns[m * j + system.places[i]] + f64::from(u8::from(i == j)));
        }
    }
    system.everything.resize(s, true);
    system.slides_change.resize(s, 0.0);
    system.slacks.resize(s, 0.0);
    // Contacts that depend on each other keep the shares of friction's bounds that the last event gave them, as far as that goes: if one of
    // them kept its friction while its normal force goes to another, it would come to its bound over and over.
    for pass in 0..CORRECTIONS + usize::from(depends) {
        if depends && pass == 1 {
            system.share_friction(evaluator, points);
        }
        system.right.clear();
        for &i in &system.rows {
            let pushed: f64 = delassus.matrix[size * i..size * (i + 1)]
                .iter()
                .zip(&system.multipliers)
                .map(|(g, l)| g * l)
                .sum();
            system.right.push(-(free[i] + pushed));
        }
        system.factor.solve(&system.right, &mut system.change);
        system.coupled.clear();
        system.coupled.extend(system.places.iter().map(|&place| -system.change[place]));
        let unknowns = [&mut system.slides_change[..], &mut system.slacks];
        if !system.basis.solve([&system.coupling, &system.coupled], &system.everything, unknowns) {
            system.slides_change.fill(f64::NAN);
        }
        for (column, slide) in system.columns.chunks_exact(m).zip(&system.slides_change) {
            system.change.iter_mut().zip(column).for_each(|(change, c)| *change -= c * slide);
        }
        for (&row, change) in system.rows.iter().zip(&system.change) {
            system.multipliers[row] += change;
        }
        for &(k, [first, second]) in &system.slides {
            let normal = system.multipliers[3 * k];
            system.multipliers[3 * k + 1] = -first * normal;
            system.multipliers[3 * k + 2] = -second * normal;
        }
    }
}

/// Turns friction against slips that have just begun to where they are accelerated along it; false where it is so.
///
/// At a slip s friction turns it within |s|/(μ λ_N G_TT), which no explicit method follows while s is next to nothing. What it turns to at
/// once is the direction d along which W_T v̇ + w̄_T has no part across: d⊥ · s' = 0. The step of Newton's method leaves out how normal
/// forces depend on d, and takes all of these slips to turn alike, as those of a block's corners do, where that is stiffer.
fn turn_incipient(
    evaluator: &Evaluator<'_>,
    (points, delassus, free): (&[RigidPoint], &Delassus, &[f64]),
    system: &mut FrozenSystem,
) -> bool {
    let size = 3 * points.len();
    let FrozenSystem { slides, multipliers, .. } = system;
    let is_incipient =
        |k: usize| points[k].tangents == 2 && !evaluator.contacts.memory[points[k].contact].hold.is_slipping;
    let mut turned = false;
    for slide in 0..slides.len() {
        let (k, push) = slides[slide];
        let friction = push[0].hypot(push[1]);
        if !is_incipient(k) || friction == 0.0 {
            continue;
        }
        let d = push.map(|part| part / friction);
        let across = [-d[1], d[0]];
        let row = |tangent: usize| &delassus.matrix[size * (3 * k + tangent)..][..size];
        let rate = [1, 2].map(|tangent| {
            let pushed = row(tangent).iter().zip(&*multipliers).map(|(g, l)| g * l);
            free[3 * k + tangent] + pushed.sum::<f64>()
        });
        // How fast friction at a point turns the slip at this one.
        let turning = |&(j, push): &(usize, [f64; 2])| {
            let load = push[0].hypot(push[1]) * multipliers[3 * j].max(0.0);
            let own =
                |tangent: usize| row(tangent)[3 * j + 1] * across[0] + row(tangent)[3 * j + 2] * across[1];
            load * (across[0] * own(1) + across[1] * own(2))
        };
        let alone = turning(&slides[slide]);
        let alike = slides.iter().filter(|(j, _)| is_incipient(*j)).map(turning).sum::<f64>();
        let off = across[0] * rate[0] + across[1] * rate[1];
        let stiffness = d[0] * rate[0] + d[1] * rate[1] + alone.max(alike);
        let is_off = off.abs() > ACROSS * alone;
        if is_off && stiffness > 0.0 {
            let (sine, cosine) = libm::sincos((off / stiffness).clamp(-0.5, 0.5));
            slides[slide].1 = [0, 1].map(|axis| friction * (cosine * d[axis] + sine * across[axis]));
            turned = true;
        }
    }
    turned
}

impl FrozenSystem {
    /// Factors the matrix of `m` rows so that contacts which depend on each other share changes by the loads that they carry: one that
    /// carries hardly anything would come to friction's bound by its part, over and over.
    fn weigh_by_load(&mut self, m: usize) {
        let load = |row: usize| self.multipliers[row / 3 * 3].max(0.0);
        let largest = self.rows.iter().map(|&row| load(row)).fold(0.0, f64::max);
        let weight = |row: usize| if largest > 0.0 { (load(row) / largest).max(LIGHTEST) } else { 1.0 };
        self.metric.clear();
        self.metric
            .extend(self.rows.iter().enumerate().map(|(i, &row)| self.matrix[(m + 1) * i] / weight(row)));
        self.factor.factor(&self.matrix, m, Some(&self.metric), RIDGE);
    }

    /// Tangential multipliers of contacts that stick, in proportion to the normal ones.
    fn share_friction(&mut self, evaluator: &Evaluator<'_>, points: &[RigidPoint]) {
        for (point, own) in points.iter().zip(self.multipliers.chunks_exact_mut(3)) {
            let hold = &evaluator.contacts.memory[point.contact].hold;
            let [normal, first, second] = hold.multipliers;
            if hold.holding == Holding::Stick && normal > 0.0 {
                let share = own[0].max(0.0) / normal;
                own[1] = share * first;
                own[2] = share * second;
            }
        }
    }
}

/// Unit direction of the slip along a point's tangents; where it passes through rest it goes on as before, so that the motion is
/// smooth up to there.
pub(super) fn slip_direction(evaluator: &Evaluator<'_>, point: &RigidPoint) -> [f64; 2] {
    let hold = &evaluator.contacts.memory[point.contact].hold;
    let [_, first, second] = &point.axes;
    let before = [hold.direction.dot(first), hold.direction.dot(second)];
    let [_, x, y] = point.speeds;
    let speed = x.hypot(y);
    let still = STILL * evaluator.system.scales.velocity;
    let is_known = hold.is_slipping && speed > still;
    let (along, length) = if is_known { ([x, y], speed) } else { (before, before[0].hypot(before[1])) };
    let sign = if along[0] * before[0] + along[1] * before[1] < 0.0 { -1.0 } else { 1.0 };
    if length > 0.0 { along.map(|v| sign * v / length) } else { [0.0; 2] }
}

fn write_forces(evaluator: &mut Evaluator<'_>, points: &[RigidPoint], slots: &[usize], multipliers: &[f64]) {
    for ((point, &slot), multipliers) in points.iter().zip(slots).zip(multipliers.chunks_exact(3)) {
        let force = &mut evaluator.forces[slot];
        force.normal = multipliers[0] * point.arm;
        force.friction = point.axes[1] * multipliers[1] + point.axes[2] * multipliers[2];
        force.dissipation = [0.0, -force.friction.dot(&point.motion.sliding), 0.0];
    }
}
