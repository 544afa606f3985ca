//! The one place that knows the integrators by their names.

use carom_solvers::{Bdf, DormandPrince45, DormandPrince853, GivenSteps, Ode113, Radau5, Rodas3, Stepper};

/// Integrators by the names users know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegratorKind {
    /// Explicit while bodies fly and bounce, implicit where sustained contact is stiff.
    Auto,
    /// Dormand–Prince 5(4).
    Ode45,
    /// Dormand–Prince 8(5,3).
    Dop853,
    /// Variable-order Adams, orders 1 to 12 (Shampine & Gordon).
    Ode113,
    /// Radau IIA of order 5, implicit.
    Radau5,
    /// Variable-order backward differentiation, orders 1 to 5, implicit.
    Bdf,
    /// Rosenbrock method of order 3, linearly implicit.
    Rodas3,
    /// Moreau and Jean's time stepping, for rigid contacts: fixed steps, no events.
    Moreau,
}

/// What an integrator's step is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Evaluations; stability bounds the step of a stiff model.
    Explicit,
    /// Evaluations and linear systems with the Jacobian.
    Implicit,
    /// It changes between integrators of both.
    Changing,
    /// The impulses of contacts in a step, all at once; forces as explicit methods take them.
    TimeStepping,
}

/// What all but its own method knows of an integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegratorTraits {
    /// Word in model files and results.
    pub name: &'static str,
    /// Explicit or implicit.
    pub family: Family,
    /// Order of the solution; the highest where it varies, 0 for none of its own.
    pub order: u32,
    /// Right-hand sides of a step, of an implicit one as Newton's method mostly takes them; 0 for none of its own.
    pub evaluations: f64,
    /// A step needs nothing of those before: the method has an order of its own with steps of any length, takes jumps as
    /// they come, and fixed steps.
    pub is_one_step: bool,
}

impl IntegratorKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Ode45,
        Self::Dop853,
        Self::Ode113,
        Self::Radau5,
        Self::Bdf,
        Self::Rodas3,
        Self::Moreau,
    ];

    /// Those that follow a right-hand side from event to event.
    pub const SMOOTH: [Self; 7] =
        [Self::Auto, Self::Ode45, Self::Dop853, Self::Ode113, Self::Radau5, Self::Bdf, Self::Rodas3];

    /// The row of this integrator.
    pub const fn traits(self) -> IntegratorTraits {
        use Family::{Changing, Explicit, Implicit, TimeStepping};
        let (name, family, order, evaluations, is_one_step) = match self {
            Self::Auto => ("auto", Changing, 0, 0.0, false),
            Self::Ode45 => ("ode45", Explicit, 5, 6.0, true),
            Self::Dop853 => ("dop853", Explicit, 8, 12.0, true),
            Self::Ode113 => ("ode113", Explicit, 12, 2.0, false),
            Self::Radau5 => ("radau5", Implicit, 5, 10.0, true),
            Self::Bdf => ("bdf", Implicit, 5, 3.0, false),
            Self::Rodas3 => ("rodas3", Implicit, 3, 4.0, true),
            Self::Moreau => ("moreau", TimeStepping, 1, 1.0, true),
        };
        IntegratorTraits { name, family, order, evaluations, is_one_step }
    }

    /// Word in model files and results.
    pub const fn name(self) -> &'static str {
        self.traits().name
    }

    /// Does stability bound its steps?
    pub fn is_explicit(self) -> bool {
        self.traits().family == Family::Explicit
    }

    /// The method itself, at its start; of `auto` the one that it begins with.
    pub(crate) fn stepper(self) -> Box<dyn Stepper> {
        match self {
            Self::Auto | Self::Ode45 => Box::new(DormandPrince45::new()),
            Self::Dop853 => Box::new(DormandPrince853::new()),
            Self::Ode113 => Box::new(Ode113::new()),
            Self::Radau5 => Box::new(Radau5::new()),
            Self::Bdf => Box::new(Bdf::new()),
            Self::Rodas3 => Box::new(Rodas3::new()),
            Self::Moreau => Box::new(GivenSteps::new()),
        }
    }
}
