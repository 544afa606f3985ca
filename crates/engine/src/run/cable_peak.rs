//! Greatest tensions and stretches of cables. Tensions of inextensible ones are multipliers: each look is an evaluation with
//! accelerations. Elastic ones are looked at on the dense output.

use super::Simulation;
use super::cable;
use super::cable::Cable;
use super::cable_search;
use crate::contact::Load;
use crate::outcome::RunError;
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks at one cable in one step at most.
const LOOKS: usize = 10;
/// Nodes and weights of Gauss' rule of order six on [0, 1]: ½ ± √0.15 and ½.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Keeps the loads at the end of the attempted step, where the evaluator is, with accelerations if a cable is inextensible.
pub(super) fn keep_loads(run: &mut Simulation<'_>) {
    let h = run.stepper.step();
    run.peaks.cable_step = [run.stepper.time(), h];
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        run.cables[index].load = match cable.group {
            Some(_) => cable.load_at(&run.evaluator),
            None => cable_search::elastic_load(run, &cable, h),
        };
    }
}

/// Cables that hold from a state on from which the run goes on, where the evaluator is afterwards.
pub(super) fn note_fresh_loads(run: &mut Simulation<'_>, time: f64, y: &[f64]) -> Result<(), RunError> {
    if !any_cable_holds(run) {
        return Ok(());
    }
    cable::evaluate(run, time, y)?;
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        if cable.is_taut(&run.evaluator) {
            let load = cable.load_at(&run.evaluator);
            count_load(run, &cable, &load, time);
            let memory = &mut run.evaluator.contacts.memory[cable.contact];
            (memory.load, memory.lag) = (load, 0.0);
        }
    }
    Ok(())
}

/// Locates the greatest loads of the attempted step from `start` to `end`, where the evaluator is afterwards.
pub(super) fn note_loads(run: &mut Simulation<'_>, start: f64, end: f64) -> Result<(), RunError> {
    if !any_cable_holds(run) {
        return Ok(());
    }
    let h = run.stepper.step();
    if run.peaks.cable_step != [start, h] {
        cable_search::evaluate_multipliers(run)?;
        keep_loads(run);
    }
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        if cable.is_taut(&run.evaluator) {
            count_load(run, &cable, &cable.load, end);
            seek_peak(run, &cable, start, |load| load.force)?;
            if cable.group.is_none() {
                seek_peak(run, &cable, start, |load| load.depth)?;
                let tension = |node: f64| cable_search::elastic_load(run, &cable, node * h).force;
                let impulse = h * GAUSS.iter().map(|(node, weight)| weight * tension(*node)).sum::<f64>();
                count_impulse(run, &cable, impulse);
            }
            let memory = &mut run.evaluator.contacts.memory[cable.contact];
            (memory.load_before, memory.lag) = (memory.load, h);
            memory.load = cable.load;
        }
    }
    Ok(())
}

/// Looks for the greatest tension or stretch inside the step.
fn seek_peak(
    run: &mut Simulation<'_>,
    cable: &Cable,
    start: f64,
    pick: fn(&Load) -> f64,
) -> Result<(), RunError> {
    let h = run.stepper.step();
    let memory = &run.evaluator.contacts.memory[cable.contact];
    let (first, last, r) = (pick(&memory.load), pick(&cable.load), memory.lag / h);
    let at_peaks =
        Load { force: memory.peaks.force.value, depth: memory.peaks.penetration.value, ..Load::default() };
    let place = if r > 0.0 {
        Arc::of_three(pick(&memory.load_before), r, first, last).turn(pick(&at_peaks))
    } else {
        Some(0.5)
    };
    let Some(mut at) = place else { return Ok(()) };
    let sample = |at, value| Sample { at, value, rate: None };
    run.peaks.buffers.known.clear();
    run.peaks.buffers.known.extend([sample(0.0, first), sample(1.0, last)]);
    for _ in 0..LOOKS {
        let load = match cable.group {
            Some(group) => {
                let force = cable_search::tension_inside(run, group, at * h)?;
                Load { force, ..Load::default() }
            }
            None => cable_search::elastic_load(run, cable, at * h),
        };
        run.statistics.looks += 1;
        count_load(run, cable, &load, start + at * h);
        let known = &mut run.peaks.buffers.known;
        known.insert(known.partition_point(|other| other.at < at), sample(at, pick(&load)));
        let Some(next) = next_look(known) else { break };
        at = next;
    }
    if cable.group.is_some() { cable::evaluate_end(run) } else { Ok(()) }
}

/// Counts the loads of a row that is recorded, after an evaluation with accelerations.
pub(super) fn note_recorded_loads(run: &mut Simulation<'_>, time: f64) {
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        if cable.is_taut(&run.evaluator) {
            let load = cable.load_at(&run.evaluator);
            count_load(run, &cable, &load, time);
        }
    }
}

fn any_cable_holds(run: &Simulation<'_>) -> bool {
    run.cables.iter().any(|cable| cable.is_taut(&run.evaluator))
}

pub(super) fn count_impulse(run: &mut Simulation<'_>, cable: &Cable, impulse: f64) {
    let pair = run.evaluator.table.contacts[cable.contact].pair;
    run.evaluator.contacts.memory[cable.contact].impulse_normal += impulse;
    run.totals[pair].impulse_normal += impulse;
}

pub(super) fn count_load(run: &mut Simulation<'_>, cable: &Cable, load: &Load, time: f64) {
    let pair = run.evaluator.table.contacts[cable.contact].pair;
    for peaks in [&mut run.evaluator.contacts.memory[cable.contact].peaks, &mut run.totals[pair].peaks] {
        peaks.force.raise(load.force, time);
        peaks.penetration.raise(load.depth, time);
    }
    run.peaks.line_of(pair).force.raise(load.force, time);
}
