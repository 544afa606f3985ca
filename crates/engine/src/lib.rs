//! Contact-first multibody dynamics: a [`Model`] is checked and compiled to a [`System`], which is run
//! and reports to a [`Recorder`].
//!
//! Knows no files, no serialisation format and no terminal. Signs, frames and units: docs/notation.md.

pub mod analysis;
mod check;
mod contact;
pub mod function;
pub mod law;
mod mechanics;
pub mod model;
mod note;
pub mod outcome;
mod path;
pub mod problem;
pub mod record;
mod run;
mod system;
pub mod unilateral;

pub use check::Overlap;
pub use mechanics::{LoadFunction, LoadPoint};
pub use model::Model;
pub use note::Note;
pub use outcome::{EndReason, Outcome, RunError};
pub use problem::{Problem, Severity};
pub use record::{Recorder, residual, sum_of_states};
pub use run::{CheckpointError, ControlError, Halt, Simulation, StateError};
pub use system::{Scales, StateMeasure, System};
