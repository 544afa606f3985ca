//! The compiled model: immutable, flat, ready to run. Everything a right-hand side reads is here or in the
//! workspace; nothing in here changes during a run.

mod areal;
mod areal_elements;
mod areal_notes;
mod assembly;
mod compile;
mod drives;
mod driving;
mod elements;
mod forest;
mod held;
mod mechanism;
mod pairing;
mod pairs;
mod patch_grid;
mod pressing;
mod scales;
mod tolerances;
mod turning;

use std::fmt;
use std::ops::Range;

use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_solvers::Tolerances;

use crate::Note;
use crate::contact::Evaluator;
use crate::kinematics;
use crate::model::{Solid, SolverSettings};
use crate::record::{BodyState, RunInfo};
use crate::tree::Link;

use areal::ArealSurface;
pub(crate) use driving::Driving;
pub(crate) use forest::JointRole;
pub(crate) use held::Held;
pub(crate) use mechanism::{Anchor, CableData, ConstraintData, Equation, ForceData, JointData, Owner};
use pairing::PairPartners;
pub(crate) use pairs::{
    ArealPair, ArealPass, ContactData, ConvexPair, PairData, PairSource, PairTable, StopData, SurfacePair,
};
pub(crate) use patch_grid::{Cell, PatchGrid};
pub(crate) use pressing::Estimate;
pub use scales::Scales;
pub(crate) use tolerances::RaisedTolerance;
pub use tolerances::StateMeasure;
use tolerances::ToleranceOwner;
pub(crate) use turning::smallest_moment;

/// A body as the dynamics sees it. Its reference frame C has the body's axes and the centre of mass as
/// origin.
#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    /// Link that moves it; `None` for a fixed body.
    pub(crate) link: Option<usize>,
    pub(crate) mass: f64,
    /// Inertia about the centre of mass, body axes (kg m²).
    pub(crate) inertia: Mat3,
    /// What is added to each moment of inertia where a free body's accelerations are found before those of its constraints
    /// (kg m²): of a point mass, or of what is almost one, a share of its mass at its lever; else 0.
    pub(crate) brace: f64,
    /// Inverse of the inertia with the brace.
    pub(crate) inverse_inertia: Mat3,
    /// Farthest point from the centre of mass at which a joint or constraint holds the body (m).
    pub(crate) lever: f64,
    /// Centre of mass in the body frame (m).
    pub(crate) com: Vec3,
    /// Pose of C in the world at the start.
    pub(crate) initial: kinematics::BodyKinematics,
    /// Orientation of a fixed body.
    pub(crate) orientation: Quaternion,
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

/// A model, compiled.
pub struct System {
    pub(crate) info: RunInfo,
    pub(crate) gravity: Vec3,
    pub(crate) bodies: Vec<BodyData>,
    /// Moving bodies with what carries them; parents first, trees together.
    pub(crate) links: Vec<Link>,
    /// Link of each freedom.
    pub(crate) link_of_freedom: Vec<usize>,
    /// Last link of the tree that begins at a link, plus one.
    tree_end: Vec<usize>,
    pub(crate) joints: Vec<JointData>,
    pub(crate) forces: Vec<ForceData>,
    pub(crate) constraints: Vec<ConstraintData>,
    /// Rows of a sparse system of constraints that depend on others at the start.
    pub(crate) dependent_rows: usize,
    /// All constraints are motors whose motion the links make (`Link::drive`): rates need no rows.
    pub(crate) is_driven_only: bool,
    /// Angles that the run remembers from step to step.
    pub(crate) angles: usize,
    /// The same at the start.
    pub(crate) initial_angles: Vec<f64>,
    /// States after those of the links: lengths paid out by reeled cables.
    pub(crate) auxiliary: usize,
    /// Is there more than free bodies without constraints?
    pub(crate) is_mechanism: bool,
    /// Motors and forces are the same at all times.
    pub(crate) is_autonomous: bool,
    /// Functions of time that are not the same at all times.
    pub(crate) driving: Vec<Driving>,
    /// State at t = 0.
    pub(crate) initial: Vec<f64>,
    pub(crate) surfaces: Vec<SurfaceData>,
    /// The surfaces as convex solids, where they are.
    pub(crate) solids: Vec<Solid>,
    /// The surfaces as triangles, where they are.
    pub(crate) areal_surfaces: Vec<ArealSurface>,
    /// What may touch, as far as it is known from the start.
    pub(crate) table: PairTable,
    pub(crate) partners: PairPartners,
    pub(crate) tolerances: Tolerances,
    /// Body of each tolerance group, and the kind of state.
    pub(crate) tolerance_owner: Vec<ToleranceOwner>,
    pub(crate) settings: SolverSettings,
    pub(crate) output_every: f64,
    /// Frames from one record of patches to the next; `None` records none.
    pub(crate) patches_every: Option<u64>,
    /// Frames have the work of areal contacts.
    pub(crate) records_searches: bool,
    pub(crate) probes: Vec<f64>,
    pub(crate) record_steps: bool,
    pub(crate) scales: Scales,
    pub(crate) notes: Vec<Note>,
    /// Largest coordinate of a moving body at the start (m), or the smallest shape.
    pub(crate) extent: f64,
    /// Tolerances that were below the rounding of their states.
    pub(crate) raised: Vec<RaisedTolerance>,
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("System").field("info", &self.info).finish_non_exhaustive()
    }
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
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Time between recorded frames (s).
    pub fn output_every(&self) -> f64 {
        self.output_every
    }

    /// Bodies as they start, mechanisms assembled.
    pub fn bodies_at_start(&self) -> Vec<BodyState> {
        let mut evaluator = Evaluator::new(self);
        evaluator.update(0.0, &self.initial);
        kinematics::body_states(self, &self.initial, &evaluator.bodies)
    }

    /// What a constraint group belongs to, in words.
    pub(crate) fn constraint_name(&self, group: usize) -> String {
        match self.constraints[group].owner {
            Owner::Joint(j) | Owner::Motor(j, _) | Owner::Start(j, _) => {
                format!("joint \"{}\"", self.info.joints[j].0)
            }
            Owner::Constraint(c) => format!("constraint \"{}\"", self.info.constraints[c].0),
            Owner::Cable(f) => format!("cable \"{}\"", self.info.forces[f].0),
        }
    }

    /// Number of differential states.
    pub fn states(&self) -> usize {
        self.link_states() + self.auxiliary
    }

    /// States of the links alone.
    pub(crate) fn link_states(&self) -> usize {
        self.links.last().map_or(0, |l| l.states().end)
    }

    /// Degrees of freedom before constraints.
    pub fn freedoms(&self) -> usize {
        self.link_of_freedom.len()
    }

    /// Do joints hang both bodies on one root?
    pub(crate) fn is_in_one_tree(&self, bodies: [usize; 2]) -> bool {
        let [a, b] = bodies.map(|body| self.bodies[body].link.map(|link| self.links[link].tree));
        a.is_some() && a == b
    }

    /// Links of the tree that begins at `start`.
    pub(crate) fn tree_links(&self, start: usize) -> Range<usize> {
        start..self.tree_end[start]
    }

    /// Rates of the lengths that cables pay out.
    pub(crate) fn write_auxiliary_rates(&self, time: f64, dydt: &mut [f64]) {
        for force in &self.forces {
            if let ForceData::Cable(CableData { rate: Some(rate), paid_out: Some(state), .. }) = force {
                dydt[*state] = rate.value(time);
            }
        }
    }
}
