//! Integrators on problems with known solutions.
#![allow(missing_docs)]

mod complementarity;
mod drive;
mod friction;
mod friction_newton;
mod friction_spread;
mod kepler;
mod nonstiff;
mod one_step;
mod problems;
mod resume;
mod stiff;

/// Makes a stepper.
type Make = fn() -> Box<dyn carom_solvers::Stepper>;
