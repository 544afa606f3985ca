use crate::elimination::Elimination;
use crate::ode::jacobian::Jacobian;
use crate::ode::{Fault, Ode, Tolerances};
use crate::reduced_lu::ReducedLu;
use crate::scalar::REAL;

/// Most iterations.
pub(super) const ITERATIONS: u32 = 4;
/// Iterate until what is left makes this share of the tolerated error.
const SHARE: f64 = 0.02;
/// The rate of convergence is remembered from step to step, and forgotten by this factor an iteration.
const FORGETTING: f64 = 0.3;
/// A slower rate is that of factors which do not fit: their iterations hardly move.
const SLOWEST: f64 = 0.95;
/// Least rate that is taken for one which was not seen in the last step, and what it grows by from step to step.
const UNSEEN: f64 = 0.1;
const DOUBT: f64 = 1.6;

/// Simplified Newton iterations on c f(t, p + d) − ψ − d = 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    elimination: Elimination,
    lu: ReducedLu<REAL>,
    /// d: what the solution differs from the predictor by.
    pub(super) correction: Vec<f64>,
    rates: Vec<f64>,
    rates_of_quadratures: Vec<f64>,
    /// Iterations of the last attempt.
    pub(super) iterations: u32,
    /// Rate of convergence with the factors at hand; 1 if it is not known.
    pub(super) rate: f64,
}

impl Newton {
    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.elimination.resize(n);
        self.lu.resize(n);
        self.correction.resize(n, 0.0);
        self.rates.resize(n, 0.0);
        self.rates_of_quadratures.resize(quadratures, 0.0);
    }

    pub(super) fn reserve(&mut self, quadratures: usize) {
        let buffer = &mut self.rates_of_quadratures;
        buffer.reserve(quadratures.saturating_sub(buffer.len()));
    }

    /// Buffers for an evaluation outside of the iterations.
    pub(super) fn scratch(&mut self) -> [&mut [f64]; 2] {
        [&mut self.rates, &mut self.rates_of_quadratures]
    }

    /// Factors 1 − c J; false if it is singular.
    pub(super) fn factor(&mut self, c: f64, jacobian: &Jacobian) -> bool {
        self.rate = 1.0;
        self.elimination.choose(c, &jacobian.matrix, &jacobian.sparse);
        self.lu.factor([1.0], -c, &jacobian.matrix, &self.elimination)
    }

    /// What is left to go after an iteration, over what it went: all that follow, at the rate of convergence. With new factors, whose rate
    /// is not known, the first one counts as far off as it went; with old ones that have not shown theirs for long it says nothing.
    fn left(&self) -> f64 {
        match self.rate {
            rate if rate < SLOWEST => rate / (1.0 - rate),
            1.0 => 1.0,
            _ => f64::INFINITY,
        }
    }

    /// Iterates from the predictor, which `trial` holds and which becomes the solution, to a share of the error that
    /// `constant` times the correction estimates. False if they do not converge.
    pub(super) fn iterate(
        &mut self,
        ode: &mut dyn Ode,
        (t, c, constant): (f64, f64, f64),
        psi: &[f64],
        trial: &mut [f64],
        tolerances: &Tolerances,
    ) -> Result<bool, Fault> {
        let (share, rounding) = (SHARE / constant, tolerances.rounding(trial));
        self.correction.fill(0.0);
        let mut previous = 0.0_f64;
        for iteration in 1..=ITERATIONS {
            self.iterations = iteration;
            ode.rhs(t, trial, &mut self.rates, &mut self.rates_of_quadratures)?;
            for (rate, (psi, d)) in self.rates.iter_mut().zip(psi.iter().zip(&self.correction)) {
                *rate = c * *rate - psi - d;
            }
            // Of followers' rows the matrix is that of 1: they take the part that is rounding, which would grow if it were left.
            for follower in ode.followers() {
                self.rates[follower.state] -= follower.ratio * self.rates[follower.leader];
            }
            self.lu.solve([&mut self.rates], &self.elimination);
            for follower in ode.followers() {
                self.rates[follower.state] += follower.ratio * self.rates[follower.leader];
            }
            let size = tolerances.ratio(&self.rates, trial);
            if !size.is_finite() || iteration > 1 && size >= 2.0 * previous.max(rounding) {
                return Ok(false);
            }
            if iteration > 1 {
                self.rate = (FORGETTING * self.rate).max(size / previous);
            }
            for (i, change) in self.rates.iter().enumerate() {
                trial[i] += change;
                self.correction[i] += change;
            }
            if iteration > 1 && self.rate > SLOWEST && size > rounding {
                return Ok(false);
            }
            if self.left() * size <= share || size <= rounding {
                // One iteration does not see the rate: what was seen once is trusted less each time, until another one has to show it.
                if iteration == 1 {
                    self.rate = (DOUBT * self.rate).clamp(UNSEEN, SLOWEST);
                }
                return Ok(true);
            }
            previous = size;
        }
        Ok(false)
    }
}
