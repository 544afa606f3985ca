//! Errors of a step and of its neighbours in order, and the next step and order.

use super::formula::{ORDER_MAX, error_constant};
use super::newton::ITERATIONS;
use super::step::{Bdf, Neighbours};
use crate::ode::{Assessment, Ode, Tolerances};

/// Least and largest factor from one step to the next.
const FACTORS: (f64, f64) = (0.2, 10.0);
/// A step that would grow by less stays, and with it the factors.
const KEPT_GROWTH: f64 = 1.2;
/// What errors of a start are multiplied by for each order below the highest. Low orders pass with steps that are short beside the
/// motion, and what velocities are off by then moves positions later by far more than the tolerance that those steps were held
/// to: a spring that is let go was off by a thousand of them.
const START_WEIGHT: f64 = 3.0;
/// Steps of a start at most. It ends before where the order falls, or attempts fail.
pub(super) const START_STEPS: u32 = 24;
/// After so many attempts that failed by their error the past is not what the next step goes on from (as CVODE has it).
pub(super) const FAILURES_TO_FORGET: u32 = 3;

impl Bdf {
    /// Errors with the orders next to that of the step, from k + 1 equal steps on.
    pub(super) fn update_neighbours(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) {
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
    pub(super) fn assess_states(
        &mut self,
        ode: &mut dyn Ode,
        tolerances: &Tolerances,
        order: usize,
        more: Option<(usize, f64)>,
    ) -> Assessment {
        let constant = error_constant(order);
        for (i, error) in self.error.iter_mut().enumerate() {
            let difference = more.map_or(0.0, |(row, sign)| sign * self.scaled[row][i]);
            *error = constant * (self.motion.trial[i] - self.predicted[i] + difference);
        }
        ode.filter_error(&self.motion.trial, &mut self.error);
        let mut states = tolerances.assess(&self.error, &self.motion.state, &self.motion.trial);
        if self.history.starting > 0 {
            states.error *= start_weight(order);
        }
        states
    }

    /// The same with that of the first quadrature.
    pub(super) fn assess_quadrature(
        &self,
        states: Assessment,
        tolerances: &Tolerances,
        order: usize,
        more: Option<(usize, f64)>,
    ) -> Assessment {
        if tolerances.quadrature.is_none() {
            return states;
        }
        let (constant, i) = (error_constant(order), self.motion.n());
        let size = (self.motion.step * self.rates[i]).abs() + self.psi[i].abs();
        let difference = more.map_or(0.0, |(row, sign)| sign * self.scaled[row][i]);
        tolerances.assess_with_quadrature(
            states,
            constant * (self.correction(i) + difference),
            constant * size,
        )
    }

    /// Step and order after an attempt that has passed with this error.
    pub(super) fn choose_next(&mut self, error: f64) -> f64 {
        let k = self.order;
        if self.equal_steps() <= k {
            self.next_order = Some(k);
            return self.motion.step;
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
        if (1.0..KEPT_GROWTH).contains(&growth) { self.motion.step } else { growth * self.motion.step }
    }

    /// Step and order in place of an attempt that has failed.
    pub(super) fn choose_smaller(&mut self, error: f64) -> f64 {
        let safety = self.safety();
        let history = &mut self.history;
        history.equal = 0;
        if self.diverged || !error.is_finite() {
            return if self.diverged { 0.5 * self.motion.step } else { 0.25 * self.motion.step };
        }
        history.failures += 1;
        if history.failures >= FAILURES_TO_FORGET {
            // What rounding leaves of errors does not fall with the step: counted more it would never pass.
            (history.order, history.starting) = (1, 0);
        }
        self.motion.step * (safety * libm::pow(error, -1.0 / (self.order + 1) as f64)).clamp(FACTORS.0, 0.9)
    }

    fn safety(&self) -> f64 {
        let most = f64::from(2 * ITERATIONS);
        0.9 * (most + 1.0) / (most + f64::from(self.newton.iterations))
    }
}

/// By how much errors of an order count more in a start.
pub(super) fn start_weight(order: usize) -> f64 {
    START_WEIGHT.powi(ORDER_MAX as i32 - order as i32)
}
