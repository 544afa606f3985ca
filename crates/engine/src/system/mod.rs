//! The compiled model: immutable, flat, ready to run. Everything a right-hand side reads is here or in the
//! workspace; nothing in here changes during a run.

mod areal;
mod areal_elements;
mod areal_notes;
mod areal_surface;
mod assemblies;

mod compile;
mod driving;
mod fineness;
mod pair_notes;
mod pairing;
mod pairs;
mod patch_grid;
mod pressing;
mod region_notes;
mod regions;
mod rows;
mod scales;
mod sources;
mod state_names;
mod stop_press;
mod stop_stiffness;
mod stops;
mod tolerances;

use std::fmt;
use std::sync::Arc;

use carom_geometry::Shape;
use carom_math::Pose;
use carom_solvers::Tolerances;

use crate::Note;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{Mechanics, Owner};
use crate::model::{Solid, SolverSettings};
use crate::record::{BodyState, RunInfo};

use areal_surface::ArealSurface;
pub(crate) use driving::Driving;
use pairing::PairPartners;
pub(crate) use pairs::{
    ArealPair, ArealPass, ContactData, MeshPair, PairData, PairTable, PassEdges, Thin, WALL_DEPTH,
};
pub(crate) use patch_grid::{Cell, PatchGrid};
pub(crate) use pressing::Impact;
pub(crate) use regions::{RegionPair, RegionResponse};
pub use scales::Scales;
pub(crate) use sources::{
    CableSource, ConvexPair, FacetPair, PairSource, PlanarPair, Stand, StopData, SurfacePair,
};
pub(crate) use tolerances::RaisedTolerance;
pub use tolerances::StateMeasure;
use tolerances::ToleranceOwner;

/// A surface: a shape on a body.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceData {
    pub(crate) body: usize,
    /// Pose of the shape in C.
    pub(crate) pose: Pose,
    pub(crate) shape: Shape,
}

impl SurfaceData {
    /// Its pose in the world.
    pub(crate) fn place(&self, bodies: &[BodyKinematics]) -> Pose {
        bodies[self.body].pose.compose(&self.pose)
    }
}

/// A model, compiled.
pub struct System {
    pub(crate) info: RunInfo,
    pub(crate) mechanics: Arc<Mechanics>,
    /// Motors and forces are the same at all times.
    pub(crate) is_autonomous: bool,
    /// Functions of time that are not the same at all times.
    pub(crate) driving: Vec<Driving>,
    pub(crate) surfaces: Vec<SurfaceData>,
    /// The surfaces as convex solids, where they are.
    pub(crate) solids: Vec<Solid>,
    /// The surfaces as triangles, where they are.
    pub(crate) areal_surfaces: Vec<Arc<ArealSurface>>,
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
        self.mechanics.bodies_at_start()
    }

    /// What a constraint group belongs to, in words.
    pub(crate) fn constraint_name(&self, group: usize) -> String {
        match self.mechanics.constraints[group].owner {
            Owner::Joint(j) | Owner::Motor(j, _) | Owner::Start(j, _) => {
                format!("joint \"{}\"", self.info.joints[j].0)
            }
            Owner::Constraint(c) => format!("constraint \"{}\"", self.info.constraints[c].0),
            Owner::Cable(f) => format!("cable \"{}\"", self.info.forces[f].0),
        }
    }

    /// Number of differential states.
    pub fn states(&self) -> usize {
        self.mechanics.states()
    }

    /// Degrees of freedom before constraints.
    pub fn freedoms(&self) -> usize {
        self.mechanics.freedoms()
    }
}
