use std::ops::Range;

use super::coefficients::{Coefficients, ORDER_MAX, Psi, ROWS};
use crate::ode::start::find_first_order_step;
use crate::ode::{Assessment, Fault, Ode, Stepper, Tolerances, WrongMemory};

/// |γ*| of the error estimates at constant steps, as rounded by Shampine & Gordon.
const GAMMA: [f64; ORDER_MAX + 1] = [
    0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.009_36, 0.007_89, 0.006_79, 0.005_92, 0.005_24,
    0.004_68,
];

/// What the method knows of the past beside the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// Order k of the next step.
    pub(super) order: usize,
    /// Accepted steps of one length, k + 1 at most are of interest, and that length.
    equal: usize,
    step: f64,
    /// Order and step are raised in every step.
    starting: bool,
    /// Attempts that have failed since the last accepted step.
    failures: u32,
}

/// Estimates of the last attempt, over the tolerance: of the step's order and of one less; the order that they ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Estimates {
    at_order: f64,
    below: f64,
    above: f64,
    order: usize,
}

const START: History = History { order: 1, equal: 0, step: 0.0, starting: true, failures: 0 };

/// Shampine–Gordon Adams PECE. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Ode113 {
    n: usize,
    time: f64,
    step: f64,
    state: Vec<f64>,
    trial: Vec<f64>,
    error: Vec<f64>,
    /// Modified divided differences phi of states and quadratures at the current state.
    pub(super) phi: [Vec<f64>; ROWS],
    /// The same at the end of the attempt, as the predictor has them: phi^e.
    extrapolated: [Vec<f64>; ROWS],
    pub(super) psi: Psi,
    coefficients: Coefficients,
    /// Order of the attempt.
    order: usize,
    /// Growth of states and quadratures in the step.
    growth: Vec<f64>,
    /// Rates at the end.
    rates: Vec<f64>,
    /// What the interpolant misses the start of the step by.
    mismatch: Vec<f64>,
    pub(super) history: History,
    estimates: Estimates,
    /// Order after the attempt, if it is accepted as it is.
    next_order: Option<usize>,
}

impl Default for Ode113 {
    fn default() -> Self {
        Self {
            n: 0,
            time: 0.0,
            step: 0.0,
            state: Vec::new(),
            trial: Vec::new(),
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
    /// Without a state; [`Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize, quadratures: usize) {
        self.n = n;
        let states = [&mut self.state, &mut self.trial, &mut self.error];
        states.into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.rows().for_each(|buffer| buffer.resize(n + quadratures, 0.0));
    }

    /// All buffers of states and quadratures.
    fn rows(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let rows = self.phi.iter_mut().chain(&mut self.extrapolated);
        rows.chain([&mut self.growth, &mut self.rates, &mut self.mismatch])
    }

    fn start(&mut self, t: f64, y: &[f64]) {
        self.time = t;
        self.step = 0.0;
        self.state.copy_from_slice(y);
        self.trial.copy_from_slice(y);
        self.psi = Coefficients::NONE.psi;
        self.history = START;
        self.next_order = None;
    }

    /// Rates at the end of the attempt.
    fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (dydt, dqdt) = self.rates.split_at_mut(self.n);
        ode.rhs(self.time + self.step, &self.trial, dydt, dqdt)
    }

