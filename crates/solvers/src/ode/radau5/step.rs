use std::ops::Range;

use super::method::{C, E, GAMMA};
use super::newton::{Convergence, ITERATIONS, Newton};
use super::polynomial::{Polynomial, extrapolate_to_start, quadrature_weights};
use crate::ode::jacobian::Jacobian;
use crate::ode::{Assessment, Fault, Ode, Stepper, Tolerances, Work, WrongMemory};

/// Safety factor of the step-size control.
const SAFETY: f64 = 0.9;
/// Least and largest quotient of a step and the next.
const QUOTIENTS: (f64, f64) = (0.125, 5.0);
/// A Jacobian serves on while the rate of convergence is below.
const GOOD_RATE: f64 = 1e-3;
/// A step that would grow by less stays, and with it the factors.
const KEPT_GROWTH: f64 = 1.2;

/// What the method knows of the past: all that decides on later steps beside the state.
#[derive(Clone, Copy, Debug)]
struct History {
    /// Length of the last accepted step, whose polynomial predicts; 0 if there is none.
    step: f64,
    /// Length and error of the step before, for the predictive control; 0 if there is none.
    controlled: [f64; 2],
    /// The last attempt failed.
    after_rejection: bool,
    /// The Jacobian is that of the current state.
    jacobian_is_current: bool,
    wants_jacobian: bool,
    /// Step that the factors are for; 0 if there are none.
    factored_step: f64,
}

const START: History = History {
    step: 0.0,
    controlled: [0.0; 2],
    after_rejection: false,
    jacobian_is_current: false,
    wants_jacobian: true,
    factored_step: 0.0,
};

/// Radau IIA of order five. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Radau5 {
    n: usize,
    time: f64,
    step: f64,
    state: Vec<f64>,
    trial: Vec<f64>,
    error: Vec<f64>,
    probe: Vec<f64>,
    /// Rates of states and quadratures at the start, at the three nodes; of states only at the first and last.
    rates: [Vec<f64>; 2],
    quadratures: [Vec<f64>; 4],
    jacobian: Jacobian,
    newton: Newton,
    /// Of the last accepted step, and of the attempted one.
    past: Polynomial,
    dense: Polynomial,
    history: History,
    /// Factor by which the last attempt should be smaller because its iterations failed.
    shrink: Option<f64>,
    work: Work,
}

impl Default for Radau5 {
    fn default() -> Self {
        Self {
            n: 0,
            time: 0.0,
            step: 0.0,
            state: Vec::new(),
            trial: Vec::new(),
            error: Vec::new(),
            probe: Vec::new(),
            rates: Default::default(),
            quadratures: Default::default(),
            jacobian: Jacobian::default(),
            newton: Newton::default(),
            past: Polynomial::default(),
            dense: Polynomial::default(),
            history: START,
            shrink: None,
            work: Work::default(),
        }
    }
}

