//! `rodas3`: a Rosenbrock method of order three with an embedded one of order two, both L-stable and stiffly accurate
//! (Sandu, Verwer, Blom, Spee, Carmichael & Potra, *Benchmarking stiff ODE solvers for atmospheric chemistry problems
//! II: Rosenbrock solvers*, Atmospheric Environment 31, 1997, section 3.2).
//!
//! A step solves four linear systems with one matrix and evaluates the problem at two points inside: nothing iterates,
//! so nothing fails to converge where forces have kinks, and nothing is remembered across them. In return it takes a
//! Jacobian every step. It is the method of the loose tolerances, at which a step ends where the next contact begins.

mod method;
mod step;
mod stepper;

pub use step::Rodas3;