    /// Predictor of order k: the state in `trial`, and the differences at the end.
    fn predict(&mut self) {
        let (k, h, c) = (self.order, self.step, &self.coefficients);
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

    fn update_trial(&mut self) {
        for (trial, (y, growth)) in self.trial.iter_mut().zip(self.state.iter().zip(&self.growth)) {
            *trial = y + growth;
        }
    }

    /// h |D + phi^e_row| over the tolerance, or that of D alone; of states and the first quadrature.
    fn norm_of(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances, row: Option<usize>) -> Assessment {
        let first = &self.extrapolated[0];
        for (i, error) in self.error.iter_mut().enumerate() {
            let more = row.map_or(0.0, |row| self.extrapolated[row][i]);
            *error = self.step * (self.rates[i] - first[i] + more);
        }
        ode.filter_error(&self.trial, &mut self.error);
        let states = tolerances.assess(&self.error, &self.state, &self.trial);
        if tolerances.quadrature.is_none() {
            return states;
        }
        let (rate, expected) = (self.rates[self.n], self.extrapolated[0][self.n]);
        let more = row.map_or(0.0, |row| self.extrapolated[row][self.n]);
        let size = self.step * (rate.abs() + expected.abs());
        tolerances.assess_with_quadrature(states, self.step * (rate - expected + more), size)
    }

    /// Error of the step, and the estimates that choose the order (Shampine & Gordon, program STEP, block 2).
    fn assess(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Assessment {
        let (k, c) = (self.order, self.coefficients);
        let distance = self.norm_of(ode, tolerances, None);
        let at_order = c.sigma[k] * GAMMA[k - 1] * distance.error;
        let [mut below, mut two_below] = [0.0; 2];
        if k >= 2 {
            below = c.sigma[k - 1] * GAMMA[k - 2] * self.norm_of(ode, tolerances, Some(k - 1)).error;
        }
        if k >= 3 {
            two_below = c.sigma[k - 2] * GAMMA[k - 3] * self.norm_of(ode, tolerances, Some(k - 2)).error;
        }
        let lowers = match k {
            1 => false,
            2 => below <= 0.5 * at_order,
            _ => f64::max(below, two_below) <= at_order,
        };
        let order = if lowers { k - 1 } else { k };
        self.estimates = Estimates { at_order, below, above: 0.0, order };
        let factor = (c.g[k - 1] - c.g[k]).abs();
        Assessment { error: factor * distance.error, ..distance }
    }

    /// Order k + 1 would have this error, seen from k + 1 equal steps.
    fn estimate_above(&mut self, tolerances: &Tolerances) {
        let (k, h) = (self.order, self.step);
        let star = self.coefficients.beta[k];
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = h * (self.rates[i] - self.extrapolated[0][i] - star * self.phi[k][i]);
        }
        let mut above = tolerances.assess(&self.error, &self.state, &self.trial);
        if tolerances.quadrature.is_some() {
            let (rate, expected) = (self.rates[self.n], self.extrapolated[0][self.n]);
            let error = h * (rate - expected - star * self.phi[k][self.n]);
            above = tolerances.assess_with_quadrature(above, error, h * (rate.abs() + expected.abs()));
        }
        self.estimates.above = GAMMA[k] * above.error;
    }

    /// Equal steps after the attempt.
    fn equal_steps(&self) -> usize {
        if self.step == self.history.step { (self.history.equal + 1).min(ROWS) } else { 1 }
    }

    /// Order of the next step and the error that it would have with this length (program STEP, block 4).
    fn choose_order(&self) -> (usize, f64) {
        let (k, e) = (self.order, self.estimates);
        let lower = (k.saturating_sub(1).max(1), e.below);
        let raise = (k + 1, e.above);
        if self.history.starting && e.order == k && k < ORDER_MAX {
            return (k + 1, 0.0);
        }
        if e.order < k {
            return lower;
        }
        if k + 1 > self.equal_steps() {
            return (k, e.at_order);
        }
        if k == 1 {
            return if e.above < 0.5 * e.at_order { raise } else { (k, e.at_order) };
        }
        if e.below <= e.at_order.min(e.above) {
            lower
        } else if e.above < e.at_order && k < ORDER_MAX {
            raise
        } else {
            (k, e.at_order)
        }
    }

    /// y(t_end + after) − y(t_end) of one component by the polynomial through the rates.
    fn after_end(&self, weights: &[f64; ROWS], i: usize) -> f64 {
        let k = self.order;
        let correction = self.rates[i] - self.extrapolated[0][i];
        let rows = self.extrapolated[..k].iter().zip(weights);
        rows.map(|(row, w)| w * (row[i] + correction)).sum::<f64>() + weights[k] * correction
    }

    fn interpolant(&self, theta: f64) -> ([f64; ROWS], f64) {
        let blend = (1.0 - theta) * (1.0 - theta) * (1.0 + 2.0 * theta);
        (self.coefficients.interpolant((theta - 1.0) * self.step, self.order), blend)
    }
}

impl Stepper for Ode113 {
    fn reserve(&mut self, quadratures: usize) {
        let n = self.n;
        self.rows().for_each(|row| row.reserve((n + quadratures).saturating_sub(row.len())));
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        self.phi[1].fill(0.0);
        let (dydt, dqdt) = self.phi[0].split_at_mut(self.n);
        ode.rhs(t, y, dydt, dqdt)
    }

