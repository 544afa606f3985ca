//! Contacts of a run: their forces (evaluate), the events ahead (observe), their history (commit).
//!
//! An [`Evaluator`] holds a workspace of mechanics and adds what touches; files beside it are functions over it.

pub(crate) mod areal;
pub(crate) mod branch;
mod bristle;
mod chatter;
mod clipping;
pub(crate) mod commit;
mod convex;
mod course;
mod energy;
mod evaluate;
mod facets;
mod felt_mass;
mod finder;
mod grip;
mod hands;
mod held_face;
mod hovering;
mod implicit_bristle;
mod kinks;
pub(crate) mod load;
mod memory;
pub(crate) mod meshes;
mod neighbours;
mod observe;
mod passing;
pub(crate) mod patches;
mod placed;
mod planar;
mod point;
mod point_force;
#[cfg(test)]
mod powers;
mod project;
mod rates;
pub(crate) mod regions;
mod reopening;
pub(crate) mod rigid;
pub(crate) mod rims;
pub(crate) mod samples;
mod search_fault;
mod second_order;
mod step_view;
pub(crate) mod stepping;
mod stop;
pub(crate) mod tangent;
mod trail;

pub(crate) use areal::ArealRows;
pub(crate) use areal::peak::CoarsePatch;
pub(crate) use bristle::{
    HeldBristle, add_bristle_tolerances, are_regrouped, contact_of_bristle, hold_bristles, set_bristles,
    take_bristles,
};
pub(crate) use clipping::{Outlook, choose, clip_none, take_watched, watch};
pub(crate) use commit::Transition;
pub(crate) use energy::{present_energy, state_accounts, write_quadratures};
pub(crate) use evaluate::{Culprit, Evaluator, LEDGER_QUADRATURES, QUADRATURES};
pub(crate) use load::{Load, LoadBuffers};
pub(crate) use memory::{ContactMemory, ContactSet};
pub(crate) use meshes::approach::Unseen;
pub(crate) use neighbours::{Neighbours, add_wide_pair};
pub(crate) use observe::{Ahead, Observer, Upcoming, grow, zero_function};
pub(crate) use patches::PatchGroups;
pub(crate) use planar::{AtCorner, at_corner};
pub(crate) use point::{PointMotion, point_motion};
pub(crate) use point_force::ContactForce;
pub(crate) use project::Astray;
pub(crate) use search_fault::areal_fault;
pub(crate) use step_view::StepView;
pub(crate) use stop::{stop_from, stop_motion};
pub(crate) use tangent::{LoadedPoint, TangentWorkspace};
pub(crate) use trail::{STAGES, Trail};
