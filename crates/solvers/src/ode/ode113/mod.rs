//! `ode113`: Adams–Bashforth–Moulton methods of orders 1 to 12 with variable steps, PECE with local extrapolation, as
//! modified divided differences (Shampine & Gordon, Computer Solution of Ordinary Differential Equations, 1975,
//! chapters 5 and 10; program STEP).

mod coefficients;
mod control;
mod memory;
mod step;
mod stepper;
#[cfg(test)]
mod tests;

pub use step::Ode113;
