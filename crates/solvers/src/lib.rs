//! Numerical integrators, dense output and root location. Knows no mechanics: a problem is a right-hand
//! side over plain slices ([`Ode`]), and the caller owns time, events and history.

mod bandwidth;
pub mod bernstein;
pub mod bumps;
pub mod complementarity;
pub mod crossing;
pub mod dae;
mod dot;
mod elimination;
mod envelope_cholesky;
pub mod extremum;
pub mod friction;
mod lu;
pub mod ode;
mod pivoted_cholesky;
mod reduced_lu;
pub mod root;
mod scalar;
mod sparse_rows;
mod wide;

pub use bandwidth::reverse_cuthill_mckee;
pub use envelope_cholesky::EnvelopeCholesky;
pub use ode::*;
pub use pivoted_cholesky::PivotedCholesky;
pub use wide::{Wide, run_wide};
