use super::method::{BY_TIME, C3, C4, C21, D, E4, FIRST, INVERSE_GAMMA};
use crate::elimination::Elimination;
use crate::ode::jacobian::Jacobian;
use crate::ode::{Assessment, Controller, Fault, Motion, Ode, Tolerances, Work};
use crate::reduced_lu::ReducedLu;
use crate::scalar::REAL;

/// Order of the error estimate plus one, for the step-size control.
const CONTROLLED_ORDER: u32 = 3;

/// Rosenbrock method of order three. All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct Rodas3 {
    pub(super) controller: Controller,
    pub(super) motion: Motion,
    /// The error, then the state in the middle of the step.
    pub(super) probe: Vec<f64>,
    /// Rates of the states at the start and at the end of the attempt.
    pub(super) rates: [Vec<f64>; 2],
    /// States that they are the rates of: the caller may put the end of a step back on a manifold.
    pub(super) evaluated: [Vec<f64>; 2],
    /// ∂f/∂t at the start; zero for problems that do not depend on time.
    pub(super) rates_of_rates: Vec<f64>,
    /// u_1 to u_4.
    pub(super) stages: [Vec<f64>; 4],
    /// Rates of the quadratures at the start, the middle and the end; those of stages pass through the middle.
    pub(super) quadratures: [Vec<f64>; 3],
    pub(super) jacobian: Jacobian,
    /// The Jacobian and ∂f/∂t are those of the current state.
    pub(super) jacobian_is_current: bool,
    pub(super) elimination: Elimination,
    pub(super) lu: ReducedLu<REAL>,
    pub(super) work: Work,
}

impl Default for Rodas3 {
    fn default() -> Self {
        Self {
            // An integral part gains nothing where kinks end the steps.
            controller: Controller::new(CONTROLLED_ORDER, 0.0),
            motion: Motion::default(),
            probe: Vec::new(),
            rates: Default::default(),
            evaluated: Default::default(),
            rates_of_rates: Vec::new(),
            stages: Default::default(),
            quadratures: Default::default(),
            jacobian: Jacobian::default(),
            jacobian_is_current: false,
            elimination: Elimination::default(),
            lu: ReducedLu::default(),
            work: Work::default(),
        }
    }
}

