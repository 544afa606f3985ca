//! `bdf`: numerical differentiation formulas of orders 1 to 5 with quasi-constant steps, as backward differences
//! (Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997), 1–22). Orders 1 to 4 are modified backward differentiation
//! formulas with smaller errors, order 5 is the formula itself.

mod control;
mod formula;
mod leap;
mod memory;
mod newton;
mod step;
mod stepper;
#[cfg(test)]
mod tests;

pub use step::Bdf;
