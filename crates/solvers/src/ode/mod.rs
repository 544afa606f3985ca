//! Ordinary differential equations: the problem, the stepper and its step-size control.

mod controller;
mod dopri5;
mod tolerance;

use std::ops::Range;

use crate::dae::SecondOrderDae;

pub use controller::Controller;
pub use dopri5::DormandPrince45;
pub use tolerance::{Assessment, ToleranceGroup, Tolerances};

/// Why a right-hand side could not be evaluated. The problem keeps the particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Reject the step and try a smaller one.
    Recoverable,
    /// Stop.
    Fatal,
}

/// y' = f(t, y), with quadratures q' = g(t, y) that do not act back on y. Only the first of them may be
/// error-controlled ([`Tolerances::quadrature`]).
pub trait Ode {
    /// Number of states.
    fn dimension(&self) -> usize;
    /// Number of quadratures; may change between steps only.
    fn quadratures(&self) -> usize;
    /// Writes y' and q'. Must not allocate and must not change what later evaluations return.
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) -> Result<(), Fault>;
    /// Takes from the estimated error of a step, whose end was evaluated last, what the caller corrects in every
    /// accepted state anyway: the part across the manifold that the solution is on.
    fn filter_error(&mut self, _y: &[f64], _error: &mut [f64]) {}
    /// The same problem as a mechanical system with constraints, for methods that need it.
    fn second_order(&mut self) -> Option<&mut dyn SecondOrderDae> {
        None
    }
}

/// A one-step method with dense output. The caller decides which attempts count.
pub trait Stepper {
    /// Makes room for so many quadratures, beyond which buffers grow at a restart.
    fn reserve(&mut self, quadratures: usize);
    /// Starts at (t, y), or starts anew there after the problem has changed.
    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault>;
    /// Tries a step of length h from the current state. Nothing is committed.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault>;
    /// Takes the derivatives at the end of the last attempt anew, after [`Self::trial_mut`] has changed it by more than
    /// rounding.
    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault>;
    /// Takes the last attempt as the new current state. It is at time `t`: the old time plus the step, up to
    /// the rounding that the caller decides on.
    fn accept(&mut self, t: f64);
    /// Time of the current state.
    fn time(&self) -> f64;
    /// Length of the last attempt.
    fn step(&self) -> f64;
    /// Current state.
    fn state(&self) -> &[f64];
    /// State at the end of the last attempt.
    fn trial(&self) -> &[f64];
    /// The same, to put it back on a manifold before it is accepted.
    fn trial_mut(&mut self) -> &mut [f64];
    /// Components `range` of the state at `t + theta·h` within the last attempt, 0 ≤ theta ≤ 1.
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]);
    /// Growth of the quadratures from the start of the last attempt to `t + theta·h`.
    fn quadrature(&self, theta: f64, out: &mut [f64]);
    /// Energy that the method's own projections have added in the last attempt (J); 0 for methods without.
    fn projected(&self) -> f64 {
        0.0
    }
    /// Order of the solution that is carried on.
    fn order(&self) -> u32;
    /// Derivatives that the next step reuses: states, then quadratures. Empty slices if there are none.
    fn memory(&self) -> (&[f64], &[f64]);
    /// Continues at (t, y) with the derivatives of [`Self::memory`], bit for bit.
    fn resume(&mut self, t: f64, y: &[f64], memory: (&[f64], &[f64]));
}
