//! Makes the dense output of an attempted step ready where something looks inside: of some methods it costs
//! evaluations.

use super::Simulation;
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
    fn looks_inside(&mut self, end: f64) -> bool {
        let frame = self.next_frame as f64 * self.system.output_every;
        let probe = self.system.probes.get(self.next_probe);
        frame < end || probe.is_some_and(|&probe| probe < end) || self.may_touch() || self.may_peak_inside()
    }

    /// Is there anything that can touch? Its path is looked at in every step.
    pub(super) fn may_touch(&self) -> bool {
        !self.evaluator.table.contacts.is_empty() || !self.neighbours.is_idle() || !self.cables.is_empty()
    }
}
