/// Integrators by the names users know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegratorKind {
    /// Explicit while bodies fly and bounce, `radau5` where sustained contact is stiff.
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
}

impl IntegratorKind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Auto, Self::Ode45, Self::Dop853, Self::Ode113, Self::Radau5, Self::Bdf, Self::Rodas3];

    /// Word in model files and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ode45 => "ode45",
            Self::Dop853 => "dop853",
            Self::Ode113 => "ode113",
            Self::Radau5 => "radau5",
            Self::Bdf => "bdf",
            Self::Rodas3 => "rodas3",
        }
    }
}

/// At this relative tolerance and below, `auto` is explicit with order eight.
const TIGHT: f64 = 1e-12;

/// Absolute tolerances by kind of state; `None` is derived from the model's scales.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AbsoluteTolerances {
    /// Positions (m).
    pub length: Option<f64>,
    /// Rotations (rad).
    pub angle: Option<f64>,
    /// Velocities (m/s).
    pub velocity: Option<f64>,
    /// Angular velocities (rad/s).
    pub angular_velocity: Option<f64>,
    /// Sum of the ledger's losses, a step (J).
    pub energy: Option<f64>,
}

/// Which coordinates describe a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Those of the joints of a spanning tree; the other joints are constraints.
    Joint,
    /// Six of every body; every joint is a constraint.
    Body,
}

/// How constraints are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formulation {
    /// Accelerations with multipliers (index 1), projected onto the constraints after each accepted step.
    Kkt,
    /// Index-3 augmented Lagrangian with the trapezoidal rule and projections of velocities and accelerations
    /// (Dopico et al. 2010 section II).
    Ali3p {
        /// Penalty factor a in α = a · trace(M)/n · 4/h².
        penalty: f64,
        /// How the step is chosen.
        step: StepControl,
    },
}

/// How a step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepControl {
    /// Always this one (s).
    Fixed(f64),
    /// By the tolerances.
    ErrorControlled,
}

/// Integrator, tolerances and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Integrator.
    pub method: IntegratorKind,
    /// Coordinates of mechanisms.
    pub coordinates: Coordinates,
    /// Treatment of constraints.
    pub formulation: Formulation,
    /// End of the run (s); it starts at 0.
    pub t_end: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerances.
    pub atol: AbsoluteTolerances,
    /// Largest step (s).
    pub h_max: Option<f64>,
    /// Smallest step (s); below it the run stops. Default: 16 units in the last place of the time.
    pub h_min: Option<f64>,
    /// First step (s); default: chosen from the first derivatives.
    pub h_first: Option<f64>,
    /// Limit of steps, accepted and rejected.
    pub max_steps: u64,
    /// Limit of contact events.
    pub max_events: u64,
}

impl SolverSettings {
    /// The integrator that a run begins with: what `auto` takes while nothing is stiff, or the one stated.
    pub fn first_method(&self) -> IntegratorKind {
        match self.method {
            IntegratorKind::Auto if self.rtol <= TIGHT => IntegratorKind::Dop853,
            IntegratorKind::Auto => IntegratorKind::Ode45,
            stated => stated,
        }
    }
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            method: IntegratorKind::Auto,
            coordinates: Coordinates::Joint,
            formulation: Formulation::Kkt,
            t_end: 1.0,
            rtol: 1e-6,
            atol: AbsoluteTolerances::default(),
            h_max: None,
            h_min: None,
            h_first: None,
            max_steps: 1_000_000_000,
            max_events: 10_000_000,
        }
    }
}

/// What is recorded when.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSettings {
    /// Time between recorded frames (s); `None`: 1/200 of the run.
    pub every: Option<f64>,
    /// One row per accepted step in the steps table.
    pub steps: bool,
    /// Time between records of patches and elements of areal contacts (s), a multiple of that between frames; `None` records
    /// none.
    pub patches: Option<f64>,
    /// What finding the elements of areal contacts costs, in every frame.
    pub searches: bool,
    /// Extra times (s) at which a frame is wanted for expectations; not part of the tables.
    pub probes: Vec<f64>,
}