/// y += a x.
fn add(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

impl Rodas3 {
    /// Without a state; [`crate::Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.motion.resize(n);
        let states = [&mut self.probe, &mut self.rates_of_rates];
        let buffers =
            states.into_iter().chain(&mut self.rates).chain(&mut self.evaluated).chain(&mut self.stages);
        buffers.for_each(|buffer| buffer.resize(n, 0.0));
        self.quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        self.jacobian.resize(n, quadratures);
        self.elimination.resize(n);
        self.lu.resize(n);
    }

    pub(super) fn start(&mut self, t: f64, y: &[f64]) {
        self.motion.start(t, y);
        self.evaluated[0].copy_from_slice(y);
        self.jacobian_is_current = false;
    }

    /// Jacobian and ∂f/∂t at the start of the step.
    pub(super) fn update_jacobian(
        &mut self,
        ode: &mut dyn Ode,
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        if self.jacobian_is_current {
            return Ok(());
        }
        let (y, f) = (&self.evaluated[0], &self.rates[0]);
        self.jacobian.update(ode, self.motion.time, y, f, tolerances)?;
        self.work.jacobians += 1;
        if ode.is_autonomous() {
            self.rates_of_rates.fill(0.0);
        } else {
            // As far ahead as half of the digits of the time, or of the step, tell.
            let ahead = self.motion.time + f64::EPSILON.sqrt() * self.motion.time.abs().max(self.motion.step);
            ode.rhs(ahead, y, &mut self.rates_of_rates, &mut self.quadratures[1])?;
            for (rate, f) in self.rates_of_rates.iter_mut().zip(f) {
                *rate = (*rate - f) / (ahead - self.motion.time);
            }
        }
        self.jacobian_is_current = true;
        Ok(())
    }

    /// Factors 1/(γ h) − J.
    pub(super) fn factor(&mut self) -> Result<(), Fault> {
        let diagonal = INVERSE_GAMMA / self.motion.step;
        self.work.factorizations += 1;
        self.elimination.choose(1.0 / diagonal, &self.jacobian.matrix, &self.jacobian.sparse);
        let is_regular = self.lu.factor([diagonal], -1.0, &self.jacobian.matrix, &self.elimination);
        if is_regular { Ok(()) } else { Err(Fault::NotConverged) }
    }

    /// The four stages; `trial` becomes the solution.
    pub(super) fn solve(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        let (h, end) = (self.motion.step, self.motion.end());
        let [u1, u2, u3, u4] = &mut self.stages;
        let [start, _] = &self.rates;
        let through = &mut self.quadratures[1];

        u1.copy_from_slice(start);
        add(u1, BY_TIME[0] * h, &self.rates_of_rates);
        self.lu.solve([u1], &self.elimination);

        u2.copy_from_slice(start);
        add(u2, C21 / h, u1);
        add(u2, BY_TIME[1] * h, &self.rates_of_rates);
        self.lu.solve([u2], &self.elimination);

        self.motion.trial.copy_from_slice(&self.motion.state);
        add(&mut self.motion.trial, FIRST, u1);
        ode.rhs(end, &self.motion.trial, u3, through)?;
        add(u3, C3[0] / h, u1);
        add(u3, C3[1] / h, u2);
        self.lu.solve([u3], &self.elimination);

        add(&mut self.motion.trial, 1.0, u3);
        ode.rhs(end, &self.motion.trial, u4, through)?;
        add(u4, C4[0] / h, u1);
        add(u4, C4[1] / h, u2);
        add(u4, C4[2] / h, u3);
        self.lu.solve([u4], &self.elimination);

        add(&mut self.motion.trial, 1.0, u4);
        Ok(())
    }

    /// Component i of the dense output.
    pub(super) fn dense(&self, theta: f64, i: usize) -> f64 {
        let u = [0, 1, 2, 3].map(|k: usize| self.stages[k][i]);
        let bulge = D[0] * u[0] + D[1] * u[1] + D[2] * u[2] + (D[3] + E4 * theta) * u[3];
        let (y0, y1) = (self.motion.state[i], self.motion.trial[i]);
        y0 + theta * (y1 - y0) + theta * (1.0 - theta) * bulge
    }

    /// Rates of the quadratures in the middle of the step, if there are any.
    pub(super) fn evaluate_middle(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        if self.quadratures[0].is_empty() {
            return Ok(());
        }
        for i in 0..self.probe.len() {
            self.probe[i] = self.dense(0.5, i);
        }
        let middle = self.motion.time + 0.5 * self.motion.step;
        ode.rhs(middle, &self.probe, &mut self.rates[1], &mut self.quadratures[1])
    }

    pub(super) fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluated[1].copy_from_slice(&self.motion.trial);
        ode.rhs(self.motion.end(), &self.motion.trial, &mut self.rates[1], &mut self.quadratures[2])
    }

    /// Adds the error of the first quadrature by Simpson's rule. Its share of the quadrature is as small as the square of
    /// the trapezoidal rule's share, T/Q, so it is estimated as T²/(Q + T).
    pub(super) fn assess_quadrature(&self, states: Assessment, tolerances: &Tolerances) -> Assessment {
        if tolerances.quadrature.is_none() {
            return states;
        }
        let [start, middle, end] = [0, 1, 2].map(|k: usize| self.quadratures[k][0]);
        let trapezoidal = self.motion.step / 3.0 * (start - 2.0 * middle + end).abs();
        let size = self.motion.step / 6.0 * (start.abs() + 4.0 * middle.abs() + end.abs());
        let error = if trapezoidal == 0.0 { 0.0 } else { trapezoidal * trapezoidal / (size + trapezoidal) };
        tolerances.assess_with_quadrature(states, error, size)
    }
}
