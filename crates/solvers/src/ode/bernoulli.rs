//! y' = −y³/8 with q' = y², from y = 1: y = (1 + t/4)^(−1/2), q = 4 ln(1 + t/4).

use super::{Fault, Ode};

pub(super) struct Bernoulli;

impl Ode for Bernoulli {
    fn dimension(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _t: f64, y: &[f64], d: &mut [f64], q: &mut [f64]) -> Result<(), Fault> {
        d[0] = -0.125 * y[0] * y[0] * y[0];
        q[0] = y[0] * y[0];
        Ok(())
    }
}

pub(super) fn solution(t: f64) -> f64 {
    1.0 / (1.0 + 0.25 * t).sqrt()
}

pub(super) fn growth(t: f64) -> f64 {
    4.0 * libm::log1p(0.25 * t)
}
