//! Contact-first multibody dynamics: a [`Model`] is checked and compiled to a [`System`], which is run
//! and reports to a [`Recorder`].
//!
//! Knows no files, no serialisation format and no terminal. Signs, frames and units: docs/notation.md.

pub mod law;
pub mod model;
pub mod outcome;
pub mod problem;
pub mod record;

pub use model::Model;
pub use outcome::{EndReason, Outcome, RunError};
pub use problem::{Problem, Severity};
pub use record::Recorder;
