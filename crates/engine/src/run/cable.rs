//! Inextensible cables: taut ones are constraints, slack ones are nothing. The changes are located like those of
//! contacts; a cable that goes taut takes away the velocities that would lengthen it.

use carom_math::Vec3;

use super::Simulation;
use super::{advance, failure, pieces};
use crate::contact::Evaluator;
use crate::mechanics::constraint::cables;
use crate::outcome::RunError;
use crate::record::{Event, EventKind, Peaks};

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

/// Cables that are slack at the state that a run takes up, or would push, hang.
pub(super) fn start_cables(run: &mut Simulation<'_>, time: f64, y: &[f64]) -> Result<(), RunError> {
    let held = run.system.clone();
    let system = &*held;
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
    }
    if change.group.is_some() && change.goes_taut {
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
    if let Some(group) = change.group {
        let event = cable_event(run, change, group, time);
        run.log.push(event);
    }
    run.restart(&y, time)
}

fn cable_event(run: &mut Simulation<'_>, change: &CableChange, group: usize, time: f64) -> Event {
    let contact = run.peaks.contact_of_cable(group);
    let memory = &mut run.evaluator.contacts.memory[contact];
    if change.goes_taut {
        memory.begin = time;
    }
    let event = Event {
        time,
        kind: if change.goes_taut { EventKind::ContactBegin } else { EventKind::ContactEnd },
        contact,
        gap: 0.0,
        normal: Vec3::zeros(),
        position: Vec3::zeros(),
        approach_speed: 0.0,
        law_approach_speed: 0.0,
        impulse_normal: 0.0,
        impulse_tangential: Vec3::zeros(),
        begin: memory.begin,
        begin_speed: 0.0,
        peaks: if change.goes_taut { Peaks::beginning(time) } else { memory.peaks },
        stiffness: 0.0,
        damping: 0.0,
        force_jump: None,
        impact: None,
    };
    if !change.goes_taut {
        memory.peaks = Peaks::default();
    }
    event
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
