use std::ops::Range;

use super::control::START_STEPS;
use super::formula::{GAMMA, ORDER_MAX, ROWS, alpha, error_constant, interpolant, rescaling};
use super::newton::Newton;
use crate::ode::jacobian::Jacobian;
use crate::ode::{DormandPrince45, Fault, Motion, Ode, Tolerances, Work};
use crate::wide::{Wide, run_wide};

/// What the method knows of the past beside the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// Order k of the next step.
    pub(super) order: usize,
    /// Accepted steps of this length and order.
    pub(super) equal: usize,
    /// Length that the differences are for.
    pub(super) step: f64,
    /// Attempts that have failed by their error since the last accepted step.
    pub(super) failures: u32,
    /// Steps that are left of the start.
    pub(super) starting: u32,
    /// Longest leap to start with, 0 if there is to be none, and the step to start with without one.
    pub(super) leap: f64,
    pub(super) first: f64,
    /// The Jacobian is that of the last attempt's predictor, or of none.
    pub(super) jacobian_is_current: bool,
    pub(super) wants_jacobian: bool,
    /// c = h/α that the factors are for; 0 if there are none.
    pub(super) factored: f64,
}

pub(super) const START: History = History {
    order: 1,
    equal: 0,
    step: 1.0,
    failures: 0,
    starting: START_STEPS,
    leap: 0.0,
    first: 0.0,
    jacobian_is_current: false,
    wants_jacobian: true,
    factored: 0.0,
};

/// Errors of the last attempt over the tolerance, had it been made with one order less and more; infinite if unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    pub(super) below: f64,
    pub(super) above: f64,
}

/// NDFs of orders 1 to 5. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Bdf {
    pub(super) motion: Motion,
    pub(super) error: Vec<f64>,
    /// Backward differences of states and quadratures at the current state; quadratures count from there.
    pub(super) differences: [Vec<f64>; ROWS],
    /// The same at the step of the attempt, and then at its end.
    pub(super) scaled: [Vec<f64>; ROWS],
    pub(super) dense: [Vec<f64>; ROWS],
    /// `dense` is that of the attempt.
    pub(super) dense_is_current: bool,
    pub(super) predicted: Vec<f64>,
    pub(super) psi: Vec<f64>,
    /// Rates at the end of the attempt, of quadratures; of states while a Jacobian is made.
    pub(super) rates: Vec<f64>,
    pub(super) jacobian: Jacobian,
    pub(super) newton: Newton,
    /// What leaps; and whether the last attempt was one.
    pub(super) explicit: DormandPrince45,
    pub(super) is_leap: bool,
    /// Rate of the fastest mode that it excited (1/s), and the length of the leap after it, 0 if there is to be none.
    pub(super) excited: f64,
    pub(super) next_leap: f64,
    /// Order of the attempt.
    pub(super) order: usize,
    pub(super) history: History,
    pub(super) neighbours: Neighbours,
    /// Order after the attempt, if it is accepted as it is.
    pub(super) next_order: Option<usize>,
    /// The iterations of the last attempt failed.
    pub(super) diverged: bool,
    pub(super) work: Work,
}

impl Default for Bdf {
    fn default() -> Self {
        Self {
            motion: Motion::default(),
            error: Vec::new(),
            differences: Default::default(),
            scaled: Default::default(),
            dense: Default::default(),
            dense_is_current: false,
            predicted: Vec::new(),
            psi: Vec::new(),
            rates: Vec::new(),
            jacobian: Jacobian::default(),
            newton: Newton::default(),
            explicit: DormandPrince45::new(),
            is_leap: false,
            excited: 0.0,
            next_leap: 0.0,
            order: 1,
            history: START,
            neighbours: Neighbours { below: f64::INFINITY, above: f64::INFINITY },
            next_order: None,
            diverged: false,
            work: Work::default(),
        }
    }
}

