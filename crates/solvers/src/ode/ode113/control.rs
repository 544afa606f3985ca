//! Errors of a step and of its neighbours in order, and the next step and order (Shampine & Gordon, program STEP).

use super::coefficients::ORDER_MAX;
use super::step::Ode113;
use crate::ode::{Assessment, Ode, Tolerances};

/// |γ*| of the error estimates at constant steps, as rounded by Shampine & Gordon.
const GAMMA: [f64; ORDER_MAX + 1] = [
    0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.009_36, 0.007_89, 0.006_79, 0.005_92, 0.005_24,
    0.004_68,
];

/// Estimates of the last attempt, over the tolerance: of the step's order and of one less; the order that they ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    pub(super) at_order: f64,
    pub(super) below: f64,
    pub(super) above: f64,
    pub(super) order: usize,
}

impl Ode113 {
    /// h |D + phi^e_row| over the tolerance, or that of D alone; of states and the first quadrature.
    fn norm_of(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances, row: Option<usize>) -> Assessment {
        let first = &self.extrapolated[0];
        for (i, error) in self.error.iter_mut().enumerate() {
            let more = row.map_or(0.0, |row| self.extrapolated[row][i]);
            *error = self.motion.step * (self.rates[i] - first[i] + more);
        }
        ode.filter_error(&self.motion.trial, &mut self.error);
        let states = tolerances.assess(&self.error, &self.motion.state, &self.motion.trial);
        if tolerances.quadrature.is_none() {
            return states;
        }
        let (rate, expected) = (self.rates[self.motion.n()], self.extrapolated[0][self.motion.n()]);
        let more = row.map_or(0.0, |row| self.extrapolated[row][self.motion.n()]);
        let size = self.motion.step * (rate.abs() + expected.abs());
        tolerances.assess_with_quadrature(states, self.motion.step * (rate - expected + more), size)
    }

    /// Error of the step, and the estimates that choose the order (Shampine & Gordon, program STEP, block 2).
    pub(super) fn assess(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Assessment {
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
    pub(super) fn estimate_above(&mut self, tolerances: &Tolerances) {
        let (k, h) = (self.order, self.motion.step);
        let star = self.coefficients.beta[k];
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = h * (self.rates[i] - self.extrapolated[0][i] - star * self.phi[k][i]);
        }
        let mut above = tolerances.assess(&self.error, &self.motion.state, &self.motion.trial);
        if tolerances.quadrature.is_some() {
            let (rate, expected) = (self.rates[self.motion.n()], self.extrapolated[0][self.motion.n()]);
            let error = h * (rate - expected - star * self.phi[k][self.motion.n()]);
            above = tolerances.assess_with_quadrature(above, error, h * (rate.abs() + expected.abs()));
        }
        self.estimates.above = GAMMA[k] * above.error;
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

    /// Step and order after an attempt that has passed.
    pub(super) fn choose_next(&mut self) -> f64 {
        let (order, error) = self.choose_order();
        self.next_order = Some(order);
        let starting = self.history.starting && order > self.order;
        if starting || 0.5 >= error * libm::exp2((order + 1) as f64) {
            return 2.0 * self.motion.step;
        }
        if error <= 0.5 {
            return self.motion.step;
        }
        self.motion.step * libm::pow(0.5 / error, 1.0 / (order + 1) as f64).clamp(0.5, 0.9)
    }

    /// Step and order in place of an attempt that has failed.
    pub(super) fn choose_smaller(&mut self, error: f64) -> f64 {
        let history = &mut self.history;
        history.failures += 1;
        history.starting = false;
        history.equal = 0;
        history.order = if history.failures >= 3 { 1 } else { self.estimates.order };
        if !error.is_finite() {
            return 0.25 * self.motion.step;
        }
        let smaller = if history.failures > 3 { (0.5 / self.estimates.at_order).sqrt() } else { 0.5 };
        self.motion.step * smaller.min(0.5)
    }
}
