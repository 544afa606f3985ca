//! The one place that knows which integrator a word means.

use carom_solvers::dae::{Ali3p, StepChoice};
use carom_solvers::{Bdf, DormandPrince45, DormandPrince853, Ode113, Radau5, Rodas3, Stepper};

use crate::model::{Formulation, IntegratorKind, SolverSettings, StepControl};

/// The integrator of a model by the word. A formulation that is one itself goes before it.
pub(super) fn make_stepper(settings: &SolverSettings, kind: IntegratorKind) -> Box<dyn Stepper> {
    if let Formulation::Ali3p { penalty, step } = settings.formulation {
        let choice = match step {
            StepControl::Fixed(_) => StepChoice::Fixed,
            StepControl::ErrorControlled => StepChoice::Controlled,
        };
        return Box::new(Ali3p::new(penalty, choice));
    }
    match kind {
        IntegratorKind::Auto | IntegratorKind::Ode45 => Box::new(DormandPrince45::new()),
        IntegratorKind::Dop853 => Box::new(DormandPrince853::new()),
        IntegratorKind::Ode113 => Box::new(Ode113::new()),
        IntegratorKind::Radau5 => Box::new(Radau5::new()),
        IntegratorKind::Bdf => Box::new(Bdf::new()),
        IntegratorKind::Rodas3 => Box::new(Rodas3::new()),
    }
}

/// Tells checkpoints of different integrators apart.
pub(super) fn number(settings: &SolverSettings) -> u64 {
    match settings.formulation {
        Formulation::Ali3p { .. } => 1,
        Formulation::Kkt => 2 + settings.method as u64,
    }
}
