//! Numerical integrators, dense output and root location. Knows no mechanics: a problem is a right-hand
//! side over plain slices ([`Ode`]), and the caller owns time, events and history.

pub mod crossing;
pub mod dae;
pub mod ode;
mod pivoted_cholesky;
pub mod root;

pub use ode::{Assessment, Controller, DormandPrince45, Fault, Ode, Stepper, ToleranceGroup, Tolerances};
pub use pivoted_cholesky::PivotedCholesky;
