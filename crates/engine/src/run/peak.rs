//! Greatest penetration inside a step, located where δ̇ = 0.

use carom_solvers::root::find_right_root;

use super::Simulation;
use crate::contact::StepView;
use crate::record::ContactMode;

impl Simulation<'_> {
    /// Updates the greatest penetration of every active contact over the attempted step, whose end the
    /// evaluator is at, and keeps gap and approach speed there.
    pub(super) fn note_penetration(&mut self) {
        let h = self.stepper.step();
        let view = StepView::new(&*self.stepper, &self.observer.step);
        for slot in 0..self.evaluator.contacts.active.len() {
            let contact = self.evaluator.contacts.active[slot];
            let end = self.evaluator.forces[slot].point;
            let memory = &self.evaluator.contacts.memory[contact];
            if memory.mode == ContactMode::Open {
                continue;
            }
            let pair = self.evaluator.table.contacts[contact].pair;
            let mut deepest = (-end.gap).max(-memory.gap);
            // The approach of areal contacts is a mean, no rate of the depth.
            if !self.evaluator.is_areal(contact) && memory.approach > 0.0 && end.approach < 0.0 {
                // No deeper than either end reaches at its speed: most oscillations at rest stay below the record.
                let bound = (memory.approach * h - memory.gap).max(-end.approach * h - end.gap);
                if bound > self.totals[pair].max_penetration || bound > memory.max_penetration {
                    let approach = |after: f64| view.at(&self.evaluator, contact, after).approach;
                    let turn = find_right_root(approach, 0.0, h, end.approach, true);
                    deepest = deepest.max(-view.at(&self.evaluator, contact, turn).gap);
                }
            }
            let memory = &mut self.evaluator.contacts.memory[contact];
            memory.max_penetration = memory.max_penetration.max(deepest);
            memory.gap = end.gap;
            memory.approach = end.approach;
            let totals = &mut self.totals[pair];
            totals.max_penetration = totals.max_penetration.max(deepest);
        }
    }
}
