//! Greatest tensions of inextensible cables. They are multipliers: each look is an evaluation with accelerations.

use super::Simulation;
use super::cable;
use super::cable::tension;
use super::cable_search;
use super::peak::CableName;
use crate::contact::Load;
use crate::outcome::RunError;
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks at one cable in one step at most.
const LOOKS: usize = 10;

/// Keeps the tensions where the evaluator is, at the end of the attempted step.
pub(super) fn keep_tensions(run: &mut Simulation<'_>) {
    let Simulation { peaks, evaluator, stepper, .. } = run;
    peaks.tension_step = [stepper.time(), stepper.step()];
    for cable in &mut peaks.cables {
        cable.tension = tension(evaluator, cable.group);
    }
}

/// Cables that hold from a state on from which the run goes on, where the evaluator is afterwards.
pub(super) fn note_fresh_tensions(run: &mut Simulation<'_>, time: f64, y: &[f64]) -> Result<(), RunError> {
    if !any_cable_holds(run) {
        return Ok(());
    }
    cable::evaluate(run, time, y)?;
    for index in 0..run.peaks.cables.len() {
        let CableName { group, contact, .. } = run.peaks.cables[index];
        if run.evaluator.workspace.mechanism.holds[group] {
            let force = tension(&run.evaluator, group);
            count_tension(run, contact, force, time);
            let memory = &mut run.evaluator.contacts.memory[contact];
            (memory.load, memory.lag) = (Load { force, ..Load::default() }, 0.0);
        }
    }
    Ok(())
}

/// Locates the greatest tensions of the attempted step from `start` to `end`, where the evaluator is afterwards.
pub(super) fn note_tensions(run: &mut Simulation<'_>, start: f64, end: f64) -> Result<(), RunError> {
    if !any_cable_holds(run) {
        return Ok(());
    }
    let h = run.stepper.step();
    if run.peaks.tension_step != [start, h] {
        cable::evaluate_end(run)?;
        keep_tensions(run);
    }
    for index in 0..run.peaks.cables.len() {
        let CableName { group, contact, tension: force } = run.peaks.cables[index];
        if run.evaluator.workspace.mechanism.holds[group] {
            count_tension(run, contact, force, end);
            seek_tension(run, run.peaks.cables[index], start)?;
            let memory = &mut run.evaluator.contacts.memory[contact];
            (memory.load_before, memory.lag) = (memory.load, h);
            memory.load = Load { force, ..Load::default() };
        }
    }
    Ok(())
}

fn seek_tension(run: &mut Simulation<'_>, cable: CableName, start: f64) -> Result<(), RunError> {
    let h = run.stepper.step();
    let memory = &run.evaluator.contacts.memory[cable.contact];
    let (force, r, known) = (memory.load.force, memory.lag / h, memory.peaks.force.value);
    let first = if r > 0.0 {
        Arc::of_three(memory.load_before.force, r, force, cable.tension).turn(known)
    } else {
        Some(0.5)
    };
    let Some(first) = first else { return Ok(()) };
    let sample = |at, value| Sample { at, value, rate: None };
    run.peaks.buffers.known.clear();
    run.peaks.buffers.known.extend([sample(0.0, force), sample(1.0, cable.tension)]);
    let mut at = first;
    for _ in 0..LOOKS {
        let value = cable_search::tension_inside(run, cable.group, at * h)?;
        run.statistics.looks += 1;
        count_tension(run, cable.contact, value, start + at * h);
        let known = &mut run.peaks.buffers.known;
        known.insert(known.partition_point(|other| other.at < at), sample(at, value));
        let Some(next) = next_look(known) else { break };
        at = next;
    }
    cable::evaluate_end(run)
}

/// Counts the tensions of a row that is recorded, after an evaluation with accelerations.
pub(super) fn note_recorded_tensions(run: &mut Simulation<'_>, time: f64) {
    for index in 0..run.peaks.cables.len() {
        let CableName { group, contact, .. } = run.peaks.cables[index];
        if run.evaluator.workspace.mechanism.holds[group] {
            count_tension(run, contact, tension(&run.evaluator, group), time);
        }
    }
}

fn any_cable_holds(run: &Simulation<'_>) -> bool {
    run.peaks.cables.iter().any(|cable| run.evaluator.workspace.mechanism.holds[cable.group])
}

fn count_tension(run: &mut Simulation<'_>, contact: usize, tension: f64, time: f64) {
    let pair = run.evaluator.table.contacts[contact].pair;
    run.evaluator.contacts.memory[contact].peaks.force.raise(tension, time);
    run.totals[pair].peaks.force.raise(tension, time);
    run.peaks.line_of(pair).force.raise(tension, time);
}
