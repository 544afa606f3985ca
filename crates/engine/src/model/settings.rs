use super::IntegratorKind;

/// At this relative tolerance and below, `auto` is explicit with order eight.
const TIGHT: f64 = 1e-12;
/// Above this one it is implicit with one factorisation and few evaluations a step.
const LOOSE: f64 = 2e-6;

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

impl Coordinates {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Joint, Self::Body];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Body => "body",
        }
    }
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
    },
}

impl Formulation {
    /// Penalty factor of `ali3p` where none is stated: amid the range in which the results do not depend on it.
    pub const PENALTY: f64 = 1e5;

    /// All of them, as they are where nothing but their name is stated.
    pub const ALL: [Self; 2] = [Self::Kkt, Self::Ali3p { penalty: Self::PENALTY }];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kkt => "kkt",
            Self::Ali3p { .. } => "ali3p",
        }
    }
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
    /// How the step is chosen.
    pub step: StepControl,
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
    /// What `moreau` solves a step to: largest residual of its contact problems, as a share of the fastest contact, and, halved, the
    /// penetration that is left, as a share of the smallest shape.
    pub contact_tolerance: f64,
    /// Limit of steps, accepted and rejected.
    pub max_steps: u64,
    /// Limit of contact events.
    pub max_events: u64,
}

impl SolverSettings {
    /// What holds where nothing is stated.
    pub const DEFAULT: Self = Self {
        method: IntegratorKind::Auto,
        coordinates: Coordinates::Joint,
        formulation: Formulation::Kkt,
        step: StepControl::ErrorControlled,
        t_end: 1.0,
        rtol: 1e-6,
        atol: AbsoluteTolerances {
            length: None,
            angle: None,
            velocity: None,
            angular_velocity: None,
            energy: None,
        },
        h_max: None,
        h_min: None,
        h_first: None,
        contact_tolerance: 1e-10,
        max_steps: 1_000_000_000,
        max_events: 10_000_000,
    };

    /// The step of a run whose steps are fixed (s).
    pub fn fixed_step(&self) -> Option<f64> {
        match self.step {
            StepControl::Fixed(step) => Some(step),
            StepControl::ErrorControlled => None,
        }
    }

    /// The integrator that a run begins with: what `auto` takes while nothing is stiff, or the one stated.
    pub fn first_method(&self) -> IntegratorKind {
        match self.method {
            IntegratorKind::Auto if self.rtol <= TIGHT => IntegratorKind::Dop853,
            IntegratorKind::Auto => IntegratorKind::Ode45,
            stated => stated,
        }
    }

    /// What `auto` takes while contacts are stiff. Slow slips of rigid contacts are: friction turns with them at a rate of μN/(m|u|), and slips that
    /// change their direction from event to event leave no time for the long steps of `radau5`.
    pub fn stiff_method(&self, has_rigid: bool) -> IntegratorKind {
        if has_rigid || self.rtol > LOOSE { IntegratorKind::Bdf } else { IntegratorKind::Radau5 }
    }
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self::DEFAULT
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
