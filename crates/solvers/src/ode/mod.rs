//! Ordinary differential equations: the problem, the stepper and its step-size control.

mod bdf;
#[cfg(test)]
mod bernoulli;
mod controller;
mod dop853;
mod dopri5;
mod given;
mod jacobian;
mod kink;
mod motion;
mod ode113;
mod radau5;
mod rodas3;
mod start;
mod tolerance;

use std::ops::{Add, Range};

use crate::dae::SecondOrderDae;

pub use bdf::Bdf;
pub(crate) use controller::BETA_DOPRI5;
pub(crate) use controller::Controller;
pub use dop853::DormandPrince853;
pub use dopri5::DormandPrince45;
pub use given::GivenSteps;
pub use kink::{Kinks, PULSE};
pub use motion::Motion;
pub use ode113::Ode113;
pub use radau5::Radau5;
pub use rodas3::Rodas3;
pub use tolerance::{Assessment, ToleranceGroup, Tolerances};

/// Why a right-hand side, or a step, could not be evaluated. The problem keeps the particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Reject the step and try a smaller one.
    Recoverable,
    /// Newton's method found no solution of an implicit step: likewise.
    NotConverged,
    /// Stop.
    Fatal,
}

/// A state that stays `ratio` times another one but for a constant, at all states that the problem is asked at: so do their rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower {
    /// Index of the state.
    pub state: usize,
    /// Index of the state that it follows, which follows none.
    pub leader: usize,
    /// Its change over that of the leader.
    pub ratio: f64,
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
    /// Writes q' alone, with the problem left where it was evaluated, as by [`Self::rhs`]: for the end of a step, whose y' nobody asks for.
    /// What is in `spare`, as long as the state, means nothing.
    fn quadrature_rates(
        &mut self,
        t: f64,
        y: &[f64],
        spare: &mut [f64],
        dqdt: &mut [f64],
    ) -> Result<(), Fault> {
        self.rhs(t, y, spare, dqdt)
    }
    /// Writes ∂f/∂y, row by row, and returns true; or returns false, and it is taken by differences of
    /// [`Self::rhs`].
    fn jacobian(&mut self, _t: f64, _y: &[f64], _dfdy: &mut [f64]) -> Result<bool, Fault> {
        Ok(false)
    }
    /// Writes for every state a number below [`Self::dimension`], the same for states whose rates depend on each other,
    /// and returns true; or returns false, and any rate may depend on any state. Blocks change between steps only, as
    /// contacts do. Differences for the Jacobian then take one evaluation for every state of the largest block.
    fn blocks(&self, _block: &mut [usize]) -> bool {
        false
    }
    /// Rates depend on the state alone: ∂f/∂t is zero and not asked for.
    fn is_autonomous(&self) -> bool {
        false
    }
    /// States that follow others in all that is asked for, as coupled coordinates do.
    fn followers(&self) -> &[Follower] {
        &[]
    }
    /// Takes from the estimated error of a step, near whose end `y` the problem was evaluated last, what the caller
    /// corrects in every accepted state anyway: the part across the manifold that the solution is on.
    fn filter_error(&mut self, _y: &[f64], _error: &mut [f64]) {}
    /// The same problem as a mechanical system with constraints, for methods that need it.
    fn second_order(&mut self) -> Option<&mut dyn SecondOrderDae> {
        None
    }
}

/// Largest degree of a dense output: that of Adams' method of order 12.
pub const MAX_DEGREE: usize = 13;

/// Numbers of a memory that do not belong to this method and problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongMemory;

/// What implicit methods have done beside evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Jacobians.
    pub jacobians: u64,
    /// Factorisations of linear systems, real and complex ones counted alike.
    pub factorizations: u64,
    /// Newton iterations.
    pub iterations: u64,
}

impl Work {
    /// As numbers of a memory, in the order of the fields.
    pub(crate) fn memory(self) -> [f64; 3] {
        [self.jacobians, self.factorizations, self.iterations].map(|count| count as f64)
    }

    /// Takes what [`Self::memory`] gave.
    pub(crate) fn resume(memory: [f64; 3]) -> Self {
        let [jacobians, factorizations, iterations] = memory.map(|count| count as u64);
        Self { jacobians, factorizations, iterations }
    }
}

impl Add for Work {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            jacobians: self.jacobians + other.jacobians,
            factorizations: self.factorizations + other.factorizations,
            iterations: self.iterations + other.iterations,
        }
    }
}

