//! Makes the dense output of an attempted step ready where something looks inside: of some methods it costs
//! evaluations.

use super::Simulation;
use crate::constraint::cables;
use crate::outcome::RunError;
use crate::record::ContactMode;

impl Simulation<'_> {
    /// To be called with the evaluator at the end of the attempted step, where it is afterwards too.
    pub(super) fn prepare_dense(&mut self, end: f64) -> Result<(), RunError> {
        if self.stepper.dense_costs() && !self.looks_inside(end) {
            return Ok(());
        }
        match self.stepper.prepare_dense(&mut self.evaluator) {
            Ok(true) => self.evaluator.update(end, self.stepper.trial()),
            Ok(false) => {}
            Err(_) => return Err(self.failure_of_right_hand_side()),
        }
        Ok(())
    }

    /// Will anything ask for states or quadratures between the ends of the step? May say yes in vain.
    fn looks_inside(&mut self, end: f64) -> bool {
        let frame = self.next_frame as f64 * self.system.output_every;
        let probe = self.system.probes.get(self.next_probe);
        frame < end
            || probe.is_some_and(|&probe| probe < end)
            || cables(self.system).next().is_some()
            || self.evaluator.contacts.memory.iter().any(|memory| memory.mode == ContactMode::Open)
            || self.may_peak_inside()
    }
}
