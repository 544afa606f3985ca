//! The ledger's model defect pair by pair: what the contacts of a pair store less the work that went into them. It is zero
//! where forces are gradients of what is stored; manifolds and penetrations that jump make it differ.

use super::Simulation;
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES};
use crate::record::Jump;

impl Simulation<'_> {
    /// What contacts hold at the state that the evaluator is at, from which the run goes on.
    pub(super) fn note_stored(&mut self) {
        for slot in 0..self.evaluator.contacts.active.len() {
            let contact = self.evaluator.contacts.active[slot];
            self.evaluator.contacts.memory[contact].stored = self.evaluator.forces[slot].potential;
        }
        self.note_elements();
    }

    /// Takes down what the elements of areal contacts hold, which is not saved.
    pub(super) fn note_elements(&mut self) {
        for slot in 0..self.evaluator.contacts.active.len() {
            let contact = self.evaluator.contacts.active[slot];
            self.evaluator.note_jump(self.evaluator.table.contacts[contact].pair, 0.0);
        }
    }

    /// Books the defect of the step to `end`, which the evaluator is at. `self.growth` holds the growth of the quadratures.
    pub(super) fn note_defects(&mut self, end: f64) {
        let h = self.stepper.step();
        let growth = &self.growth;
        for slot in 0..self.evaluator.contacts.active.len() {
            let contact = self.evaluator.contacts.active[slot];
            if !self.evaluator.shares_stiffness(contact) {
                continue;
            }
            let pair = self.evaluator.table.contacts[contact].pair;
            let potential = self.evaluator.forces[slot].potential;
            let work_on_bodies = growth[LEDGER_QUADRATURES + QUADRATURES * slot + 7];
            let memory = &mut self.evaluator.contacts.memory[contact];
            let energy = potential - memory.stored + work_on_bodies;
            memory.stored = potential;
            let triangle = self.evaluator.note_jump(pair, h);
            let totals = &mut self.totals[pair];
            totals.model_defect += energy;
            if energy.abs() > totals.worst_jump.energy.abs() {
                totals.worst_jump = Jump { energy, time: end, triangle };
            }
        }
    }
}
