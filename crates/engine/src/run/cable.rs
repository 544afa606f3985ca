//! Cables: taut ones without elasticity are constraints, elastic ones forces, slack ones nothing. The changes are located like those
//! of contacts; an inextensible cable that goes taut takes away the velocities that would lengthen it.

use super::Simulation;
use super::{advance, cable_peak, failure, inside, pieces, rigid};
use crate::contact::commit::change_cable;
use crate::contact::{Evaluator, Load};
use crate::mechanics::constraint::{cable_geometry, cables};
use crate::mechanics::workspace::{TAUT, is_taut_at};
use crate::mechanics::{CableData, ForceData, Mechanics};
use crate::outcome::RunError;
use crate::system::{CableSource, PairSource, System};

/// A cable of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    /// Its force element.
    pub(super) force: usize,
    /// Its constraint group, unless it is elastic.
    pub(super) group: Option<usize>,
    /// The contact that it is named as.
    pub(super) contact: usize,
    /// Tension (N) and stretch (m) at the end of the attempted step.
    pub(super) load: Load,
}

/// A change of a cable in an attempted step.
#[derive(Clone, Copy, Debug)]
pub(super) struct CableChange {
    /// From the start of the step (s).
    pub(super) after: f64,
    /// Which of the run's cables.
    pub(super) cable: usize,
    /// It goes taut, rather than slack.
    pub(super) goes_taut: bool,
}

/// All cables of a model.
pub(super) fn cables_of(system: &System) -> Vec<Cable> {
    let contacts = system.table.contacts.iter().enumerate();
    let cable = contacts.filter_map(|(contact, data)| match system.table.pairs[data.pair].source {
        PairSource::Cable(CableSource { force, group }) => {
            Some(Cable { force, group, contact, load: Load::default() })
        }
        _ => None,
    });
    cable.collect()
}

impl Cable {
    /// Does it hold, or pull?
    pub(super) fn is_taut(&self, evaluator: &Evaluator<'_>) -> bool {
        match self.group {
            Some(group) => evaluator.workspace.mechanism.holds[group],
            None => evaluator.contacts.memory[self.contact].touching,
        }
    }

    /// Tension and stretch at the last evaluation: with accelerations, unless it is elastic.
    pub(super) fn load_at(&self, evaluator: &Evaluator<'_>) -> Load {
        if let Some(group) = self.group {
            return Load { force: tension(evaluator, group), ..Load::default() };
        }
        let cable = data_of(&evaluator.workspace.mechanics, self.force);
        let [stretch, rate] = cable_geometry(&evaluator.workspace.here(), cable).stretch();
        Load { force: cable.tension(stretch, rate), depth: stretch.max(0.0), rate, ..Load::default() }
    }
}

pub(super) fn data_of(mechanics: &Mechanics, force: usize) -> &CableData {
    match &mechanics.forces[force] {
        ForceData::Cable(cable) => cable,
        _ => unreachable!("a cable of the run is one of the model"),
    }
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
    for cable in &run.cables {
        let data = data_of(&system.mechanics, cable.force);
        let geometry = cable_geometry(&run.evaluator.workspace.here(), data);
        let is_stretched = geometry.stretch()[0] > TAUT * geometry.path;
        let memory = &mut run.evaluator.contacts.memory[cable.contact];
        memory.touching = cable.group.is_none() && (is_stretched || is_taut_at(&geometry));
        memory.begin = time;
    }
    if run.cables.iter().all(|cable| cable.group.is_none()) {
        return Ok(());
    }
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
    if inside::attempt(run, after).is_err() {
        return Err(failure::of_right_hand_side(run));
    }
    advance::settle(run, run.stepper.time() + after)?;
    run.observer.refresh(&mut run.evaluator, run.step_number);
    Ok(())
}

/// Changes the constraint at the accepted state, or what the force is from there on. Going taut without elasticity is a plastic impact
/// along the cable: what it takes from the energy, and what a reel puts in, is lost.
pub(super) fn commit_cable(
    run: &mut Simulation<'_>,
    change: &CableChange,
    time: f64,
) -> Result<(), RunError> {
    let mut y = run.stepper.state().to_vec();
    let cable = run.cables[change.cable];
    match cable.group {
        Some(group) => run.evaluator.workspace.mechanism.holds[group] = change.goes_taut,
        None => run.evaluator.contacts.memory[cable.contact].touching = change.goes_taut,
    }
    note_change(run, &cable, change.goes_taut, time);
    let snaps = cable.group.is_some() && change.goes_taut;
    let breaks = run.pieces.end_at(time);
    let jumps = breaks && pieces::pass_break(run, time, &mut y)?;
    if jumps || ((snaps || breaks) && run.evaluator.table.has_rigid()) {
        // With the contacts that are closed, and cables that are taut.
        rigid::settle_all(run, time, &mut y, (None, false))?;
    } else if snaps {
        snap(run, time, &mut y)?;
    }
    run.restart(&y, time)
}

/// Takes away the velocities that would lengthen what holds now.
fn snap(run: &mut Simulation<'_>, time: f64, y: &mut [f64]) -> Result<(), RunError> {
    let before = run.evaluator.energy_at(time, y);
    let settled = run
        .evaluator
        .workspace
        .close_constraints(time, y, 8)
        .and_then(|()| run.evaluator.workspace.settle_velocities(time, y));
    let put_in = settled.map_err(|misfit| failure::of_constraint(run, &misfit))?;
    run.ledger.integrals.motors += put_in;
    run.ledger.integrals.impact += before + put_in - run.evaluator.energy_at(time, y);
    Ok(())
}

/// The row of the event log of a change at an accepted state, with the speed at which an elastic cable is stretched there.
fn note_change(run: &mut Simulation<'_>, cable: &Cable, goes_taut: bool, time: f64) {
    let speed = if cable.group.is_none() {
        run.evaluator.update(time, run.stepper.state());
        cable.load_at(&run.evaluator).rate
    } else {
        0.0
    };
    let event = change_cable(&mut run.evaluator, cable.contact, time, goes_taut, speed);
    run.log.push(event);
}

/// Time stepping knows cables at the ends of its steps alone: what has gone taut or slack since the last, and what they carry.
pub(super) fn follow(run: &mut Simulation<'_>, time: f64) {
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        // Those without elasticity have impulses of their own.
        if cable.group.is_some() {
            continue;
        }
        run.evaluator.update(time, run.stepper.state());
        let load = cable.load_at(&run.evaluator);
        let is_taut = load.depth > 0.0;
        if is_taut != cable.is_taut(&run.evaluator) {
            run.evaluator.contacts.memory[cable.contact].touching = is_taut;
            note_change(run, &cable, is_taut, time);
            run.statistics.events += 1;
            run.noted_events = run.log.len();
        }
        if is_taut {
            cable_peak::count_load(run, &cable, &load, time);
            let step = run.stepper.step();
            cable_peak::count_impulse(run, &cable, load.force * step);
        }
    }
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
