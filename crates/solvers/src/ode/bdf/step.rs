use std::ops::Range;

use super::formula::{GAMMA, ORDER_MAX, ROWS, alpha, error_constant, interpolant, rescaling};
use super::newton::{ITERATIONS, Newton};
use crate::ode::jacobian::Jacobian;
use crate::ode::start::find_first_order_step;
use crate::ode::{Assessment, Fault, Ode, Stepper, Tolerances, Work, WrongMemory};

/// Least and largest factor from one step to the next.
const FACTORS: (f64, f64) = (0.2, 10.0);
/// A step that would grow by less stays, and with it the factors.
const KEPT_GROWTH: f64 = 1.2;

/// What the method knows of the past beside the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// Order k of the next step.
    pub(super) order: usize,
    /// Accepted steps of this length and order.
    equal: usize,
    /// Length that the differences are for.
    pub(super) step: f64,
    /// Attempts that have failed since the last accepted step.
    failures: u32,
    /// The Jacobian is that of the last attempt's predictor, or of none.
    jacobian_is_current: bool,
    wants_jacobian: bool,
    /// c = h/α that the factors are for; 0 if there are none.
    factored: f64,
}

const START: History = History {
    order: 1,
    equal: 0,
    step: 1.0,
    failures: 0,
    jacobian_is_current: false,
    wants_jacobian: true,
    factored: 0.0,
};

/// Errors of the last attempt over the tolerance, had it been made with one order less and more; infinite if unknown.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    below: f64,
    above: f64,
}

/// NDFs of orders 1 to 5. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Bdf {
    n: usize,
    time: f64,
    step: f64,
    state: Vec<f64>,
    trial: Vec<f64>,
    error: Vec<f64>,
    /// Backward differences of states and quadratures at the current state; quadratures count from there.
    pub(super) differences: [Vec<f64>; ROWS],
    /// The same at the step of the attempt, and then at its end.
    scaled: [Vec<f64>; ROWS],
    dense: [Vec<f64>; ROWS],
    predicted: Vec<f64>,
    psi: Vec<f64>,
    /// Rates at the end of the attempt.
    rates: Vec<f64>,
    jacobian: Jacobian,
    newton: Newton,
    /// Order of the attempt.
    order: usize,
    pub(super) history: History,
    neighbours: Neighbours,
    /// Order after the attempt, if it is accepted as it is.
    next_order: Option<usize>,
    /// The iterations of the last attempt failed.
    diverged: bool,
    work: Work,
}

