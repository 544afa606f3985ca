use std::ops::Range;

use super::dense::{TERMS, growth_at, update_terms};
use super::tableau::{A, C, E3, E5, Row};
use crate::ode::tolerance::weigh_pair;
use crate::ode::{Assessment, BETA_DOPRI5, Controller, Fault, Motion, Ode, Stepper, Tolerances, WrongMemory};

/// |λ| h that steps are held to: three quarters of the method's stability limit on the negative real axis, 6.1.
const STABLE_REACH: f64 = 4.6;
/// Index of the derivatives at the end of the step.
const END: usize = 12;
/// Weights of the solution.
const B: Row = A[END];

/// Dormand–Prince 8(5,3). All buffers live here; a step allocates nothing. Three more evaluations make the dense
/// output, and only where it is asked for.
#[derive(Clone, Debug)]
pub struct DormandPrince853 {
    controller: Controller,
    motion: Motion,
    stage: Vec<f64>,
    errors: [Vec<f64>; 2],
    /// Derivatives of the states, then of the quadratures.
    k: [Vec<f64>; 16],
    /// Growth of states and quadratures over the step.
    growth: Vec<f64>,
    terms: [Vec<f64>; TERMS],
    dense_is_ready: bool,
}

impl Default for DormandPrince853 {
    fn default() -> Self {
        Self {
            controller: Controller::new(8, BETA_DOPRI5),
            motion: Motion::default(),
            stage: Vec::new(),
            errors: Default::default(),
            k: Default::default(),
            growth: Vec::new(),
            terms: Default::default(),
            dense_is_ready: false,
        }
    }
}

impl DormandPrince853 {
    /// Without a state; [`Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize, q: usize) {
        self.motion.resize(n);
        let states = [&mut self.stage].into_iter().chain(&mut self.errors);
        states.for_each(|buffer| buffer.resize(n, 0.0));
        self.growth.resize(n + q, 0.0);
        self.k.iter_mut().chain(&mut self.terms).for_each(|buffer| buffer.resize(n + q, 0.0));
    }

    /// Evaluates stage `s` at y + h Σ a k, which it leaves in `stage`.
    fn evaluate_stage(&mut self, ode: &mut dyn Ode, s: usize) -> Result<(), Fault> {
        combine(&mut self.stage, self.motion.step, A[s], &self.k);
        self.stage.iter_mut().zip(&self.motion.state).for_each(|(stage, y)| *stage += y);
        let (dydt, dqdt) = self.k[s].split_at_mut(self.motion.n());
        ode.rhs(self.motion.time + C[s] * self.motion.step, &self.stage, dydt, dqdt)
    }

    fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (dydt, dqdt) = self.k[END].split_at_mut(self.motion.n());
        ode.rhs(self.motion.end(), &self.motion.trial, dydt, dqdt)
    }

    fn start(&mut self, t: f64, y: &[f64]) {
        self.motion.start(t, y);
        self.dense_is_ready = false;
    }

    /// Weighted sum of a component's derivatives, and the sum of the magnitudes.
    fn sum_of(&self, row: Row, component: usize) -> (f64, f64) {
        let terms = row.iter().map(|&(stage, weight)| self.motion.step * weight * self.k[stage][component]);
        terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()))
    }
}

/// out = h Σ w k over the stages of a row, in their order.
fn combine(out: &mut [f64], h: f64, row: Row, k: &[Vec<f64>; 16]) {
    out.fill(0.0);
    for &(stage, weight) in row {
        for (out, k) in out.iter_mut().zip(&k[stage]) {
            *out += weight * k;
        }
    }
    out.iter_mut().for_each(|x| *x *= h);
}

impl Stepper for DormandPrince853 {
    fn reserve(&mut self, quadratures: usize) {
        let rows = self.k.iter_mut().chain(&mut self.terms).chain([&mut self.growth]);
        rows.for_each(|row| row.reserve((self.motion.n() + quadratures).saturating_sub(row.len())));
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        let (dydt, dqdt) = self.k[0].split_at_mut(self.motion.n());
        ode.rhs(t, y, dydt, dqdt)
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.motion.step = h;
        self.dense_is_ready = false;
        for s in 1..END {
            self.evaluate_stage(ode, s)?;
        }
        combine(&mut self.growth, h, B, &self.k);
        self.motion.grow(&self.growth);
        self.evaluate_end(ode)?;
        for (error, row) in self.errors.iter_mut().zip([E5, E3]) {
            combine(error, h, row, &self.k);
            ode.filter_error(&self.motion.trial, error);
        }
        let [fifth, third] = &self.errors;
        let mut states = tolerances.assess_pair(fifth, third, &self.motion.state, &self.motion.trial);
        // The last stage and the end of the step are at one time.
        states.stiffness =
            tolerances.stiffness(h, [&self.stage, &self.motion.trial], [&self.k[END - 1], &self.k[END]]);
        if tolerances.quadrature.is_none() {
            return Ok(states);
        }
        let ((fifth, size), (third, _)) =
            (self.sum_of(E5, self.motion.n()), self.sum_of(E3, self.motion.n()));
        Ok(tolerances.assess_with_quadrature(states, weigh_pair(fifth, third), size))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.controller.passed(self.motion.step, error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.controller.failed(self.motion.step, error)
    }

    fn dense_costs(&self) -> bool {
        true
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<bool, Fault> {
        if self.dense_is_ready {
            return Ok(false);
        }
        for s in END + 1..16 {
            self.evaluate_stage(ode, s)?;
        }
        // The end may have been put back on a manifold.
        for (growth, (y, trial)) in
            self.growth.iter_mut().zip(self.motion.state.iter().zip(&self.motion.trial))
        {
            *growth = trial - y;
        }
        update_terms(self.motion.step, &self.growth, &self.k, &mut self.terms);
        self.dense_is_ready = true;
        Ok(true)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.dense_is_ready = false;
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        self.motion.accept(t);
        self.k.swap(0, END);
        self.dense_is_ready = false;
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn degree(&self) -> usize {
        7
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        for (out, i) in out.iter_mut().zip(range) {
            *out = match theta {
                0.0 => self.motion.state[i],
                1.0 => self.motion.trial[i],
                _ => self.motion.state[i] + growth_at(&self.terms, theta, i),
            };
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            let component = self.motion.n() + i;
            *out = match theta {
                0.0 => 0.0,
                1.0 => self.growth[component],
                _ => growth_at(&self.terms, theta, component),
            };
        }
    }

    fn stable_reach(&self) -> f64 {
        STABLE_REACH
    }

    fn rates(&self) -> &[f64] {
        &self.k[0][..self.motion.n()]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.controller.memory());
        out.extend_from_slice(&self.k[0]);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        if memory.len() != 2 + y.len() + quadratures {
            return Err(WrongMemory);
        }
        self.resize(y.len(), quadratures);
        self.start(t, y);
        self.controller.resume([memory[0], memory[1]]);
        self.k[0].copy_from_slice(&memory[2..]);
        Ok(())
    }
}
