//! The ledger's model defect pair by pair: what the contacts of a pair store less the work that went into them. It is zero
//! where forces are gradients of what is stored; manifolds and penetrations that jump make it differ.

use super::Simulation;
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, areal};
use crate::record::Jump;

/// What contacts hold at the state that the evaluator is at, from which the run goes on.
pub(super) fn note_stored(run: &mut Simulation<'_>) {
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        run.evaluator.contacts.memory[contact].stored = run.evaluator.forces[slot].potential;
    }
    note_elements(run);
}

/// Takes down what the elements of areal contacts hold, which is not saved.
pub(super) fn note_elements(run: &mut Simulation<'_>) {
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        let pair = run.evaluator.table.contacts[contact].pair;
        areal::jump::note_jump(&mut run.evaluator, pair, 0.0);
    }
}

/// Books the defect of the step to `end`, which the evaluator is at. `run.growth` holds the growth of the quadratures.
pub(super) fn note_defects(run: &mut Simulation<'_>, end: f64) {
    let h = run.stepper.step();
    let growth = &run.growth;
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        if !run.evaluator.shares_stiffness(contact) {
            continue;
        }
        let pair = run.evaluator.table.contacts[contact].pair;
        let potential = run.evaluator.forces[slot].potential;
        let work_on_bodies = growth[LEDGER_QUADRATURES + QUADRATURES * slot + 7];
        let memory = &mut run.evaluator.contacts.memory[contact];
        let energy = potential - memory.stored + work_on_bodies;
        memory.stored = potential;
        let triangle = areal::jump::note_jump(&mut run.evaluator, pair, h);
        let totals = &mut run.totals[pair];
        totals.model_defect += energy;
        if energy.abs() > totals.worst_jump.energy.abs() {
            totals.worst_jump = Jump { energy, time: end, triangle };
        }
    }
}
