//! Errors of a step, and the next step.

use super::method::{E, GAMMA};
use super::newton::ITERATIONS;
use super::polynomial::extrapolate_to_start;
use super::step::{GOOD_RATE, Radau5};
use crate::ode::{Assessment, Fault, Ode, Tolerances};

/// Safety factor of the step-size control.
const SAFETY: f64 = 0.9;
/// Least and largest quotient of a step and the next.
const QUOTIENTS: (f64, f64) = (0.125, 5.0);
/// A step that would grow by less stays, and with it the factors.
const KEPT_GROWTH: f64 = 1.2;

/// What the estimate, of order three, may exceed the tolerance by, so that the error of the solution, of order five,
/// follows it: the program radau5.f takes 0.1 rtol^(2/3) for rtol.
pub(super) fn looseness(tolerances: &Tolerances) -> f64 {
    if tolerances.relative > 0.0 { (0.1 / libm::cbrt(tolerances.relative)).max(1.0) } else { 1.0 }
}

impl Radau5 {
    /// The estimate (γ I − h J)⁻¹ (h f + e·z) (IV.8.19), with the rates `f` at the start or near it.
    fn update_error(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances, near: bool) -> Assessment {
        let h = self.motion.step;
        let [z1, z2, z3] = &self.newton.z;
        let f = &self.rates[usize::from(near)];
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = f[i] + (E[0] * z1[i] + E[1] * z2[i] + E[2] * z3[i]) / h;
        }
        self.newton.filter(&mut self.error);
        self.probe.copy_from_slice(&self.error);
        ode.filter_error(&self.motion.trial, &mut self.probe);
        let states = tolerances.assess(&self.probe, &self.motion.state, &self.motion.trial);
        let loose = looseness(tolerances);
        Assessment { error: states.error / loose, unheeded: states.unheeded / loose, ..states }
    }

    /// Error of the states. One that a stiff problem inflates is filtered once more where a step has failed or is the
    /// first (IV.8.20).
    pub(super) fn assess(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        let states = self.update_error(ode, tolerances, false);
        if states.error <= 1.0 || !(self.history.after_rejection || self.history.step == 0.0) {
            return Ok(states);
        }
        for (probe, (y, error)) in self.probe.iter_mut().zip(self.motion.state.iter().zip(&self.error)) {
            *probe = y + error;
        }
        ode.rhs(self.motion.time, &self.probe, &mut self.rates[1], &mut self.quadratures[3])?;
        Ok(self.update_error(ode, tolerances, true))
    }

    pub(super) fn assess_quadrature(&self, states: Assessment, tolerances: &Tolerances) -> Assessment {
        let Some([start, nodes @ ..]) =
            tolerances.quadrature.map(|_| [0, 1, 2, 3].map(|k: usize| self.quadratures[k][0]))
        else {
            return states;
        };
        let scale = self.motion.step / (GAMMA * looseness(tolerances));
        let size = nodes.iter().fold(start.abs(), |size, q| size + q.abs());
        tolerances.assess_with_quadrature(states, scale * (start - extrapolate_to_start(nodes)), scale * size)
    }

    /// Quotient of this step and the next, from its error and iterations.
    fn quotient(&self, error: f64) -> f64 {
        let most = f64::from(2 * ITERATIONS);
        let factor = SAFETY.min(SAFETY * (1.0 + most) / (f64::from(self.newton.iterations) + most));
        (libm::pow(error, 0.25) / factor).clamp(QUOTIENTS.0, QUOTIENTS.1)
    }

    /// Step after an attempt that has passed with this error: Gustafsson's predictive control (IV.8.21).
    pub(super) fn choose_next(&mut self, error: f64) -> f64 {
        let h = self.motion.step;
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

    /// Step in place of an attempt that has failed.
    pub(super) fn choose_smaller(&mut self, error: f64) -> f64 {
        let h = self.motion.step;
        self.history.after_rejection = true;
        if let Some(factor) = self.shrink {
            return h * factor.min(0.9);
        }
        if !error.is_finite() || self.history.step == 0.0 {
            return 0.1 * h;
        }
        h / self.quotient(error).max(1.1)
    }
}
