use std::ops::Range;

use carom_math::Vec3;
use carom_solvers::Follower;

use super::tree::{Couplings, Link};
use super::{BodyData, ConstraintData, ForceData, JointData, SharedRange};
use crate::Note;

/// A model's bodies and what joins and drives them, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Mechanics {
    pub(crate) gravity: Vec3,
    pub(crate) bodies: Vec<BodyData>,
    /// Moving bodies with what carries them; parents first, trees together.
    pub(crate) links: Vec<Link>,
    /// Link of each freedom.
    pub(crate) link_of_freedom: Vec<usize>,
    /// Last link of the tree that begins at a link, plus one.
    pub(super) tree_end: Vec<usize>,
    pub(crate) joints: Vec<JointData>,
    pub(crate) forces: Vec<ForceData>,
    /// Coordinates whose actuators share a range.
    pub(crate) shared_ranges: Vec<SharedRange>,
    pub(crate) constraints: Vec<ConstraintData>,
    /// Constraints that the model states, those of joints, motors and cables left out.
    pub(crate) stated_constraints: usize,
    /// Rows of a sparse system of constraints that depend on others at the start.
    pub(crate) dependent_rows: usize,
    /// All constraints are motors whose motion the links make (`Link::drive`): rates need no rows.
    pub(crate) is_driven_only: bool,
    /// All constraints are couplings of coordinates that are states: their rows are linear in them with constant coefficients, so that what any
    /// integrator makes of states and rates on them is on them, up to what linear solves with Jacobians by differences leave.
    pub(crate) is_linear: bool,
    /// All constraints are couplings of two joints which the tree answers itself: rates need no rows.
    pub(crate) couplings: Option<Couplings>,
    /// Coordinates and velocities that follow others by these.
    pub(crate) followers: Vec<Follower>,
    /// What each of them is where what it follows is zero.
    pub(crate) offsets: Vec<f64>,
    /// Angles that the run remembers from step to step.
    pub(crate) angles: usize,
    /// The same at the start.
    pub(crate) initial_angles: Vec<f64>,
    /// States after those of the links: lengths paid out by reeled cables, activations of actuators.
    pub(crate) auxiliary: usize,
    /// Is there more than free bodies without constraints?
    pub(crate) is_mechanism: bool,
    /// State at t = 0.
    pub(crate) initial: Vec<f64>,
    /// What the user should know about how its start was found.
    pub(crate) notes: Vec<Note>,
}

impl Mechanics {
    /// Number of differential states.
    pub(crate) fn states(&self) -> usize {
        self.link_states() + self.auxiliary
    }

    /// States of the links alone.
    pub(crate) fn link_states(&self) -> usize {
        self.links.last().map_or(0, |l| l.states().end)
    }

    /// Degrees of freedom before constraints.
    pub(crate) fn freedoms(&self) -> usize {
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

    /// States after those of the links, in a state.
    pub(crate) fn auxiliary_states(&self) -> Range<usize> {
        self.link_states()..self.states()
    }
}