impl Radau5 {
    /// Without a state; [`Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize, quadratures: usize) {
        self.n = n;
        let states = [&mut self.state, &mut self.trial, &mut self.error, &mut self.probe];
        states.into_iter().chain(&mut self.rates).for_each(|buffer| buffer.resize(n, 0.0));
        self.quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        self.jacobian.resize(n, quadratures);
        self.newton.resize(n, quadratures);
        self.past.resize(n);
        self.dense.resize(n);
    }

    /// Jacobian and factors for a step of length h, where those at hand do not serve.
    fn prepare(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<(), Fault> {
        if self.history.wants_jacobian {
            self.jacobian.update(ode, self.time, &self.state, &self.rates[0], tolerances)?;
            self.work.jacobians += 1;
            self.history.wants_jacobian = false;
            self.history.jacobian_is_current = true;
            self.history.factored_step = 0.0;
        }
        if self.history.factored_step != h {
            self.history.factored_step = h;
            self.factor(h)?;
            self.work.factorizations += 2;
        }
        Ok(())
    }

    fn factor(&mut self, h: f64) -> Result<(), Fault> {
        if self.newton.factor(h, &self.jacobian.matrix) {
            return Ok(());
        }
        self.history.factored_step = 0.0;
        self.shrink = Some(0.5);
        Err(Fault::NotConverged)
    }

    /// Start values of the iterations: the last polynomial, continued.
    fn predict(&mut self, h: f64) {
        if self.history.step == 0.0 {
            self.newton.z.iter_mut().for_each(|z| z.fill(0.0));
        } else {
            let ratio = h / self.history.step;
            for (z, c) in self.newton.z.iter_mut().zip(C) {
                for (i, z) in z.iter_mut().enumerate() {
                    *z = self.past.after_end(c * ratio, i);
                }
            }
        }
        self.newton.transform();
    }

    /// The estimate (γ I − h J)⁻¹ (h f + e·z) (IV.8.19), with the rates `f` at the start or near it.
    fn update_error(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances, near: bool) -> Assessment {
        let h = self.step;
        let [z1, z2, z3] = &self.newton.z;
        let f = &self.rates[usize::from(near)];
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = f[i] + (E[0] * z1[i] + E[1] * z2[i] + E[2] * z3[i]) / h;
        }
        self.newton.real.solve(&mut self.error);
        self.probe.copy_from_slice(&self.error);
        ode.filter_error(&self.trial, &mut self.probe);
        tolerances.assess(&self.probe, &self.state, &self.trial)
    }

    /// Error of the states. One that a stiff problem inflates is filtered once more where a step has failed or is the
    /// first (IV.8.20).
    fn assess(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        let states = self.update_error(ode, tolerances, false);
        if states.error <= 1.0 || !(self.history.after_rejection || self.history.step == 0.0) {
            return Ok(states);
        }
        for (probe, (y, error)) in self.probe.iter_mut().zip(self.state.iter().zip(&self.error)) {
            *probe = y + error;
        }
        ode.rhs(self.time, &self.probe, &mut self.rates[1], &mut self.quadratures[3])?;
        Ok(self.update_error(ode, tolerances, true))
    }

    fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        ode.rhs(self.time + self.step, &self.trial, &mut self.rates[1], &mut self.quadratures[3])
    }

    /// Rates at the nodes, the end last. The iterations have evaluated there too, but a correction ago.
    pub(super) fn evaluate_nodes(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        for (k, c) in [C[0], C[1]].into_iter().enumerate() {
            if self.quadratures[0].is_empty() {
                break;
            }
            for (probe, (y, z)) in self.probe.iter_mut().zip(self.state.iter().zip(&self.newton.z[k])) {
                *probe = y + z;
            }
            let t = self.time + c * self.step;
            ode.rhs(t, &self.probe, &mut self.rates[1], &mut self.quadratures[k + 1])?;
        }
        self.evaluate_end(ode)
    }

    fn assess_quadrature(&self, states: Assessment, tolerances: &Tolerances) -> Assessment {
        let Some([start, nodes @ ..]) =
            tolerances.quadrature.map(|_| [0, 1, 2, 3].map(|k: usize| self.quadratures[k][0]))
        else {
            return states;
        };
        let scale = self.step / GAMMA;
        let size = nodes.iter().fold(start.abs(), |size, q| size + q.abs());
        tolerances.assess_with_quadrature(states, scale * (start - extrapolate_to_start(nodes)), scale * size)
    }

    fn update_dense(&mut self) {
        // The end may have been put back on a manifold.
        let ends = self.trial.iter().zip(&self.state);
        self.newton.z[2].iter_mut().zip(ends).for_each(|(z, (y1, y0))| *z = y1 - y0);
        let [z1, z2, z3] = &self.newton.z;
        self.dense.update([z1, z2, z3]);
    }

    /// Quotient of this step and the next, from its error and iterations.
    fn quotient(&self, error: f64) -> f64 {
        let most = f64::from(2 * ITERATIONS);
        let factor = SAFETY.min(SAFETY * (1.0 + most) / (f64::from(self.newton.iterations) + most));
        (libm::pow(error, 0.25) / factor).clamp(QUOTIENTS.0, QUOTIENTS.1)
    }

    fn start(&mut self, t: f64, y: &[f64]) {
        self.time = t;
        self.step = 0.0;
        self.state.copy_from_slice(y);
        self.trial.copy_from_slice(y);
        self.history = START;
        self.newton.rest = 1.0;
        self.newton.rate = GOOD_RATE;
        self.shrink = None;
    }
}

impl Stepper for Radau5 {
    fn reserve(&mut self, quadratures: usize) {
        self.quadratures.iter_mut().for_each(|q| q.reserve(quadratures.saturating_sub(q.len())));
        self.jacobian.reserve(quadratures);
        self.newton.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        ode.rhs(t, y, &mut self.rates[0], &mut self.quadratures[0])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.step = h;
        self.shrink = None;
        self.prepare(ode, h, tolerances)?;
        self.predict(h);
        let newton = self.newton.iterate(ode, self.time, h, &self.state, tolerances);
        self.work.iterations += u64::from(self.newton.iterations);
        match newton? {
            Convergence::Reached => {}
            Convergence::Missed(factor) => {
                self.shrink = Some(factor);
                self.history.wants_jacobian = !self.history.jacobian_is_current;
                return Err(Fault::NotConverged);
            }
        }
        for (trial, (y, z)) in self.trial.iter_mut().zip(self.state.iter().zip(&self.newton.z[2])) {
            *trial = y + z;
        }
        let states = self.assess(ode, tolerances)?;
        if states.error > 1.0 || states.error.is_nan() {
            return Ok(states);
        }
        self.evaluate_nodes(ode)?;
        Ok(self.assess_quadrature(states, tolerances))
    }

