//! `radau5`: the implicit Runge–Kutta method Radau IIA of three stages and order five, L-stable and stiffly accurate,
//! with simplified Newton iterations on a transformed system (Hairer & Wanner, Solving Ordinary Differential Equations
//! II, 2nd ed., IV.8).
//!
//! Of the L-stable methods of this order it is taken before the Rosenbrock methods because these need a new Jacobian in
//! every step, which costs an evaluation per state where the problem has none of its own.

mod control;
mod memory;
mod method;
mod newton;
mod polynomial;
mod step;
mod stepper;
#[cfg(test)]
mod tests;

pub use step::Radau5;
