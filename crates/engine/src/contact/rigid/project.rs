//! Positions and velocities of closed rigid contacts back onto their rows: what an integrator is off by would add up.

use carom_solvers::PivotedCholesky;

use super::delassus::Delassus;
use super::hold::Holding;
use super::islands::Islands;
use super::multipliers::{RigidWorkspace, with_buffers};
use super::rows::{RigidPoint, RigidPoints};
use super::settle::OVERLAP;
use super::single::single_motion;
use crate::contact::observe::gap_epsilon;
use crate::contact::{Astray, Evaluator};
use crate::mechanics::joint;

/// Corrections of a state, each of positions and then of velocities.
const CORRECTIONS: usize = 8;
/// Speeds along the rows, over the fastest of the contacts' points, that rounding leaves.
const ROUNDING: f64 = 1e-14;
/// Directions of the scaled G below which contacts depend on each other.
const RIDGE: f64 = 1e-12;

/// Buffers of projections.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectionBuffers {
    held: Vec<usize>,
    islands: Islands,
    rows: Vec<usize>,
    /// What the rows are off by, and what takes it away.
    change: Vec<f64>,
    impulses: Vec<f64>,
    /// Block of G of the rows, and their impulses.
    block: Vec<f64>,
    own: Vec<f64>,
    factor: PivotedCholesky,
    moved: Vec<f64>,
}

/// Puts a state back onto the rows of its rigid contacts, and onto the constraints. False if it was there; an error where corrections lead
/// away from them, which would throw bodies about.
pub(crate) fn return_to_contacts(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
) -> Result<bool, Astray> {
    if !holds_any(evaluator) {
        return Ok(false);
    }
    with_buffers(evaluator, |evaluator, work| correct_until_there(evaluator, t, y, work))
}

fn correct_until_there(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
    work: &mut RigidWorkspace,
) -> Result<bool, Astray> {
    take_held(evaluator, &mut work.projection.held);
    work.projection.islands.sort(evaluator, &mut work.projection.held);
    for round in 0..CORRECTIONS {
        if !correct(evaluator, t, y, work) {
            return Ok(round > 0);
        }
        if evaluator.workspace.mechanism.is_constrained() {
            evaluator.workspace.return_to_constraints(t, y)?;
        }
    }
    take_points(evaluator, t, y, &work.projection.held, &mut work.points);
    let deepest = OVERLAP * evaluator.system.scales.length;
    let is_off = |point: &&RigidPoint| point.motion.gap.abs() > deepest || point.motion.gap.is_nan();
    match work.points.iter().find(is_off) {
        Some(point) => Err(Astray::Contact { contact: point.contact, gap: point.motion.gap }),
        None => Ok(true),
    }
}

/// Is a state off the rows of its rigid contacts by more than rounding?
pub(crate) fn is_off_contacts(evaluator: &mut Evaluator<'_>, t: f64, y: &[f64]) -> bool {
    if !holds_any(evaluator) {
        return false;
    }
    with_buffers(evaluator, |evaluator, work| {
        take_held(evaluator, &mut work.projection.held);
        take_points(evaluator, t, y, &work.projection.held, &mut work.points);
        work.points.iter().any(|point| point.motion.gap.abs() > gap_epsilon(&point.motion))
            || is_fast(evaluator, &work.points)
    })
}

/// The rigid contacts that are held, ascending.
pub(super) fn take_held(evaluator: &Evaluator<'_>, held: &mut Vec<usize>) {
    held.clear();
    held.extend(evaluator.contacts.active.iter().copied().filter(|&c| is_held(evaluator, c)));
}

/// Is any rigid contact held?
pub(crate) fn holds_any(evaluator: &Evaluator<'_>) -> bool {
    evaluator.contacts.active.iter().any(|&contact| is_held(evaluator, contact))
}

/// Is the contact rigid, closed, and held by rows?
pub(crate) fn is_held(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    evaluator.table.is_rigid(contact) && evaluator.contacts.memory[contact].hold.holding.has_rows()
}

