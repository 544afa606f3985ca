//! Rates of the states under the forces of contacts.

use carom_solvers::Fault;

use super::bristle::write_bristle_rates;
use super::{Culprit, Evaluator};
use crate::mechanics::workspace::Direction;

impl Evaluator<'_> {
    /// Rates of all states. Near a singular position those of the nearest state on the constraints: what a stage is off
    /// them by is accelerated there with the third inverse power of the distance.
    pub(crate) fn accelerate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Fault> {
        self.accelerate_under(t, y, None, dydt)
    }

    /// The same under loads beside those that follow from the state.
    pub(crate) fn accelerate_under(
        &mut self,
        t: f64,
        y: &[f64],
        loads: Option<&Direction>,
        dydt: &mut [f64],
    ) -> Result<(), Fault> {
        accelerate_at(self, t, y, loads, dydt)?;
        if !self.workspace.is_nearly_singular() {
            return Ok(());
        }
        let mut nearest = std::mem::take(&mut self.nearest);
        nearest.clear();
        nearest.extend_from_slice(y);
        let on_constraints = self.workspace.return_to_constraints(t, &mut nearest);
        let result = match on_constraints {
            Ok(()) => accelerate_at(self, t, &nearest, loads, dydt),
            Err(misfit) => {
                self.culprit = Some(Culprit::Constraint(misfit));
                Err(Fault::Recoverable)
            }
        };
        self.nearest = nearest;
        result
    }
}

/// Rates of all states, from where the state is.
pub(super) fn accelerate_at(
    evaluator: &mut Evaluator<'_>,
    t: f64,
    y: &[f64],
    loads: Option<&Direction>,
    dydt: &mut [f64],
) -> Result<(), Fault> {
    evaluator.update(t, y);
    evaluator.add_contacts()?;
    if let Some(loads) = loads {
        evaluator.workspace.load(loads);
    }
    evaluator.workspace.accelerate(dydt).map_err(|body| {
        evaluator.culprit = Some(Culprit::Body(body));
        Fault::Recoverable
    })?;
    if evaluator.contacts.states > 0 {
        write_bristle_rates(evaluator, dydt);
    }
    evaluator.rates.resize(dydt.len(), 0.0);
    evaluator.rates.copy_from_slice(dydt);
    // Those under other loads are not what a step goes on from.
    evaluator.has_rates = loads.is_none();
    Ok(())
}
