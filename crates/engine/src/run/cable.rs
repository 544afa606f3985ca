//! Inextensible cables: taut ones are constraints, slack ones are nothing. The changes are located like those of
//! contacts; a cable that goes taut takes away the velocities that would lengthen it.

use carom_math::Vec3;

use super::Simulation;
use crate::constraint::cables;
use crate::contact::Evaluator;
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
    let solver = &evaluator.mechanism.solver;
    let row = solver.rows.rows.iter().position(|row| row.group == group);
    row.map_or(0.0, |row| -solver.multipliers[row])
}

impl Simulation<'_> {
    /// Cables that are slack at the start, or would push, hang.
    pub(super) fn start_cables(&mut self, y: &[f64]) -> Result<(), RunError> {
        let held = self.system.clone();
        let system = &*held;
        self.evaluator.update(0.0, y);
        self.evaluator.hang_slack_cables();
        // Letting go of one changes the tension of the others.
        loop {
            self.evaluate(0.0, y)?;
            let holds = &self.evaluator.mechanism.holds;
            let pushing = cables(system).find(|c| holds[c.0] && tension(&self.evaluator, c.0) < 0.0);
            let Some((group, _)) = pushing else { return Ok(()) };
            self.evaluator.mechanism.holds[group] = false;
        }
    }

    /// Repeats the step up to the change.
    pub(super) fn step_to_cable_change(&mut self, change: &CableChange) -> Result<(), RunError> {
        let after = change.after.max(self.smallest_step());
        if self.stepper.attempt(&mut self.evaluator, after, &self.system.tolerances).is_err() {
            return Err(self.failure_of_right_hand_side());
        }
        self.settle(self.stepper.time() + after)?;
        self.observer.refresh(&mut self.evaluator, self.step_number);
        Ok(())
    }

    /// Changes the constraint at the accepted state. Going taut is a plastic impact along the cable: what it takes from
    /// the energy, less what a reel puts in, is lost.
    pub(super) fn commit_cable(&mut self, change: &CableChange, time: f64) -> Result<(), RunError> {
        let mut y = self.stepper.state().to_vec();
        if let Some(group) = change.group {
            self.evaluator.mechanism.holds[group] = change.goes_taut;
        }
        if change.group.is_some() && change.goes_taut {
            let before = self.evaluator.energy_at(time, &y);
            let settled = self
                .evaluator
                .close_constraints(time, &mut y, 8)
                .and_then(|()| self.evaluator.settle_velocities(time, &mut y));
            settled.map_err(|misfit| self.failure_of_constraint(&misfit))?;
            self.ledger.integrals.impact += before - self.evaluator.energy_at(time, &y);
        }
        if self.pieces.end_at(time) {
            self.pass_break(time, &mut y)?;
        }
        if let Some(group) = change.group {
            let event = self.cable_event(change, group, time);
            self.log.push(event);
        }
        self.restart(&y, time)
    }

    fn cable_event(&mut self, change: &CableChange, group: usize, time: f64) -> Event {
        let contact = self.peaks.contact_of_cable(group);
        let memory = &mut self.evaluator.contacts.memory[contact];
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
        };
        if !change.goes_taut {
            memory.peaks = Peaks::default();
        }
        event
    }

    /// Accelerations at the end of the attempted step.
    pub(super) fn evaluate_end(&mut self) -> Result<(), RunError> {
        let end = self.stepper.time() + self.stepper.step();
        let result = self.evaluator.accelerate(end, self.stepper.trial(), &mut self.rates);
        result.map_err(|_| self.failure_of_right_hand_side())
    }

    /// Accelerations at a state that no step needs.
    pub(super) fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<(), RunError> {
        self.evaluator.accelerate(t, y, &mut self.rates).map_err(|_| self.failure_of_right_hand_side())
    }
}
