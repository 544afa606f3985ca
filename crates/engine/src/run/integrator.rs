//! The integrator of a run: the one of the word, unless the formulation is one itself.

use carom_solvers::Stepper;
use carom_solvers::dae::Ali3p;

use crate::model::{Formulation, IntegratorKind, SolverSettings};

/// A formulation that is an integrator goes before the word.
pub(super) fn make_stepper(settings: &SolverSettings, kind: IntegratorKind) -> Box<dyn Stepper> {
    if let Formulation::Ali3p { penalty } = settings.formulation {
        return Box::new(Ali3p::new(penalty));
    }
    kind.stepper()
}

/// Tells checkpoints of different integrators apart.
pub(super) fn number(settings: &SolverSettings) -> u64 {
    match settings.formulation {
        Formulation::Ali3p { .. } => 1,
        Formulation::Kkt => 2 + settings.method as u64,
    }
}