    /// Gustafsson's predictive control (IV.8.21).
    fn passed(&mut self, error: f64) -> f64 {
        let h = self.step;
        let error = error.max(1e-10);
        let mut quotient = self.quotient(error);
        let [last, last_error] = self.history.controlled;
        if last > 0.0 {
            let trend = last / h * libm::pow(error * error / last_error, 0.25) / SAFETY;
            quotient = quotient.max(trend.clamp(QUOTIENTS.0, QUOTIENTS.1));
        }
        self.history.controlled = [h, error.max(1e-2)];
        if self.history.after_rejection {
            quotient = quotient.max(1.0);
        }
        let keeps = self.newton.rate <= GOOD_RATE && (1.0..=KEPT_GROWTH).contains(&(1.0 / quotient));
        if keeps { h } else { h / quotient }
    }

    fn failed(&mut self, error: f64) -> f64 {
        let h = self.step;
        self.history.after_rejection = true;
        if let Some(factor) = self.shrink {
            return h * factor.min(0.9);
        }
        if !error.is_finite() || self.history.step == 0.0 {
            return 0.1 * h;
        }
        h / self.quotient(error).max(1.1)
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
        std::mem::swap(&mut self.past, &mut self.dense);
        self.time = t;
        std::mem::swap(&mut self.state, &mut self.trial);
        self.rates.swap(0, 1);
        self.quadratures.swap(0, 3);
        self.history.step = self.step;
        self.history.after_rejection = false;
        self.history.jacobian_is_current = false;
        self.history.wants_jacobian = self.newton.rate > GOOD_RATE;
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
        for (out, i) in out.iter_mut().zip(range) {
            *out = if theta == 0.0 {
                self.state[i]
            } else {
                self.trial[i] + self.dense.after_end(theta - 1.0, i)
            };
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let weights = quadrature_weights(theta);
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.step * self.quadratures.iter().zip(weights).map(|(q, w)| w * q[i]).sum::<f64>();
        }
    }

    fn order(&self) -> u32 {
        5
    }

    fn work(&self) -> Work {
        self.work
    }

    fn rates(&self) -> &[f64] {
        &self.rates[0]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        let flags = [h.after_rejection, h.jacobian_is_current, h.wants_jacobian];
        out.extend_from_slice(&[h.step, h.controlled[0], h.controlled[1], h.factored_step]);
        out.extend(flags.map(|flag| f64::from(u8::from(flag))));
        out.extend_from_slice(&[self.newton.rest, self.newton.rate]);
        let work = [self.work.jacobians, self.work.factorizations, self.work.iterations];
        out.extend(work.map(|count| count as f64));
        out.extend_from_slice(&self.rates[0]);
        self.past.terms().iter().for_each(|term| out.extend_from_slice(term));
        out.extend_from_slice(&self.quadratures[0]);
        out.extend_from_slice(&self.jacobian.matrix);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let n = y.len();
        if memory.len() != NUMBERS + 4 * n + quadratures + n * n {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(NUMBERS);
        let flag = |index: usize| numbers[index] != 0.0;
        self.history = History {
            step: numbers[0],
            controlled: [numbers[1], numbers[2]],
            factored_step: numbers[3],
            after_rejection: flag(4),
            jacobian_is_current: flag(5),
            wants_jacobian: flag(6),
        };
        self.newton.rest = numbers[7];
        self.newton.rate = numbers[8];
        let [jacobians, factorizations, iterations] = [9, 10, 11].map(|index| numbers[index] as u64);
        self.work = Work { jacobians, factorizations, iterations };
        let (rates, rest) = rest.split_at(n);
        let (terms, rest) = rest.split_at(3 * n);
        let (rates_of_quadratures, jacobian) = rest.split_at(quadratures);
        self.rates[0].copy_from_slice(rates);
        for (term, memory) in self.past.terms_mut().iter_mut().zip(terms.chunks_exact(n.max(1))) {
            term.copy_from_slice(memory);
        }
        self.quadratures[0].copy_from_slice(rates_of_quadratures);
        self.jacobian.matrix.copy_from_slice(jacobian);
        // The factors are not kept: the same matrix gives the same ones.
        let factored = self.history.factored_step;
        if factored != 0.0 && self.factor(factored).is_err() {
            return Err(WrongMemory);
        }
        Ok(())
    }
}

/// Scalars at the start of a memory.
const NUMBERS: usize = 12;
