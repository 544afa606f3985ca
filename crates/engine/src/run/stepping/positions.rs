//! What penetration a step leaves goes by the least motion: g + H M⁻¹ Hᵀ τ ≥ 0 ⟂ τ ≥ 0, and again where that was not enough.

use carom_solvers::friction::{BadProblem, FrictionProblem, Options};

use super::attempt::REST;
use super::kept::add_kept;
use super::{Stepping, faults, reach, velocities};
use crate::contact::stepping::measure_near;
use crate::contact::{grow, state_accounts};
use crate::outcome::RunError;
use crate::record::{Recorder, sum_of_states};
use crate::run::{Leave, Simulation, failure, rigid};
use crate::system::System;

/// Penetration to aim at over the smallest shape where contacts are solved to rounding, and what may stay, told, where corrections do not lead there.
pub(super) const TOLERANCE: f64 = 1e-9;
const LIMIT: f64 = 1e-6;
/// Penetration to aim at over the smallest shape, in units of a coarse tolerance of contacts.
const SHARE: f64 = 0.5;
/// Corrections of a step.
const ROUNDS: usize = 30;
/// Points that are no farther apart than so many times the deepest penetration are kept from touching.
const BAND: f64 = 3.0;
/// Residual of a correction to aim at, and to take: the next one takes what it leaves.
const RESIDUAL: f64 = 1e-8;
const LOOSE: f64 = 1e-3;

/// Penetration to aim at (m).
pub(super) fn aim(system: &System) -> f64 {
    TOLERANCE.max(SHARE * system.settings.contact_tolerance) * system.scales.length
}

/// Contacts that come or go so fast that they bounce. They leave by themselves what they penetrate, no more than half a step's way; to
/// push them would change their angular momentum.
fn find_bouncing(work: &mut Stepping) {
    work.bouncing.clear();
    let goes = |k: usize| (work.after[k][0] + work.ahead[k][0]).abs();
    let each = work.near.iter().zip(&work.loaded).enumerate();
    let bouncing = each.filter(|(k, (point, loaded))| point.law.normal > 0.0 && goes(*k) > REST * **loaded);
    work.bouncing.extend(bouncing.map(|(_, (point, _))| point.contact));
}

/// Moves the state in `work` until nothing penetrates that may touch, and books the energy of it. The evaluator is at the state
/// afterwards.
pub(super) fn settle(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
    end: f64,
) -> Result<(), Leave> {
    find_bouncing(work);
    let system = run.system.clone();
    let mechanics = &*system.mechanics;
    let tolerance = aim(&system);
    run.evaluator.update(end, &work.state);
    let mut before = None;
    work.kept.clear();
    let mut least = f64::INFINITY;
    for round in 0.. {
        work.measured.clear();
        measure_near(&run.evaluator, &work.near, &mut work.measured);
        measure_near(&run.evaluator, &work.beyond, &mut work.measured);
        if !work.beyond.is_empty() {
            work.measured.sort_by_key(|point| point.contact);
        }
        let bouncing = &work.bouncing;
        work.measured.retain(|point| bouncing.binary_search(&point.contact).is_err());
        if !work.measured.iter().all(|point| point.gap().is_finite()) {
            return Err(failure::of_right_hand_side(run).into());
        }
        let deepest = work.measured.iter().fold(0.0_f64, |m, point| m.max(-point.gap()));
        if deepest <= tolerance {
            if reach::look_beyond(run, work, recorder)? {
                continue;
            }
            work.deepest = work.deepest.max(deepest);
            break;
        }
        if deepest < least {
            least = deepest;
            work.best.clone_from(&work.state);
        }
        before.get_or_insert_with(|| sum_of_states(&state_accounts(&run.evaluator).0));
        add_kept(run, &mut work.kept, &mut work.measured);
        work.measured.retain(|point| point.gap() <= BAND * deepest);
        if round >= ROUNDS || !displace(run, work)? {
            if least > tolerance.max(LIMIT * system.scales.length) {
                return Err(faults::of_penetration(run, &work.measured, deepest).into());
            }
            work.state.clone_from(&work.best);
            run.evaluator.update(end, &work.state);
            work.left = (work.left.0 + 1, work.left.1.max(least));
            work.deepest = work.deepest.max(least);
            break;
        }
        work.poses.clear();
        work.poses.extend(run.evaluator.workspace.bodies.iter().map(|body| body.pose));
        velocities::displace(mechanics, &work.change, 1.0, &mut work.state);
        if run.evaluator.workspace.mechanism.is_constrained() {
            let closed = run.evaluator.project(end, &mut work.state);
            closed.map_err(|astray| rigid::of_astray(run, &astray))?;
        }
        run.evaluator.update(end, &work.state);
        add_paths(run, work);
    }
    if let Some(before) = before {
        run.projected += sum_of_states(&state_accounts(&run.evaluator).0) - before;
    }
    Ok(())
}

/// The displacement that takes the measured points out of each other, into `work.change`, if one is found.
fn displace(run: &mut Simulation<'_>, work: &mut Stepping) -> Result<bool, RunError> {
    let tolerance = aim(&run.system);
    let coarse = run.system.settings.contact_tolerance;
    let Stepping { coupling, matrix, measured, change, .. } = work;
    let problem = loop {
        if !coupling.update(&mut run.evaluator, measured, matrix) {
            return Err(failure::of_right_hand_side(run));
        }
        let gaps = measured.iter().map(|point| [point.gap(), 0.0, 0.0]).collect();
        match FrictionProblem::new(std::mem::take(matrix), gaps, vec![0.0; measured.len()]) {
            Ok(problem) => break problem,
            // What given motions hold apart is not pushed.
            Err(BadProblem::Immovable { contact }) if measured[contact].gap() >= -tolerance => {
                measured.remove(contact);
            }
            Err(BadProblem::Immovable { contact }) => {
                return Err(faults::of_immovable(run, measured[contact].contact, run.stepper.time()));
            }
            Err(_) => return Err(failure::of_right_hand_side(run)),
        }
    };
    let solution = problem.solve(
        None,
        &Options { tolerance: RESIDUAL.max(coarse), limit: LOOSE.max(coarse), ..Options::DEFAULT },
    );
    *matrix = problem.into_delassus();
    let Ok(solution) = solution else { return Ok(false) };
    change.fill(0.0);
    coupling.push(&run.evaluator, measured, &solution.impulses, change);
    Ok(true)
}

/// What a correction has moved bodies by is a part of their paths, which certificates rest on: no point of a surface has come farther
/// than the centre of mass, and the chord of the turn at the sweep's radius, 2 sin(θ/2) = ‖R₁ − R₀‖/√2 times it.
pub(super) fn add_paths(run: &mut Simulation<'_>, work: &mut Stepping) {
    let Simulation { observer, evaluator, system, .. } = run;
    let moved = evaluator.workspace.bodies.iter().zip(&work.poses).zip(&system.mechanics.bodies);
    let paths = observer.path.iter_mut().zip(&mut work.goes);
    for ((path, goes), ((body, before), data)) in paths.zip(moved) {
        let along = (body.pose.translation - before.translation).norm();
        let turn = (body.pose.rotation - before.rotation).norm();
        let distance =
            along + if turn > 0.0 && data.sweep_radius > 0.0 { turn * data.sweep_radius } else { 0.0 };
        grow(path, distance);
        grow(goes, distance);
    }
}