impl Default for Bdf {
    fn default() -> Self {
        Self {
            n: 0,
            time: 0.0,
            step: 0.0,
            state: Vec::new(),
            trial: Vec::new(),
            error: Vec::new(),
            differences: Default::default(),
            scaled: Default::default(),
            dense: Default::default(),
            predicted: Vec::new(),
            psi: Vec::new(),
            rates: Vec::new(),
            jacobian: Jacobian::default(),
            newton: Newton::default(),
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
    /// Without a state; [`Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize, quadratures: usize) {
        self.n = n;
        let states = [&mut self.state, &mut self.trial, &mut self.error];
        states.into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.rows().for_each(|buffer| buffer.resize(n + quadratures, 0.0));
        self.jacobian.resize(n, quadratures);
        self.newton.resize(n, quadratures);
    }

    /// All buffers of states and quadratures.
    fn rows(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let rows = self.differences.iter_mut().chain(&mut self.scaled).chain(&mut self.dense);
        rows.chain([&mut self.predicted, &mut self.psi, &mut self.rates])
    }

    fn start(&mut self, t: f64, y: &[f64]) {
        self.time = t;
        self.step = 0.0;
        self.state.copy_from_slice(y);
        self.trial.copy_from_slice(y);
        self.history = START;
        self.next_order = None;
        self.diverged = false;
    }

    /// Differences at the step of the attempt, the predictor and ψ.
    fn predict(&mut self) {
        let (k, h) = (self.order, self.step);
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
    fn solve(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<bool, Fault> {
        let (end, c) = (self.time + self.step, self.step / alpha(self.order));
        loop {
            self.trial.copy_from_slice(&self.predicted[..self.n]);
            if self.history.wants_jacobian {
                let (dydt, dqdt) = self.rates.split_at_mut(self.n);
                ode.rhs(end, &self.trial, dydt, dqdt)?;
                self.jacobian.update(ode, end, &self.trial, dydt, tolerances)?;
                self.work.jacobians += 1;
                self.history.wants_jacobian = false;
                self.history.jacobian_is_current = true;
                self.history.factored = 0.0;
            }
            if self.history.factored != c {
                self.work.factorizations += 1;
                if !self.newton.factor(c, &self.jacobian.matrix) {
                    self.history.factored = 0.0;
                    return Ok(false);
                }
                self.history.factored = c;
            }
            let psi = &self.psi[..self.n];
            let converged = self.newton.iterate(
                ode,
                (end, c, error_constant(self.order)),
                psi,
                &mut self.trial,
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
    fn correction(&self, i: usize) -> f64 {
        if i < self.n {
            self.trial[i] - self.predicted[i]
        } else {
            self.step / alpha(self.order) * self.rates[i] - self.psi[i]
        }
    }

    fn equal_steps(&self) -> usize {
        if self.step == self.history.step { self.history.equal + 1 } else { 1 }
    }

    /// Errors with the orders next to that of the step, from k + 1 equal steps on.
    fn update_neighbours(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) {
        let k = self.order;
        self.neighbours = Neighbours { below: f64::INFINITY, above: f64::INFINITY };
        if self.equal_steps() <= k {
            return;
        }
        if k > 1 {
            let more = Some((k, 1.0));
            let states = self.assess_states(ode, tolerances, k - 1, more);
            self.neighbours.below = self.assess_quadrature(states, tolerances, k - 1, more).error;
        }
        if k < ORDER_MAX {
            let more = Some((k + 1, -1.0));
            let states = self.assess_states(ode, tolerances, k + 1, more);
            self.neighbours.above = self.assess_quadrature(states, tolerances, k + 1, more).error;
        }
    }

    /// Error constant of an order times the correction plus a multiple of a difference.
    fn assess_states(
        &mut self,
        ode: &mut dyn Ode,
        tolerances: &Tolerances,
        order: usize,
        more: Option<(usize, f64)>,
    ) -> Assessment {
        let constant = error_constant(order);
        for (i, error) in self.error.iter_mut().enumerate() {
            let difference = more.map_or(0.0, |(row, sign)| sign * self.scaled[row][i]);
            *error = constant * (self.trial[i] - self.predicted[i] + difference);
        }
        ode.filter_error(&self.trial, &mut self.error);
        tolerances.assess(&self.error, &self.state, &self.trial)
    }

    /// The same with that of the first quadrature.
    fn assess_quadrature(
        &self,
        states: Assessment,
        tolerances: &Tolerances,
        order: usize,
        more: Option<(usize, f64)>,
    ) -> Assessment {
        if tolerances.quadrature.is_none() {
            return states;
        }
        let (constant, i) = (error_constant(order), self.n);
        let size = (self.step * self.rates[i]).abs() + self.psi[i].abs();
        let difference = more.map_or(0.0, |(row, sign)| sign * self.scaled[row][i]);
        tolerances.assess_with_quadrature(
            states,
            constant * (self.correction(i) + difference),
            constant * size,
        )
    }

    /// Rates at the end of the attempt.
    fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (dydt, dqdt) = self.rates.split_at_mut(self.n);
        ode.rhs(self.time + self.step, &self.trial, dydt, dqdt)
    }

    /// Differences at the end of the attempt.
    fn update_dense(&mut self) {
        let k = self.order;
        for i in 0..self.predicted.len() {
            let correction = self.correction(i);
            self.dense[k + 2][i] = correction - self.scaled[k + 1][i];
            self.dense[k + 1][i] = correction;
            let mut sum = correction;
            for (dense, scaled) in self.dense.iter_mut().zip(&self.scaled).take(k + 1).rev() {
                sum += scaled[i];
                dense[i] = sum;
            }
        }
    }

    fn safety(&self) -> f64 {
        let most = f64::from(2 * ITERATIONS);
        0.9 * (most + 1.0) / (most + f64::from(self.newton.iterations))
    }
}

impl Stepper for Bdf {
    fn reserve(&mut self, quadratures: usize) {
        let n = self.n;
        self.rows().for_each(|row| row.reserve((n + quadratures).saturating_sub(row.len())));
        self.jacobian.reserve(quadratures);
        self.newton.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        self.differences.iter_mut().for_each(|row| row.fill(0.0));
        self.differences[0][..y.len()].copy_from_slice(y);
        // Differences of a step of 1.
        let (dydt, dqdt) = self.differences[1].split_at_mut(self.n);
        ode.rhs(t, y, dydt, dqdt)
    }

    fn starting_step(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<f64, Fault> {
        let here = (self.time, &*self.state, &self.differences[1][..self.n]);
        let [dydt, dqdt] = self.newton.scratch();
        find_first_order_step(ode, here, tolerances, [&mut self.trial, dydt, dqdt])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.step = h;
        self.order = self.history.order;
        self.next_order = None;
        self.diverged = false;
        self.predict();
        if !self.solve(ode, tolerances)? {
            self.diverged = true;
            return Err(Fault::NotConverged);
        }
        let states = self.assess_states(ode, tolerances, self.order, None);
        if states.error > 1.0 || states.error.is_nan() {
            return Ok(states);
        }
        if self.rates.len() > self.n {
            self.evaluate_end(ode)?;
        }
        self.update_neighbours(ode, tolerances);
        Ok(self.assess_quadrature(states, tolerances, self.order, None))
    }

    fn passed(&mut self, error: f64) -> f64 {
        let k = self.order;
        if self.equal_steps() <= k {
            self.next_order = Some(k);
            return self.step;
        }
        let factor = |error: f64, order: usize| libm::pow(error.max(1e-10), -1.0 / (order + 1) as f64);
        let mut best = (k, factor(error, k));
        for (order, error) in [(k - 1, self.neighbours.below), (k + 1, self.neighbours.above)] {
            if error.is_finite() && factor(error, order) > best.1 {
                best = (order, factor(error, order));
            }
        }
        self.next_order = Some(best.0);
        let growth = (self.safety() * best.1).clamp(FACTORS.0, FACTORS.1);
        if (1.0..KEPT_GROWTH).contains(&growth) { self.step } else { growth * self.step }
    }

    fn failed(&mut self, error: f64) -> f64 {
        let safety = self.safety();
        let history = &mut self.history;
        history.equal = 0;
        history.failures += 1;
        if self.diverged || !error.is_finite() {
            return if self.diverged { 0.5 * self.step } else { 0.25 * self.step };
        }
        if history.failures >= 3 {
            history.order = 1;
        }
        self.step * (safety * libm::pow(error, -1.0 / (self.order + 1) as f64)).clamp(FACTORS.0, 0.9)
    }

    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        self.update_dense();
        Ok(false)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        self.update_dense();
        std::mem::swap(&mut self.differences, &mut self.dense);
        self.differences[0][self.n..].fill(0.0);
        std::mem::swap(&mut self.state, &mut self.trial);
        self.differences[0][..self.n].copy_from_slice(&self.state);
        self.time = t;
        let equal = self.equal_steps();
        let history = &mut self.history;
        let order = self.next_order.unwrap_or(self.order);
        history.equal = if order == self.order { equal } else { 0 };
        history.order = order;
        history.step = self.step;
        history.failures = 0;
        history.jacobian_is_current = false;
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
        let weights = interpolant(theta, self.order);
        for (out, i) in out.iter_mut().zip(range) {
            let rows = self.dense.iter().zip(weights).skip(1);
            *out = self.trial[i] + rows.map(|(row, w)| w * row[i]).sum::<f64>();
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let weights = interpolant(theta, self.order);
        for (out, i) in out.iter_mut().zip(self.n..) {
            let rows = self.dense.iter().zip(weights).skip(1);
            *out = self.dense[0][i] + rows.map(|(row, w)| w * row[i]).sum::<f64>();
        }
    }

    fn order(&self) -> u32 {
        self.history.order as u32
    }

    fn work(&self) -> Work {
        self.work
    }

    fn rates(&self) -> &[f64] {
        &self.differences[1][..self.n]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        out.extend_from_slice(&[h.order as f64, h.equal as f64, h.step, h.factored]);
        out.push(f64::from(u8::from(h.wants_jacobian)));
        out.push(self.newton.rate);
        let work = [self.work.jacobians, self.work.factorizations, self.work.iterations];
        out.extend(work.map(|count| count as f64));
        self.differences.iter().for_each(|row| out.extend_from_slice(row));
        out.extend_from_slice(&self.jacobian.matrix);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let (n, width) = (y.len(), y.len() + quadratures);
        if memory.len() != NUMBERS + ROWS * width + n * n || !(1.0..=5.0).contains(&memory[0]) {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(NUMBERS);
        let (rows, jacobian) = rest.split_at(ROWS * width);
        self.history = History {
            order: numbers[0] as usize,
            equal: numbers[1] as usize,
            step: numbers[2],
            factored: numbers[3],
            wants_jacobian: numbers[4] != 0.0,
            ..START
        };
        let [jacobians, factorizations, iterations] = [6, 7, 8].map(|index| numbers[index] as u64);
        self.work = Work { jacobians, factorizations, iterations };
        for (out, row) in self.differences.iter_mut().zip(rows.chunks_exact(width.max(1))) {
            out.copy_from_slice(row);
        }
        self.jacobian.matrix.copy_from_slice(jacobian);
        // The factors are not kept: the same matrix gives the same ones.
        let factored = self.history.factored;
        if factored != 0.0 && !self.newton.factor(factored, &self.jacobian.matrix) {
            return Err(WrongMemory);
        }
        self.newton.rate = numbers[5];
        Ok(())
    }
}

/// Scalars at the start of a memory.
const NUMBERS: usize = 9;
