use super::method::C;
use super::newton::Newton;
use super::polynomial::Polynomial;
use crate::ode::jacobian::Jacobian;
use crate::ode::{Fault, Motion, Ode, Tolerances, Work};

/// A Jacobian serves on while the rate of convergence is below; one that takes many evaluations serves longer.
pub(super) const GOOD_RATE: f64 = 1e-3;
pub(super) const GOOD_RATE_COSTLY: f64 = 0.05;

/// What the method knows of the past: all that decides on later steps beside the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// Length of the last accepted step, whose polynomial predicts; 0 if there is none.
    pub(super) step: f64,
    /// Length and error of the step before, for the predictive control; 0 if there is none.
    pub(super) controlled: [f64; 2],
    /// The last attempt failed.
    pub(super) after_rejection: bool,
    /// The Jacobian is that of the current state.
    pub(super) jacobian_is_current: bool,
    pub(super) wants_jacobian: bool,
    /// Step that the factors are for; 0 if there are none.
    pub(super) factored_step: f64,
}

pub(super) const START: History = History {
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
    pub(super) motion: Motion,
    pub(super) error: Vec<f64>,
    pub(super) probe: Vec<f64>,
    /// Rates of states and quadratures at the start, at the three nodes; of states only at the first and last.
    pub(super) rates: [Vec<f64>; 2],
    pub(super) quadratures: [Vec<f64>; 4],
    pub(super) jacobian: Jacobian,
    pub(super) newton: Newton,
    /// Of the last accepted step, and of the attempted one.
    pub(super) past: Polynomial,
    pub(super) dense: Polynomial,
    pub(super) history: History,
    /// Factor by which the last attempt should be smaller because its iterations failed.
    pub(super) shrink: Option<f64>,
    pub(super) work: Work,
}

impl Default for Radau5 {
    fn default() -> Self {
        Self {
            motion: Motion::default(),
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
    /// Without a state; [`crate::Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.motion.resize(n);
        let states = [&mut self.error, &mut self.probe];
        states.into_iter().chain(&mut self.rates).for_each(|buffer| buffer.resize(n, 0.0));
        self.quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        self.jacobian.resize(n, quadratures);
        self.newton.resize(n, quadratures);
        self.past.resize(n);
        self.dense.resize(n);
    }

    /// Jacobian and factors for a step of length h, where those at hand do not serve.
    pub(super) fn prepare(
        &mut self,
        ode: &mut dyn Ode,
        h: f64,
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        // Where factors are due anyway, a Jacobian that costs as much as an evaluation is worth its while.
        let is_due = self.history.factored_step != h && !self.jacobian.is_costly;
        if self.history.wants_jacobian || is_due && !self.history.jacobian_is_current {
            self.jacobian.update(ode, self.motion.time, &self.motion.state, &self.rates[0], tolerances)?;
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

    pub(super) fn factor(&mut self, h: f64) -> Result<(), Fault> {
        if self.newton.factor(h, &self.jacobian) {
            return Ok(());
        }
        self.history.factored_step = 0.0;
        self.shrink = Some(0.5);
        Err(Fault::NotConverged)
    }

    /// Start values of the iterations: the last polynomial, continued.
    pub(super) fn predict(&mut self, h: f64) {
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

    pub(super) fn evaluate_end(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        ode.rhs(self.motion.end(), &self.motion.trial, &mut self.rates[1], &mut self.quadratures[3])
    }

    /// Rates at the nodes, the end last. The iterations have evaluated there too, but a correction ago: their rates of
    /// quadratures serve if it was no larger than what they leave in the states.
    pub(super) fn evaluate_nodes(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        for (k, c) in [C[0], C[1]].into_iter().enumerate() {
            if self.newton.is_settled || self.quadratures[0].is_empty() {
                self.quadratures[k + 1].copy_from_slice(&self.newton.rates_of_quadratures[k]);
                continue;
            }
            for (probe, (y, z)) in self.probe.iter_mut().zip(self.motion.state.iter().zip(&self.newton.z[k]))
            {
                *probe = y + z;
            }
            let t = self.motion.time + c * self.motion.step;
            ode.rhs(t, &self.probe, &mut self.rates[1], &mut self.quadratures[k + 1])?;
        }
        self.evaluate_end(ode)
    }

    pub(super) fn update_dense(&mut self) {
        // The end may have been put back on a manifold.
        let ends = self.motion.trial.iter().zip(&self.motion.state);
        self.newton.z[2].iter_mut().zip(ends).for_each(|(z, (y1, y0))| *z = y1 - y0);
        let [z1, z2, z3] = &self.newton.z;
        self.dense.update([z1, z2, z3]);
    }

    pub(super) fn start(&mut self, t: f64, y: &[f64]) {
        self.motion.start(t, y);
        self.history = START;
        self.newton.rest = 1.0;
        self.shrink = None;
    }
}
