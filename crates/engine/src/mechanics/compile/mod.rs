//! Model to [`Mechanics`].

mod assembly;
mod bodies;
mod couplings;
mod drives;
mod elements;
mod forest;
mod freedom_of_state;
mod told_start;
mod turning;

use super::{Held, Mechanics, Workspace};
use crate::Problem;
use crate::model::{Coordinates, Model};

use bodies::compile_bodies;
use forest::build_forest;
use freedom_of_state::check_freedoms_of_state;
use turning::check_turning;

impl Mechanics {
    /// Compiles what a model says of bodies, joints, forces and constraints, and finds its start; or says everything that
    /// keeps it from moving.
    pub(crate) fn compile(model: &Model) -> Result<Self, Vec<Problem>> {
        let mut mechanics = Self {
            gravity: model.gravity,
            bodies: compile_bodies(model),
            links: Vec::new(),
            link_of_freedom: Vec::new(),
            tree_end: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            shared_ranges: Vec::new(),
            constraints: Vec::new(),
            stated_constraints: model.constraints.len(),
            dependent_rows: 0,
            is_driven_only: false,
            is_linear: false,
            couplings: None,
            followers: Vec::new(),
            offsets: Vec::new(),
            angles: 0,
            initial_angles: Vec::new(),
            auxiliary: 0,
            is_mechanism: false,
            initial: Vec::new(),
            notes: Vec::new(),
        };
        // The start is found in joint coordinates, whichever the run uses.
        mechanics.set_links(build_forest(model, Coordinates::Joint), model);
        // Nothing is placed before: along other freedoms nothing could act.
        check_freedoms_of_state(&mechanics, model)?;
        assembly::assemble(&mut mechanics, model)?;
        if model.solver.coordinates == Coordinates::Body {
            mechanics.use_body_coordinates(model);
        }
        check_turning(&mechanics, model)?;
        let dependent = Workspace::new(Held::Lent(&mechanics)).dependent_in_envelope(&mechanics.initial);
        mechanics.dependent_rows = dependent;
        mechanics.take_up_drives(model.solver.formulation);
        mechanics.take_up_couplings(model.solver.formulation);
        Ok(mechanics)
    }
}
