use super::coefficients::{Coefficients, Psi, ROWS};
use super::control::Estimates;
use crate::ode::{Fault, Motion, Ode};

/// What the method knows of the past beside the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// Order k of the next step.
    pub(super) order: usize,
    /// Accepted steps of one length, k + 1 at most are of interest, and that length.
    pub(super) equal: usize,
    pub(super) step: f64,
    /// Order and step are raised in every step.
    pub(super) starting: bool,
    /// Attempts that have failed since the last accepted step.
    pub(super) failures: u32,
}

pub(super) const START: History = History { order: 1, equal: 0, step: 0.0, starting: true, failures: 0 };

/// Shampine–Gordon Adams PECE. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Ode113 {
    pub(super) motion: Motion,
    pub(super) error: Vec<f64>,
    /// Modified divided differences phi of states and quadratures at the current state.
    pub(super) phi: [Vec<f64>; ROWS],
    /// The same at the end of the attempt, as the predictor has them: phi^e.
    pub(super) extrapolated: [Vec<f64>; ROWS],
    pub(super) psi: Psi,
    pub(super) coefficients: Coefficients,
    /// Order of the attempt.
    pub(super) order: usize,
    /// Growth of states and quadratures in the step.
    pub(super) growth: Vec<f64>,
    /// Rates at the end.
    pub(super) rates: Vec<f64>,
    /// What the interpolant misses the start of the step by.
    pub(super) mismatch: Vec<f64>,
    pub(super) history: History,
    pub(super) estimates: Estimates,
    /// Order after the attempt, if it is accepted as it is.
    pub(super) next_order: Option<usize>,
}

impl Default for Ode113 {
    fn default() -> Self {
        Self {
            motion: Motion::default(),
            error: Vec::new(),
            phi: Default::default(),
            extrapolated: Default::default(),
            psi: Coefficients::NONE.psi,
            coefficients: Coefficients::NONE,
            order: 1,
            growth: Vec::new(),
            rates: Vec::new(),
            mismatch: Vec::new(),
            history: START,
            estimates: Estimates::default(),
            next_order: None,
        }
    }
}

impl Ode113 {
    /// Without a state; [`crate::Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.motion.resize(n);
        self.error.resize(n, 0.0);
        self.rows().for_each(|buffer| buffer.resize(n + quadratures, 0.0));
    }

    /// All buffers of states and quadratures.
    pub(super) fn rows(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let rows = self.phi.iter_mut().chain(&mut self.extrapolated);
        rows.chain([&mut self.growth, &mut self.rates, &mut self.mismatch])
    }

    pub(super) fn start(&mut self, t: f64, y: &[f64]) {
        self.motion.start(t, y);
        self.psi = Coefficients::NONE.psi;
        self.history = START;
        self.next_order = None;
    }

    /// Rates at the end of the attempt.
    pub(super) fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (dydt, dqdt) = self.rates.split_at_mut(self.motion.n());
        ode.rhs(self.motion.end(), &self.motion.trial, dydt, dqdt)
    }

    /// Predictor of order k: the state in `trial`, and the differences at the end.
    pub(super) fn predict(&mut self) {
        let (k, h, c) = (self.order, self.motion.step, &self.coefficients);
        self.growth.fill(0.0);
        for i in (0..k).rev() {
            let (lower, upper) = self.extrapolated.split_at_mut(i + 1);
            for (j, (out, phi)) in lower[i].iter_mut().zip(&self.phi[i]).enumerate() {
                let star = c.beta[i] * phi;
                self.growth[j] += h * c.g[i] * star;
                *out = star + if i + 1 < k { upper[0][j] } else { 0.0 };
            }
        }
        self.update_trial();
    }

    pub(super) fn update_trial(&mut self) {
        self.motion.grow(&self.growth);
    }

    /// Equal steps after the attempt.
    pub(super) fn equal_steps(&self) -> usize {
        if self.motion.step == self.history.step { (self.history.equal + 1).min(ROWS) } else { 1 }
    }

    /// y(t_end + after) − y(t_end) of one component by the polynomial through the rates.
    pub(super) fn after_end(&self, weights: &[f64; ROWS], i: usize) -> f64 {
        let k = self.order;
        let correction = self.rates[i] - self.extrapolated[0][i];
        let rows = self.extrapolated[..k].iter().zip(weights);
        rows.map(|(row, w)| w * (row[i] + correction)).sum::<f64>() + weights[k] * correction
    }

    pub(super) fn interpolant(&self, theta: f64) -> ([f64; ROWS], f64) {
        let blend = (1.0 - theta) * (1.0 - theta) * (1.0 + 2.0 * theta);
        (self.coefficients.interpolant((theta - 1.0) * self.motion.step, self.order), blend)
    }
}
