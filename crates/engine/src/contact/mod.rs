//! Contacts of a run: their forces (evaluate), the events ahead (observe), their history (commit).

mod areal;
mod areal_approach;
mod areal_jump;
mod areal_peak;
mod areal_touch;
mod areal_work;
mod chatter;
mod commit;
mod convex;
mod course;
mod evaluate;
mod load;
mod memory;
mod neighbours;
mod observe;
mod placed;
mod point;
mod point_force;
mod search_fault;
mod step_view;
mod stop;
mod tangent;

pub(crate) use areal::ArealRows;
pub(crate) use areal_approach::Unseen;
pub(crate) use areal_peak::CoarsePatch;
pub(crate) use commit::Transition;
pub(crate) use evaluate::{Culprit, Evaluator, LEDGER_QUADRATURES, QUADRATURES};
pub(crate) use load::{Load, LoadBuffers};
pub(crate) use memory::{ContactMemory, ContactSet};
pub(crate) use neighbours::{Neighbours, add_wide_pair};
pub(crate) use observe::{Ahead, Observer, Upcoming, zero_function};
pub(crate) use point::{PointMotion, point_motion};
pub(crate) use point_force::ContactForce;
pub(crate) use step_view::StepView;
pub(crate) use stop::{stop_from, stop_motion};
pub(crate) use tangent::{LoadedPoint, TangentWorkspace};
