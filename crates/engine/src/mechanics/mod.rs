//! Bodies, joints, force elements and constraints: the equations of motion without contact.
//!
//! [`Mechanics`] is what a model compiles to first and never changes in a run; a [`Workspace`] places it at a time and state,
//! and answers with forces, accelerations, M⁻¹, mass matrix, bias and constraint rows. Rooms in here stand in an order, too
//! (`cargo xtask tidy`): a lower one does not know a higher one.

mod compile;
mod compiled;
mod configuration;
pub(crate) mod constraint;
mod controls;
mod data;
pub(crate) mod force;
mod held;
pub(crate) mod joint;
pub(crate) mod kinematics;
pub(crate) mod newton_euler;
mod small;
pub(crate) mod states;
pub(crate) mod tree;
pub(crate) mod workspace;

pub(crate) use compiled::Mechanics;
pub(crate) use configuration::Configuration;
pub(crate) use controls::Controls;
pub use controls::{LoadFunction, LoadPoint};
pub(crate) use data::{
    ActuatorData, Anchor, BodyData, CableData, ConstraintData, Equation, ForceData, JointData, JointRole,
    Owner, SharedRange, smallest_moment,
};
pub(crate) use held::Held;
pub(crate) use workspace::{Misfit, Workspace};