impl Bdf {
    /// Without a state; [`crate::Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.motion.resize(n);
        self.error.resize(n, 0.0);
        self.rows().for_each(|buffer| buffer.resize(n + quadratures, 0.0));
        self.jacobian.resize(n, quadratures);
        self.newton.resize(n, quadratures);
        self.explicit.resize(n, quadratures);
    }

    /// All buffers of states and quadratures.
    pub(super) fn rows(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let rows = self.differences.iter_mut().chain(&mut self.scaled).chain(&mut self.dense);
        rows.chain([&mut self.predicted, &mut self.psi, &mut self.rates])
    }

    pub(super) fn start(&mut self, t: f64, y: &[f64]) {
        self.motion.start(t, y);
        self.history = START;
        self.next_order = None;
        self.next_leap = 0.0;
        self.diverged = false;
    }

    /// Goes on from the state and its rates alone, by order one: differences of a step of 1. With the past's difference, the slope over
    /// the last step, the error of order one would fall no faster than the step.
    pub(super) fn forget_past(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.differences[2..].iter_mut().for_each(|row| row.fill(0.0));
        (self.history.order, self.history.step) = (1, 1.0);
        let (dydt, dqdt) = self.differences[1].split_at_mut(self.motion.n());
        ode.rhs(self.motion.time, &self.motion.state, dydt, dqdt)
    }

    /// Differences at the step of the attempt, the predictor and ψ.
    pub(super) fn predict(&mut self) {
        run_wide(Predict(self));
    }

    #[inline(always)]
    fn write_predictor(&mut self) {
        let (k, h) = (self.order, self.motion.step);
        if h == self.history.step {
            for (scaled, row) in self.scaled.iter_mut().zip(&self.differences) {
                scaled.copy_from_slice(row);
            }
        } else {
            let w = rescaling(h / self.history.step, k);
            for (j, scaled) in self.scaled.iter_mut().enumerate().take(k + 1) {
                scaled.fill(0.0);
                for (row, w) in self.differences.iter().zip(&w).take(k + 1) {
                    scaled.iter_mut().zip(row).for_each(|(out, x)| *out += w[j] * x);
                }
            }
        }
        self.predicted.copy_from_slice(&self.scaled[0]);
        self.psi.fill(0.0);
        for (j, row) in self.scaled.iter().enumerate().take(k + 1).skip(1) {
            let weight = GAMMA[j] / alpha(k);
            for (i, x) in row.iter().enumerate() {
                self.predicted[i] += x;
                self.psi[i] += weight * x;
            }
        }
    }

    /// Solves the step; with a new Jacobian if the one at hand does not converge.
    pub(super) fn solve(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<bool, Fault> {
        let (n, end, c) = (self.motion.n(), self.motion.end(), self.motion.step / alpha(self.order));
        loop {
            self.motion.trial.copy_from_slice(&self.predicted[..n]);
            if self.history.wants_jacobian {
                let (dydt, dqdt) = self.rates.split_at_mut(n);
                ode.rhs(end, &self.motion.trial, dydt, dqdt)?;
                self.jacobian.update_condensed(ode, end, &self.motion.trial, dydt, tolerances)?;
                self.work.jacobians += 1;
                self.history.wants_jacobian = false;
                self.history.jacobian_is_current = true;
                self.history.factored = 0.0;
            }
            if self.history.factored != c {
                self.work.factorizations += 1;
                if !self.newton.factor(c, &self.jacobian) {
                    self.history.factored = 0.0;
                    return Ok(false);
                }
                self.history.factored = c;
            }
            let psi = &self.psi[..n];
            let converged = self.newton.iterate(
                ode,
                (end, c, error_constant(self.order)),
                psi,
                &mut self.motion.trial,
                tolerances,
            );
            self.work.iterations += u64::from(self.newton.iterations);
            if converged? {
                return Ok(true);
            }
            if self.history.jacobian_is_current {
                return Ok(false);
            }
            self.history.wants_jacobian = true;
        }
    }

    /// Component `i` of ∇^(k+1) y at the end: what the solution differs from the predictor by.
    pub(super) fn correction(&self, i: usize) -> f64 {
        if i < self.motion.n() {
            self.motion.trial[i] - self.predicted[i]
        } else {
            self.motion.step / alpha(self.order) * self.rates[i] - self.psi[i]
        }
    }

    pub(super) fn equal_steps(&self) -> usize {
        if self.motion.step == self.history.step { self.history.equal + 1 } else { 1 }
    }

    /// What a range of components is at θ, less its last value, row by row, which the processor does several of at once.
    pub(super) fn combine(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        run_wide(Combine {
            rows: &self.dense[1..=self.order],
            weights: interpolant(theta, self.order),
            range,
            out,
        });
    }

    /// Rates of the quadratures at the end of the attempt. Those of the states are what the corrector has solved for.
    pub(super) fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (spare, dqdt) = self.rates.split_at_mut(self.motion.n());
        ode.quadrature_rates(self.motion.end(), &self.motion.trial, spare, dqdt)
    }

    /// Differences at the end of the attempt, unless they are known.
    pub(super) fn update_dense(&mut self) {
        if std::mem::replace(&mut self.dense_is_current, true) {
            return;
        }
        if self.is_leap {
            return self.differentiate_leap();
        }
        let (k, n) = (self.order, self.motion.n());
        // Row by row, which the processor does several components of at once.
        let (rows, corrections) = self.dense.split_at_mut(k + 1);
        let [correction, next, ..] = corrections else {
            unreachable!("there are rows for two more than the order")
        };
        for (out, (trial, predicted)) in
            correction.iter_mut().zip(self.motion.trial.iter().zip(&self.predicted))
        {
            *out = trial - predicted;
        }
        let c = self.motion.step / alpha(k);
        for (out, (rate, psi)) in correction[n..].iter_mut().zip(self.rates[n..].iter().zip(&self.psi[n..])) {
            *out = c * rate - psi;
        }
        for (out, (correction, scaled)) in next.iter_mut().zip(correction.iter().zip(&self.scaled[k + 1])) {
            *out = correction - scaled;
        }
        let mut above: &[f64] = correction;
        for (row, scaled) in rows.iter_mut().zip(&self.scaled).rev() {
            for (out, (above, scaled)) in row.iter_mut().zip(above.iter().zip(scaled)) {
                *out = above + scaled;
            }
            above = row;
        }
    }
}

struct Predict<'a>(&'a mut Bdf);

impl Wide for Predict<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.write_predictor();
    }
}

/// Σ weight × row, from the weight of the first order on.
struct Combine<'a> {
    rows: &'a [Vec<f64>],
    weights: [f64; ORDER_MAX + 1],
    range: Range<usize>,
    out: &'a mut [f64],
}

impl Wide for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, weights, range, out } = self;
        out.fill(0.0);
        for (row, w) in rows.iter().zip(&weights[1..]) {
            out.iter_mut().zip(&row[range.clone()]).for_each(|(out, x)| *out += w * x);
        }
    }
}
