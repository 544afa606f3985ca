//! Greatest tensions of inextensible cables. They are multipliers: each look is an evaluation with accelerations.

use super::Simulation;
use super::cable::tension;
use super::peak::CableName;
use crate::contact::Load;
use crate::outcome::RunError;
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks at one cable in one step at most.
const LOOKS: usize = 10;

impl Simulation<'_> {
    /// Keeps the tensions where the evaluator is, at the end of the attempted step.
    pub(super) fn keep_tensions(&mut self) {
        let Self { peaks, evaluator, stepper, .. } = self;
        peaks.tension_step = [stepper.time(), stepper.step()];
        for cable in &mut peaks.cables {
            cable.tension = tension(evaluator, cable.group);
        }
    }

    /// Cables that hold from a state on from which the run goes on, where the evaluator is afterwards.
    pub(super) fn note_fresh_tensions(&mut self, time: f64, y: &[f64]) -> Result<(), RunError> {
        if !self.any_cable_holds() {
            return Ok(());
        }
        self.evaluate(time, y)?;
        for index in 0..self.peaks.cables.len() {
            let CableName { group, contact, .. } = self.peaks.cables[index];
            if self.evaluator.mechanism.holds[group] {
                let force = tension(&self.evaluator, group);
                self.count_tension(contact, force, time);
                let memory = &mut self.evaluator.contacts.memory[contact];
                (memory.load, memory.lag) = (Load { force, ..Load::default() }, 0.0);
            }
        }
        Ok(())
    }

    /// Locates the greatest tensions of the attempted step from `start` to `end`, where the evaluator is afterwards.
    pub(super) fn note_tensions(&mut self, start: f64, end: f64) -> Result<(), RunError> {
        if !self.any_cable_holds() {
            return Ok(());
        }
        let h = self.stepper.step();
        if self.peaks.tension_step != [start, h] {
            self.evaluate_end()?;
            self.keep_tensions();
        }
        for index in 0..self.peaks.cables.len() {
            let CableName { group, contact, tension: force } = self.peaks.cables[index];
            if self.evaluator.mechanism.holds[group] {
                self.count_tension(contact, force, end);
                self.seek_tension(self.peaks.cables[index], start)?;
                let memory = &mut self.evaluator.contacts.memory[contact];
                (memory.load_before, memory.lag) = (memory.load, h);
                memory.load = Load { force, ..Load::default() };
            }
        }
        Ok(())
    }

    fn seek_tension(&mut self, cable: CableName, start: f64) -> Result<(), RunError> {
        let h = self.stepper.step();
        let memory = &self.evaluator.contacts.memory[cable.contact];
        let (force, r, known) = (memory.load.force, memory.lag / h, memory.peaks.force.value);
        let first = if r > 0.0 {
            Arc::of_three(memory.load_before.force, r, force, cable.tension).turn(known)
        } else {
            Some(0.5)
        };
        let Some(first) = first else { return Ok(()) };
        let sample = |at, value| Sample { at, value, rate: None };
        self.peaks.buffers.known.clear();
        self.peaks.buffers.known.extend([sample(0.0, force), sample(1.0, cable.tension)]);
        let mut at = first;
        for _ in 0..LOOKS {
            let value = self.tension_inside(cable.group, at * h)?;
            self.statistics.looks += 1;
            self.count_tension(cable.contact, value, start + at * h);
            let known = &mut self.peaks.buffers.known;
            known.insert(known.partition_point(|other| other.at < at), sample(at, value));
            let Some(next) = next_look(known) else { break };
            at = next;
        }
        self.evaluate_end()
    }

    /// Counts the tensions of a row that is recorded, after an evaluation with accelerations.
    pub(super) fn note_recorded_tensions(&mut self, time: f64) {
        for index in 0..self.peaks.cables.len() {
            let CableName { group, contact, .. } = self.peaks.cables[index];
            if self.evaluator.mechanism.holds[group] {
                self.count_tension(contact, tension(&self.evaluator, group), time);
            }
        }
    }

    fn any_cable_holds(&self) -> bool {
        self.peaks.cables.iter().any(|cable| self.evaluator.mechanism.holds[cable.group])
    }

    fn count_tension(&mut self, contact: usize, tension: f64, time: f64) {
        let pair = self.evaluator.table.contacts[contact].pair;
        self.evaluator.contacts.memory[contact].peaks.force.raise(tension, time);
        self.totals[pair].peaks.force.raise(tension, time);
        self.peaks.line_of(pair).force.raise(tension, time);
    }
}
