//! The Jacobian of the right-hand side: of trees and free bodies with what acts along their joints, in contact.

use carom_math::{Quaternion, Vec3};
use carom_solvers::Fault;

use super::TangentWorkspace;
use crate::contact::rates::accelerate_at;
use crate::contact::rigid::holds_any;
use crate::contact::tangent::{actuator, coupling, element, path, stop};
use crate::contact::{Culprit, Evaluator};
use crate::mechanics::JointRole;
use crate::mechanics::force::axis_slopes;
use crate::mechanics::joint;
use crate::mechanics::tree::Link;
use crate::system::PairSource;

/// Is the Jacobian known in closed form? Where there are trees and free bodies, couplings and motors of their coordinates, but
/// no other constraints and no cables; not of bristles, nor of rigid contacts that are held, whose forces follow from all that acts.
pub(crate) fn has_tangent(evaluator: &Evaluator<'_>) -> bool {
    let is_free = evaluator.contacts.states == 0 && !holds_any(evaluator);
    is_free
        && has_trees(evaluator)
        && evaluator.system.mechanics.constraints.iter().all(coupling::has_tangent)
}

/// Are there trees and free bodies only, with what acts between two of them, and motors whose motion links make?
pub(crate) fn is_tree_like(evaluator: &Evaluator<'_>) -> bool {
    let mechanics = &evaluator.system.mechanics;
    has_trees(evaluator) && (mechanics.constraints.is_empty() || mechanics.is_driven_only)
}

/// Do joints carry bodies only, and has all that acts a tangent?
fn has_trees(evaluator: &Evaluator<'_>) -> bool {
    let mechanics = &evaluator.system.mechanics;
    mechanics.forces.iter().all(element::has_tangent)
        && mechanics.joints.iter().all(|joint| joint.role != JointRole::Closes)
}

/// Writes ∂ẏ/∂y, row by row. Of M(q) v̇ + C(q, v) = Q(q, v) it is M ∂v̇/∂x = ∂Q/∂x − ∂(M a + C)/∂x at a = v̇.
pub(crate) fn write_jacobian(
    evaluator: &mut Evaluator<'_>,
    work: &mut TangentWorkspace,
    t: f64,
    y: &[f64],
    matrix: &mut [f64],
) -> Result<(), Fault> {
    let held = evaluator.system.clone();
    let system = &*held;
    let n = system.states();
    // Integrators ask where they have evaluated last.
    if !(evaluator.has_rates
        && evaluator.workspace.time == evaluator.workspace.clock(t)
        && evaluator.workspace.state == y)
    {
        accelerate_at(evaluator, t, y, None, &mut work.rates)?;
    }
    write_slopes(evaluator, work, true, true, matrix)?;
    actuator::write_activation_rates(evaluator, matrix);
    for link in &system.mechanics.links {
        write_coordinate_rates(evaluator, link, matrix);
        let Some(first) = quaternion_state(link) else { continue };
        let turns = turns_by_components(joint::quaternion(&evaluator.workspace.state[first..]));
        for (place, data) in work.chain.places.iter().enumerate() {
            if work.reach_of(system, place).contains(&first) {
                by_components(&mut matrix[n * data.velocity + first..][..4], &turns);
            }
        }
    }
    Ok(())
}

/// Writes the slopes of accelerations, which the evaluator's rates are at its state: a row for each velocity, by columns of states,
/// of quaternions by rotations about the axes of M in the first three. Gravity, and all other loads, count or do not.
pub(crate) fn write_slopes(
    evaluator: &mut Evaluator<'_>,
    work: &mut TangentWorkspace,
    weighs: bool,
    is_loaded: bool,
    matrix: &mut [f64],
) -> Result<(), Fault> {
    let held = evaluator.system.clone();
    let system = &*held;
    let n = system.states();
    matrix.fill(0.0);
    work.reset_reach(system);
    let gravity = if weighs { system.mechanics.gravity } else { Vec3::zeros() };
    work.dynamics.update(
        (&system.mechanics.links, &system.mechanics.bodies, &work.chain),
        (&evaluator.workspace.mechanism.tree, &evaluator.workspace.bodies),
        &gravity,
        (&evaluator.workspace.state, &evaluator.rates),
    );
    work.dynamics.write(&work.chain, matrix, n, &mut work.mass);
    if is_loaded {
        add_axes(evaluator, matrix);
        element::add_element_slopes(evaluator, work, matrix);
        actuator::add_actuator_slopes(evaluator, work, matrix);
        add_contact_slopes(evaluator, work, matrix);
    }
    for place in work.chain.places.iter().filter(|place| place.is_driven) {
        matrix[n * place.velocity..][..n].fill(0.0);
    }
    work.mass.factor(&work.chain).map_err(|place| {
        evaluator.culprit = Some(Culprit::Body(system.mechanics.links[work.chain.places[place].link].body));
        Fault::Recoverable
    })?;
    evaluator.workspace.write_coupled_rows();
    coupling::join_trees(evaluator, work);
    work.mass.solve(&work.chain, matrix, n, |place| work.reach_of(system, place));
    coupling::correct(evaluator, work, matrix, n);
    Ok(())
}

