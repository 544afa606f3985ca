//! Positions and velocities of closed rigid contacts back onto their rows: what an integrator is off by would add up.

use carom_solvers::PivotedCholesky;

use super::delassus::Delassus;
use super::hold::Holding;
use super::rows::RigidPoint;
use crate::contact::Evaluator;
use crate::contact::observe::gap_epsilon;
use crate::mechanics::{Misfit, joint};

/// Corrections of a state, each of positions and then of velocities.
const CORRECTIONS: usize = 8;
/// Speeds along the rows, over the fastest of the contacts' points, that rounding leaves.
const ROUNDING: f64 = 1e-14;
/// Directions of the scaled G below which contacts depend on each other.
const RIDGE: f64 = 1e-12;

/// Puts a state back onto the rows of its rigid contacts, and onto the constraints. False if it was there.
pub(crate) fn return_to_contacts(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
) -> Result<bool, Misfit> {
    let held: Vec<usize> =
        evaluator.contacts.active.iter().copied().filter(|&c| is_held(evaluator, c)).collect();
    let mut moved = false;
    if held.is_empty() {
        return Ok(moved);
    }
    let mut work = std::mem::take(&mut evaluator.rigid);
    for _ in 0..CORRECTIONS {
        let off = correct(evaluator, t, y, &held, &mut work.points, &mut work.delassus);
        if !off {
            break;
        }
        moved = true;
        if evaluator.workspace.mechanism.is_constrained() {
            evaluator.workspace.return_to_constraints(t, y)?;
        }
    }
    evaluator.rigid = work;
    Ok(moved)
}

/// Is a state off the rows of its rigid contacts by more than rounding?
pub(crate) fn is_off_contacts(evaluator: &mut Evaluator<'_>, t: f64, y: &[f64]) -> bool {
    if !holds_any(evaluator) {
        return false;
    }
    let held: Vec<usize> =
        evaluator.contacts.active.iter().copied().filter(|&c| is_held(evaluator, c)).collect();
    let mut points = std::mem::take(&mut evaluator.rigid.points);
    take_points(evaluator, t, y, &held, &mut points);
    let is_off = points.iter().any(|point| point.motion.gap.abs() > gap_epsilon(&point.motion))
        || is_fast(evaluator, &points);
    evaluator.rigid.points = points;
    is_off
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
fn correct(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &mut [f64],
    held: &[usize],
    points: &mut Vec<RigidPoint>,
    delassus: &mut Delassus,
) -> bool {
    take_points(evaluator, t, y, held, points);
    let deep = points.iter().any(|point| point.motion.gap.abs() > gap_epsilon(&point.motion));
    if !deep && !is_fast(evaluator, points) {
        return false;
    }
    let normal_rows: Vec<usize> = (0..points.len()).map(|k| 3 * k).collect();
    if deep && delassus.update(evaluator, points) {
        let gaps: Vec<f64> = points.iter().map(|point| -point.motion.gap).collect();
        let pushes = least_impulses(&delassus.matrix, 3 * points.len(), &normal_rows, &gaps);
        displace(evaluator, points, &pushes, y);
        take_points(evaluator, t, y, held, points);
    }
    if is_fast(evaluator, points) && delassus.update(evaluator, points) {
        let rows: Vec<usize> = (0..points.len()).flat_map(|k| held_rows(evaluator, points, k)).collect();
        let speeds: Vec<f64> = rows.iter().map(|&row| -points[row / 3].speeds[row % 3]).collect();
        let impulses = least_impulses(&delassus.matrix, 3 * points.len(), &rows, &speeds);
        Delassus::push(evaluator, points, &impulses, y);
    }
    true
}

/// Moves bodies and surfaces to a state and takes the points of contacts there.
pub(super) fn take_points(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &[f64],
    contacts: &[usize],
    points: &mut Vec<RigidPoint>,
) {
    evaluator.workspace.place(t, y);
    evaluator.update_surfaces();
    evaluator.has_rates = false;
    points.resize_with(contacts.len(), RigidPoint::default);
    for (point, &contact) in points.iter_mut().zip(contacts) {
        let motion = evaluator.motion_of(contact);
        let hold = evaluator.contacts.memory[contact].hold;
        point.take(evaluator, contact, &motion, &hold);
    }
}

/// Rows that a point's hold keeps at rest.
fn held_rows(evaluator: &Evaluator<'_>, points: &[RigidPoint], k: usize) -> std::ops::Range<usize> {
    let sticks = evaluator.contacts.memory[points[k].contact].hold.holding == Holding::Stick;
    3 * k..3 * k + if sticks { 3 } else { 1 }
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

/// Impulses of least norm on the rows that change their speeds by `change`; zero on all others.
pub(super) fn least_impulses(matrix: &[f64], size: usize, rows: &[usize], change: &[f64]) -> Vec<f64> {
    let block: Vec<f64> = rows.iter().flat_map(|i| rows.iter().map(move |j| matrix[size * i + j])).collect();
    let mut factor = PivotedCholesky::with_room(rows.len());
    factor.factor(&block, rows.len(), None, RIDGE);
    let mut own = vec![0.0; rows.len()];
    factor.solve(change, &mut own);
    let mut impulses = vec![0.0; size];
    rows.iter().zip(own).for_each(|(&row, impulse)| impulses[row] = impulse);
    impulses
}

/// Moves positions by M⁻¹ W_Nᵀ p.
fn displace(evaluator: &Evaluator<'_>, points: &[RigidPoint], pushes: &[f64], y: &mut [f64]) {
    let mechanics = &evaluator.system.mechanics;
    let mut change = vec![0.0; mechanics.freedoms()];
    let each = points.iter().flat_map(|point| &point.responses).zip(pushes);
    for (response, push) in each.filter(|(_, push)| **push != 0.0) {
        response.freedoms.iter().for_each(|(freedom, rate)| change[*freedom] += push * rate);
    }
    for link in &mechanics.links {
        joint::displace(link.kind, &mut y[link.coordinates()], &change[link.freedoms()]);
    }
}