    fn starting_step(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<f64, Fault> {
        let (dydt, dqdt) = self.rates.split_at_mut(self.n);
        let here = (self.time, &*self.state, &self.phi[0][..self.n]);
        find_first_order_step(ode, here, tolerances, [&mut self.trial, dydt, dqdt])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.step = h;
        self.order = self.history.order;
        self.estimates = Estimates { order: self.order, ..Estimates::default() };
        self.next_order = None;
        self.coefficients = Coefficients::new(h, self.order, &self.psi);
        self.predict();
        self.evaluate_end(ode)?;
        let assessment = self.assess(ode, tolerances);
        if assessment.error > 1.0 || assessment.error.is_nan() {
            return Ok(assessment);
        }
        let weight = h * self.coefficients.g[self.order];
        let rates = self.rates.iter().zip(&self.extrapolated[0]);
        self.growth.iter_mut().zip(rates).for_each(|(growth, (f, e))| *growth += weight * (f - e));
        self.update_trial();
        self.evaluate_end(ode)?;
        if !self.history.starting && self.order < self.equal_steps() {
            self.estimate_above(tolerances);
        }
        Ok(assessment)
    }

    fn passed(&mut self, _error: f64) -> f64 {
        let (order, error) = self.choose_order();
        self.next_order = Some(order);
        let starting = self.history.starting && order > self.order;
        if starting || 0.5 >= error * libm::exp2((order + 1) as f64) {
            return 2.0 * self.step;
        }
        if error <= 0.5 {
            return self.step;
        }
        self.step * libm::pow(0.5 / error, 1.0 / (order + 1) as f64).clamp(0.5, 0.9)
    }

    fn failed(&mut self, error: f64) -> f64 {
        let history = &mut self.history;
        history.failures += 1;
        history.starting = false;
        history.equal = 0;
        history.order = if history.failures >= 3 { 1 } else { self.estimates.order };
        if !error.is_finite() {
            return 0.25 * self.step;
        }
        let smaller = if history.failures > 3 { (0.5 / self.estimates.at_order).sqrt() } else { 0.5 };
        self.step * smaller.min(0.5)
    }

    /// The polynomial starts at the end of the step; where it misses the start, a cubic with flat ends makes up for it.
    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        let (weights, _) = self.interpolant(0.0);
        for i in 0..self.mismatch.len() {
            let change = if i < self.n { self.trial[i] - self.state[i] } else { self.growth[i] };
            self.mismatch[i] = -(change + self.after_end(&weights, i));
        }
        Ok(false)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        let k = self.order;
        let star = self.coefficients.beta[k];
        // Two more differences than the order: phi_{k+1} and phi_{k+2}.
        for i in 0..self.rates.len() {
            let correction = self.rates[i] - self.extrapolated[0][i];
            let [next, last] = [correction, correction - star * self.phi[k][i]];
            self.extrapolated[..k].iter_mut().for_each(|row| row[i] += correction);
            self.extrapolated[k][i] = next;
            self.extrapolated[k + 1][i] = last;
        }
        std::mem::swap(&mut self.phi, &mut self.extrapolated);
        std::mem::swap(&mut self.state, &mut self.trial);
        self.time = t;
        self.psi = self.coefficients.psi;
        let order = self.next_order.unwrap_or(k);
        self.history = History {
            order,
            equal: self.equal_steps(),
            step: self.step,
            starting: self.history.starting && order > k,
            failures: 0,
        };
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn step(&self) -> f64 {
        self.step
    }

    fn state(&self) -> &[f64] {
        &self.state
    }

    fn trial(&self) -> &[f64] {
        &self.trial
    }

    fn trial_mut(&mut self) -> &mut [f64] {
        &mut self.trial
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (weights, blend) = self.interpolant(theta);
        for (out, i) in out.iter_mut().zip(range) {
            *out = self.trial[i] + self.after_end(&weights, i) + blend * self.mismatch[i];
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let (weights, blend) = self.interpolant(theta);
        for (out, i) in out.iter_mut().zip(self.n..) {
            *out = self.growth[i] + self.after_end(&weights, i) + blend * self.mismatch[i];
        }
    }

    fn order(&self) -> u32 {
        self.history.order as u32
    }

    fn rates(&self) -> &[f64] {
        &self.phi[0][..self.n]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        out.extend_from_slice(&[h.order as f64, h.equal as f64, h.step]);
        out.push(f64::from(u8::from(h.starting)));
        out.extend_from_slice(&self.psi);
        self.phi[..=h.order].iter().for_each(|row| out.extend_from_slice(row));
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let width = y.len() + quadratures;
        let order = memory.first().map_or(0, |&order| order as usize);
        if !(1..=ORDER_MAX).contains(&order) || memory.len() != 4 + ORDER_MAX + 1 + (order + 1) * width {
            return Err(WrongMemory);
        }
        self.resize(y.len(), quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(4);
        let (psi, rows) = rest.split_at(ORDER_MAX + 1);
        self.history = History {
            order,
            equal: numbers[1] as usize,
            step: numbers[2],
            starting: numbers[3] != 0.0,
            failures: 0,
        };
        self.psi.copy_from_slice(psi);
        for (phi, row) in self.phi.iter_mut().zip(rows.chunks_exact(width.max(1))) {
            phi.copy_from_slice(row);
        }
        Ok(())
    }
}
