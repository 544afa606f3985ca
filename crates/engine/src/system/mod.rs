//! The compiled model: immutable, flat, ready to run. Everything a right-hand side reads is here or in the
//! workspace; nothing in here changes during a run.

mod compile;
mod scales;

use carom_geometry::{PairKernel, Shape};
use carom_math::{Mat3, Pose, Vec3};
use carom_solvers::Tolerances;

use crate::law::{Friction, NormalLaw, RollingResistance};
use crate::model::SolverSettings;
use crate::record::RunInfo;

pub use scales::Scales;

/// States of a free body: position of the centre of mass (world), orientation, velocity of the centre of
/// mass (world), angular velocity (body axes).
pub(crate) const STATES_PER_BODY: usize = 13;

/// A body as the dynamics sees it. Its reference frame C has the body's axes and the centre of mass as
/// origin.
#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    /// First state; `None` for a fixed body.
    pub(crate) first_state: Option<usize>,
    pub(crate) mass: f64,
    /// Inertia about the centre of mass, body axes (kg m²).
    pub(crate) inertia: Mat3,
    pub(crate) inverse_inertia: Mat3,
    /// Centre of mass in the body frame (m).
    pub(crate) com: Vec3,
    /// Pose of C in the world at the start.
    pub(crate) initial: crate::kinematics::BodyKinematics,
    /// Farthest surface point from the centre of mass that rotation moves (m).
    pub(crate) sweep_radius: f64,
}

/// A surface: a shape on a body.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceData {
    pub(crate) body: usize,
    /// Pose of the shape in C.
    pub(crate) pose: Pose,
    pub(crate) shape: Shape,
}

/// Two surfaces that may touch, with the kernel and the law that serve them.
pub(crate) struct PairData {
    /// Index of surface A as the kernel takes it, and of B.
    pub(crate) kernel_order: [usize; 2],
    /// The kernel's A is the model's B.
    pub(crate) swapped: bool,
    pub(crate) kernel: &'static PairKernel,
    /// Bodies of the model's A and B.
    pub(crate) bodies: [usize; 2],
    pub(crate) friction: Friction,
    pub(crate) mu_visc: f64,
    pub(crate) rolling: RollingResistance,
}

/// A contact: one feature of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactData {
    pub(crate) pair: usize,
    pub(crate) feature: usize,
    pub(crate) law: NormalLaw,
    /// Effective mass of the pair for estimates, as if the contact normal met both centres of mass (kg).
    pub(crate) nominal_mass: f64,
}

/// Duration of an elastic Hertz impact over δ_m/v (Johnson, Contact Mechanics, 11.4).
const DURATION_FACTOR: f64 = 2.94;

impl ContactData {
    /// Estimated duration of an impact at `speed` (s), undamped.
    pub(crate) fn impact_duration(&self, speed: f64) -> f64 {
        DURATION_FACTOR * self.law.impact_penetration(speed, self.nominal_mass) / speed
    }
}

/// A model, compiled.
pub struct System {
    pub(crate) info: RunInfo,
    pub(crate) gravity: Vec3,
    pub(crate) bodies: Vec<BodyData>,
    pub(crate) surfaces: Vec<SurfaceData>,
    pub(crate) pairs: Vec<PairData>,
    pub(crate) contacts: Vec<ContactData>,
    pub(crate) tolerances: Tolerances,
    /// Body of each tolerance group, and the kind of state.
    pub(crate) tolerance_owner: Vec<(usize, &'static str)>,
    pub(crate) settings: SolverSettings,
    pub(crate) output_every: f64,
    pub(crate) probes: Vec<f64>,
    pub(crate) record_steps: bool,
    pub(crate) scales: Scales,
    pub(crate) notes: Vec<String>,
}

impl System {
    /// Names behind the indices of a run.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Scales from which default tolerances and regularisation velocities are derived.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// What the user should know about how the model was understood.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Time between recorded frames (s).
    pub fn output_every(&self) -> f64 {
        self.output_every
    }

    /// Number of differential states.
    pub fn states(&self) -> usize {
        STATES_PER_BODY * self.bodies.iter().filter(|b| b.first_state.is_some()).count()
    }
}
