//! Inextensible cables: taut ones are constraints, slack ones are nothing. The changes are located like those of
//! contacts; a cable that goes taut takes away the velocities that would lengthen it.

use super::Simulation;
use super::{advance, failure, pieces, rigid};
use crate::contact::Evaluator;
use crate::contact::commit::change_cable;
use crate::mechanics::constraint::cables;
use crate::outcome::RunError;

/// A change of a cable in an attempted step.
#[derive(Clone, Copy, Debug)]
pub(super) struct CableChange {
    /// From the start of the step (s).
    pub(super) after: f64,
    /// Its constraint group, unless it is elastic: what then changes is the force from a state on.
    pub(super) group: Option<usize>,
    /// It goes taut, rather than slack.
    pub(super) goes_taut: bool,
}

/// Tension of a cable that holds, at the last evaluation with accelerations (N).
pub(super) fn tension(evaluator: &Evaluator<'_>, group: usize) -> f64 {
    let solver = &evaluator.workspace.mechanism.solver;
    let row = solver.rows.rows.iter().position(|row| row.group == group);
    row.map_or(0.0, |row| -solver.multipliers[row])
}

/// Cables that are slack at the state that a run takes up, or would push, hang. Time stepping has them among its contacts.
pub(super) fn start_cables(run: &mut Simulation<'_>, time: f64, y: &[f64]) -> Result<(), RunError> {
    let held = run.system.clone();
    let system = &*held;
    if run.stepping.is_some() {
        cables(&system.mechanics)
            .for_each(|(group, _)| run.evaluator.workspace.mechanism.holds[group] = false);
        return Ok(());
    }
    run.evaluator.update(time, y);
    run.evaluator.workspace.hang_slack_cables();
    // Letting go of one changes the tension of the others.
    loop {
        evaluate(run, time, y)?;
        let holds = &run.evaluator.workspace.mechanism.holds;
        let pushing = cables(&system.mechanics).find(|c| holds[c.0] && tension(&run.evaluator, c.0) < 0.0);
        let Some((group, _)) = pushing else { return Ok(()) };
        run.evaluator.workspace.mechanism.holds[group] = false;
    }
}

/// Repeats the step up to the change.
pub(super) fn step_to_cable_change(run: &mut Simulation<'_>, change: &CableChange) -> Result<(), RunError> {
    let after = change.after.max(advance::smallest_step(run));
    if run.stepper.attempt(&mut run.evaluator, after, &run.tolerances).is_err() {
        return Err(failure::of_right_hand_side(run));
    }
    advance::settle(run, run.stepper.time() + after)?;
    run.observer.refresh(&mut run.evaluator, run.step_number);
    Ok(())
}

/// Changes the constraint at the accepted state. Going taut is a plastic impact along the cable: what it takes from
/// the energy, less what a reel puts in, is lost.
pub(super) fn commit_cable(
    run: &mut Simulation<'_>,
    change: &CableChange,
    time: f64,
) -> Result<(), RunError> {
    let mut y = run.stepper.state().to_vec();
    if let Some(group) = change.group {
        run.evaluator.workspace.mechanism.holds[group] = change.goes_taut;
        let contact = run.peaks.contact_of_cable(group);
        let event = change_cable(&mut run.evaluator, contact, time, change.goes_taut);
        run.log.push(event);
    }
    let snaps = change.group.is_some() && change.goes_taut;
    if snaps && run.evaluator.table.has_rigid() {
        // With the contacts that are closed, and cables that are taut.
        rigid::settle_contacts(run, time, &mut y, None)?;
    } else if snaps {
        let before = run.evaluator.energy_at(time, &y);
        let settled = run
            .evaluator
            .workspace
            .close_constraints(time, &mut y, 8)
            .and_then(|()| run.evaluator.workspace.settle_velocities(time, &mut y));
        settled.map_err(|misfit| failure::of_constraint(run, &misfit))?;
        run.ledger.integrals.impact += before - run.evaluator.energy_at(time, &y);
    }
    if run.pieces.end_at(time) {
        pieces::pass_break(run, time, &mut y)?;
    }
    run.restart(&y, time)
}

/// Accelerations at the end of the attempted step.
pub(super) fn evaluate_end(run: &mut Simulation<'_>) -> Result<(), RunError> {
    let end = run.stepper.time() + run.stepper.step();
    let result = run.evaluator.accelerate(end, run.stepper.trial(), &mut run.rates);
    result.map_err(|_| failure::of_right_hand_side(run))
}

/// Accelerations at a state that no step needs.
pub(super) fn evaluate(run: &mut Simulation<'_>, t: f64, y: &[f64]) -> Result<(), RunError> {
    run.evaluator.accelerate(t, y, &mut run.rates).map_err(|_| failure::of_right_hand_side(run))
}