/// Springs, dampers, servos and friction along the axes of joints.
fn add_axes(evaluator: &Evaluator<'_>, matrix: &mut [f64]) {
    for (index, joint) in evaluator.system.mechanics.joints.iter().enumerate() {
        let JointRole::Carries { link } = joint.role else { continue };
        for (axis, element) in joint.elements.iter().enumerate() {
            let data = &evaluator.system.mechanics.links[link];
            let state = &evaluator.workspace.state;
            let here = [state[data.first_state + axis], state[data.velocities().start + axis]];
            // Freedoms of a rotation have no motors.
            let set = evaluator.workspace.controls.motors[index].get(axis).copied().flatten();
            let slopes = axis_slopes(element, here, set, evaluator.workspace.here().time);
            add_along_axis(evaluator, link, axis, slopes, matrix);
        }
    }
}

/// Adds slopes of an effort along an axis by its coordinate and velocity.
fn add_along_axis(
    evaluator: &Evaluator<'_>,
    link: usize,
    axis: usize,
    [by_place, by_speed]: [f64; 2],
    matrix: &mut [f64],
) {
    let link = &evaluator.system.mechanics.links[link];
    let velocity = link.velocities().start + axis;
    let row = evaluator.system.states() * velocity;
    matrix[row + link.first_state + axis] += by_place;
    matrix[row + velocity] += by_speed;
}

fn add_contact_slopes(evaluator: &mut Evaluator<'_>, work: &mut TangentWorkspace, matrix: &mut [f64]) {
    let mut start = 0;
    while start < evaluator.contacts.active.len() {
        let pair_of = |slot: &usize| evaluator.table.contacts[evaluator.contacts.active[*slot]].pair;
        let index = pair_of(&start);
        let end =
            start + (start..evaluator.contacts.active.len()).take_while(|s| pair_of(s) == index).count();
        let pair = &evaluator.table.pairs[index];
        match &pair.source {
            PairSource::Stop(stop) => {
                if let JointRole::Carries { link } = evaluator.system.mechanics.joints[stop.joint].role {
                    for slot in start..end {
                        let slopes = stop::slopes_of_stop(evaluator, slot, stop);
                        add_along_axis(evaluator, link, stop.axis, slopes, matrix);
                    }
                }
            }
            PairSource::Areal(_) if !evaluator.forces[start].is_felt() => {}
            _ => {
                let bodies = pair.bodies;
                let tangent = super::pair_tangent(evaluator, start..end);
                let links = bodies.map(|body| evaluator.system.mechanics.bodies[body].link);
                path::add_pair(evaluator, work, links, bodies[1], &tangent, matrix);
            }
        }
        start = end;
    }
}

/// Rates of a link's coordinates: q̇ = v, and q̇ = ½ q ⊗ (0, ω) for a quaternion.
fn write_coordinate_rates(evaluator: &Evaluator<'_>, link: &Link, matrix: &mut [f64]) {
    let n = evaluator.system.states();
    let velocity = link.velocities().start;
    let turning = joint::quaternion_at(link.kind);
    let plain = turning.map_or(link.kind.freedoms(), |(at, _)| at);
    for k in 0..plain {
        matrix[n * (link.first_state + k) + velocity + k] = 1.0;
    }
    let Some((at, omega)) = turning else { return };
    let (first, spin) = (link.first_state + at, velocity + omega);
    let q = joint::quaternion(&evaluator.workspace.state[first..]);
    let rate = Vec3::from_column_slice(&evaluator.workspace.state[spin..spin + 3]);
    let mut put = |column: usize, rate: Quaternion| {
        for (i, value) in [rate.w, rate.x, rate.y, rate.z].into_iter().enumerate() {
            matrix[n * (first + i) + column] = value;
        }
    };
    for k in 0..4 {
        put(first + k, unit_quaternion(k).rate(&rate));
    }
    for k in 0..3 {
        put(spin + k, q.rate(&Vec3::ith(k, 1.0)));
    }
}

/// First of a link's quaternion among the states.
fn quaternion_state(link: &Link) -> Option<usize> {
    joint::quaternion_at(link.kind).map(|(at, _)| link.first_state + at)
}

/// Small rotation about the axes of M with each component of a quaternion: 2 (q̄ ⊗ δq)/|q|². Poses come from q/|q|, which a
/// change along q leaves alone.
fn turns_by_components(q: Quaternion) -> [Vec3; 4] {
    let size = q.norm();
    std::array::from_fn(|k| {
        let turned = q.conjugate().multiply(&unit_quaternion(k));
        Vec3::new(turned.x, turned.y, turned.z) * (2.0 / (size * size))
    })
}

/// From slopes by rotations, which the first three of a quaternion's states stand for, to those by its components.
fn by_components(slopes: &mut [f64], turns: &[Vec3; 4]) {
    let by_turn = Vec3::new(slopes[0], slopes[1], slopes[2]);
    for (slope, turn) in slopes.iter_mut().zip(turns) {
        *slope = by_turn.dot(turn);
    }
}

fn unit_quaternion(k: usize) -> Quaternion {
    let mut parts = [0.0; 4];
    parts[k] = 1.0;
    joint::quaternion(&parts)
}
