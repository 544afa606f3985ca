//! Numerical integrators, dense output and root location. Knows no mechanics: a problem is a right-hand
//! side over plain slices ([`Ode`]), and the caller owns time, events and history.

mod complex_lu;
pub mod crossing;
pub mod dae;
mod lu;
pub mod ode;
mod pivoted_cholesky;
pub mod root;

pub use ode::{
    Assessment, Bdf, DormandPrince45, DormandPrince853, Fault, Ode, Ode113, Radau5, Stepper, ToleranceGroup,
    Tolerances, Work, WrongMemory,
};
pub use pivoted_cholesky::PivotedCholesky;
