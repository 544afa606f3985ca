//! Makes the dense output of an attempted step ready where something looks inside: of some methods it costs
//! evaluations.

use super::Simulation;
use crate::constraint::cables;
use crate::outcome::RunError;

impl Simulation<'_> {
    /// To be called with the evaluator at the end of the attempted step, where it is afterwards too.
    pub(super) fn prepare_dense(&mut self, end: f64) -> Result<(), RunError> {
        if self.stepper.dense_costs() && !self.looks_inside(end) {
            return Ok(());
        }
        // The very state that was evaluated, which may be off the one to be accepted by rounding: looking inside changes no bit.
        self.end_state.copy_from_slice(&self.evaluator.state);
        match self.stepper.prepare_dense(&mut self.evaluator) {
            Ok(true) => self.evaluator.update(end, &self.end_state),
            Ok(false) => {}
            Err(_) => return Err(self.failure_of_right_hand_side()),
        }
        Ok(())
    }

    /// Will anything ask for states or quadratures between the ends of the step? May say yes in vain.
    fn looks_inside(&self, end: f64) -> bool {
        let frame = self.next_frame as f64 * self.system.output_every;
        let probe = self.system.probes.get(self.next_probe);
        frame < end
            || probe.is_some_and(|&probe| probe < end)
            || cables(self.system).next().is_some()
            || self.turns_inside()
            || self.evaluator.has_areal_changes()
            || self.observer.looks_inside(&self.evaluator, self.stepper.step())
    }

    /// Is an active contact deepest inside the step?
    fn turns_inside(&self) -> bool {
        let contacts = &self.evaluator.contacts;
        let mut ends = contacts.active.iter().zip(&self.evaluator.forces);
        ends.any(|(&contact, force)| contacts.memory[contact].approach > 0.0 && force.point.approach < 0.0)
    }
}