/// One correction of positions and velocities; false if none is needed.
fn correct(evaluator: &mut Evaluator<'_>, t: f64, y: &mut [f64], work: &mut RigidWorkspace) -> bool {
    let RigidWorkspace { points, delassus, projection, .. } = work;
    take_points(evaluator, t, y, &projection.held, points);
    let is_deep = |points: &[RigidPoint]| points.iter().any(|p| p.motion.gap.abs() > gap_epsilon(&p.motion));
    let any_deep = is_deep(points);
    if any_deep && delassus.prepare(evaluator) {
        for island in 0..projection.islands.len() {
            let points = &mut points[projection.islands.range(island)];
            if !is_deep(points) {
                continue;
            }
            delassus.update(evaluator, points);
            projection.rows.clear();
            projection.rows.extend((0..points.len()).map(|k| 3 * k));
            projection.change.clear();
            projection.change.extend(points.iter().map(|point| -point.motion.gap * point.arm));
            projection.find_least_impulses(&delassus.matrix, 3 * points.len(), RIDGE);
            displace(evaluator, points, projection, y);
        }
        take_points(evaluator, t, y, &projection.held, points);
    }
    let any_fast = is_fast(evaluator, points);
    if any_fast && delassus.prepare(evaluator) {
        for island in 0..projection.islands.len() {
            let points = &mut points[projection.islands.range(island)];
            if is_fast(evaluator, points) {
                delassus.update(evaluator, points);
                projection.rows.clear();
                projection.rows.extend((0..points.len()).flat_map(|k| held_rows(evaluator, points, k)));
                projection.take_away_speeds(points);
                projection.find_least_impulses(&delassus.matrix, 3 * points.len(), RIDGE);
                Delassus::push(evaluator, points, &projection.impulses, y);
            }
        }
    }
    any_deep || any_fast
}

/// Moves bodies and surfaces to a state and takes the points of contacts there.
pub(super) fn take_points(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &[f64],
    contacts: &[usize],
    points: &mut RigidPoints,
) {
    evaluator.workspace.place(t, y);
    evaluator.update_surfaces();
    evaluator.has_rates = false;
    points.resize(contacts.len());
    for (point, &contact) in points.iter_mut().zip(contacts) {
        let motion = single_motion(evaluator, contact);
        let hold = evaluator.contacts.memory[contact].hold;
        point.take(evaluator, contact, &motion, &hold);
    }
}

/// Rows that a point's hold keeps at rest.
fn held_rows(evaluator: &Evaluator<'_>, points: &[RigidPoint], k: usize) -> std::ops::Range<usize> {
    let sticks = evaluator.contacts.memory[points[k].contact].hold.holding == Holding::Stick;
    3 * k..3 * k + points[k].count_held(sticks)
}

/// Is a speed along a held row more than rounding?
fn is_fast(evaluator: &Evaluator<'_>, points: &[RigidPoint]) -> bool {
    let fastest = points
        .iter()
        .flat_map(|point| evaluator.table.pairs[evaluator.table.contacts[point.contact].pair].bodies)
        .map(|body| {
            let body = &evaluator.workspace.bodies[body];
            body.velocity.amax() + body.angular_velocity.amax() * evaluator.system.scales.length
        })
        .fold(evaluator.system.scales.velocity, f64::max);
    let worst = (0..points.len())
        .flat_map(|k| held_rows(evaluator, points, k))
        .map(|row| points[row / 3].speeds[row % 3].abs())
        .fold(0.0, f64::max);
    worst > ROUNDING * fastest
}

impl ProjectionBuffers {
    /// The rows are to come to rest.
    fn take_away_speeds(&mut self, points: &[RigidPoint]) {
        self.change.clear();
        self.change.extend(self.rows.iter().map(|&row| -points[row / 3].speeds[row % 3]));
    }

    /// Impulses of least norm on the rows that change their speeds by `change`; zero on all others.
    fn find_least_impulses(&mut self, matrix: &[f64], size: usize, ridge: f64) {
        let rows = &self.rows;
        self.block.clear();
        self.block.extend(rows.iter().flat_map(|i| rows.iter().map(move |j| matrix[size * i + j])));
        self.factor.factor(&self.block, rows.len(), None, ridge);
        self.own.resize(rows.len(), 0.0);
        self.factor.solve(&self.change, &mut self.own);
        self.impulses.clear();
        self.impulses.resize(size, 0.0);
        rows.iter().zip(&self.own).for_each(|(&row, impulse)| self.impulses[row] = *impulse);
    }
}

/// Moves positions by M⁻¹ W_Nᵀ p.
fn displace(
    evaluator: &Evaluator<'_>,
    points: &[RigidPoint],
    projection: &mut ProjectionBuffers,
    y: &mut [f64],
) {
    let mechanics = &evaluator.system.mechanics;
    let change = &mut projection.moved;
    change.clear();
    change.resize(mechanics.freedoms(), 0.0);
    let each = points.iter().flat_map(|point| &point.responses).zip(&projection.impulses);
    for (response, push) in each.filter(|(_, push)| **push != 0.0) {
        response.freedoms.iter().for_each(|(freedom, rate)| change[*freedom] += push * rate);
    }
    for link in &mechanics.links {
        joint::displace(link.kind, &mut y[link.coordinates()], &change[link.freedoms()]);
    }
}