/// A method with dense output that chooses its steps. The caller decides which attempts count, and may shorten what
/// the method suggests.
///
/// One step: [`Self::attempt`] until it passes, each time with the step that [`Self::failed`] names;
/// [`Self::passed`], once; further attempts of other lengths, as events ask for; [`Self::prepare_dense`] before
/// anything inside the step is looked at; [`Self::accept`].
pub trait Stepper: Send {
    /// Makes room for so many quadratures, beyond which buffers grow at a restart.
    fn reserve(&mut self, quadratures: usize);
    /// Starts at (t, y), or starts anew there after the problem has changed.
    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault>;
    /// Largest step with which the method can start after a restart; infinite for those that need no history.
    fn starting_step(&mut self, _ode: &mut dyn Ode, _tolerances: &Tolerances) -> Result<f64, Fault> {
        Ok(f64::INFINITY)
    }
    /// Tries a step of length h from the current state. Nothing is committed. If the problem has quadratures, an
    /// attempt that passes has evaluated it at its end last.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault>;
    /// Step to try after the last attempt, which has passed with this error.
    fn passed(&mut self, error: f64) -> f64;
    /// Shorter step to try in place of the last attempt, which has failed: with this error, or without one that is
    /// finite.
    fn failed(&mut self, error: f64) -> f64;
    /// Makes [`Self::interpolate`] and [`Self::quadrature`] ready for 0 < theta < 1, where that takes more than the
    /// attempt. Returns whether the problem has been evaluated, somewhere in the step.
    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        Ok(false)
    }
    /// May [`Self::prepare_dense`] evaluate the problem?
    fn dense_costs(&self) -> bool {
        false
    }
    /// Takes the derivatives at the end of the last attempt anew, after [`Self::trial_mut`] has changed it by more than
    /// rounding.
    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault>;
    /// Takes the last attempt as the new current state. It is at time `t`: the old time plus the step, up to
    /// the rounding that the caller decides on.
    fn accept(&mut self, t: f64);
    /// Current state and last attempt.
    fn motion(&self) -> &Motion;
    /// The same, to change it.
    fn motion_mut(&mut self) -> &mut Motion;
    /// Time of the current state.
    fn time(&self) -> f64 {
        self.motion().time
    }
    /// Length of the last attempt.
    fn step(&self) -> f64 {
        self.motion().step
    }
    /// Current state.
    fn state(&self) -> &[f64] {
        &self.motion().state
    }
    /// State at the end of the last attempt.
    fn trial(&self) -> &[f64] {
        &self.motion().trial
    }
    /// The same, to put it back on a manifold before it is accepted.
    fn trial_mut(&mut self) -> &mut [f64] {
        &mut self.motion_mut().trial
    }
    /// Components `range` of the state at `t + theta·h` within the last attempt, 0 ≤ theta ≤ 1.
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]);
    /// Degree in theta of the polynomials that [`Self::interpolate`] gives inside the step, at most [`MAX_DEGREE`]. At the
    /// ends it may give the states themselves, which a projection has moved off them.
    fn degree(&self) -> usize;
    /// Growth of the quadratures from the start of the last attempt to `t + theta·h`.
    fn quadrature(&self, theta: f64, out: &mut [f64]);
    /// Takes what the quadratures have grown by over the last attempt, where the caller makes the steps ([`GivenSteps`]).
    fn take_growth(&mut self, _growth: &[f64]) {}
    /// What a force that sets in inside a step makes its result wrong by; `None` where that is not known, as with methods that
    /// remember earlier steps.
    fn kinks(&self) -> Option<Kinks> {
        None
    }
    /// The problem has other quadratures now, the same in all else: each of the new ones is one of the old, or has been zero. Of
    /// methods with a [`Self::kinks`].
    fn renumber_quadratures(&mut self, _old: &[Option<usize>]) {}
    /// Energy that the method's own projections have added in the last attempt (J); 0 for methods without.
    fn projected(&self) -> f64 {
        0.0
    }
    /// Largest |λ| h, for negative real eigenvalues λ, to hold the steps of an explicit method to; infinite for
    /// methods that need no such care.
    fn stable_reach(&self) -> f64 {
        f64::INFINITY
    }
    /// Largest |λ| of the Jacobian that an implicit method has made last (1/s), nearly; zero for methods without one.
    fn fastest_rate(&mut self) -> f64 {
        0.0
    }
    /// Has an implicit method made its last attempt as an explicit one would?
    fn is_explicit_step(&self) -> bool {
        false
    }
    /// Work of an implicit method since it was made.
    fn work(&self) -> Work {
        Work::default()
    }
    /// Derivatives of the states at a restart.
    fn rates(&self) -> &[f64];
    /// Appends all that the next steps need beside time and state.
    fn memory(&self, out: &mut Vec<f64>);
    /// Continues at (t, y) of a problem with so many quadratures with the numbers of [`Self::memory`], bit for bit.
    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory>;
}
