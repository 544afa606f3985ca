//! y' = −y³/8 with q' = y², from y = 1: y = (1 + t/4)^(−1/2), q = 4 ln(1 + t/4).

use super::{Fault, Ode, Stepper, Tolerances};

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

/// n equal steps to t = 2 of a method that has been started: largest errors of state and quadrature at the ends and inside.
/// `prepare` makes the interpolant of an attempt ready.
pub(super) fn largest_errors<S: Stepper>(
    stepper: &mut S,
    n: u32,
    tolerances: &Tolerances,
    prepare: impl Fn(&mut S, &mut Bernoulli) -> Result<(), Fault>,
) -> [f64; 4] {
    let (mut ode, h) = (Bernoulli, 2.0 / f64::from(n));
    let (mut q, mut worst) = (0.0, [0.0_f64; 4]);
    for i in 0..n {
        stepper.attempt(&mut ode, h, tolerances).unwrap();
        prepare(stepper, &mut ode).unwrap();
        let (mut y, mut g) = ([0.0], [0.0]);
        for theta in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let t = (f64::from(i) + theta) * h;
            stepper.interpolate(theta, 0..1, &mut y);
            stepper.quadrature(theta, &mut g);
            let at = if theta == 1.0 { 0 } else { 2 };
            worst[at] = worst[at].max((y[0] - solution(t)).abs());
            worst[at + 1] = worst[at + 1].max((q + g[0] - growth(t)).abs());
        }
        q += g[0];
        stepper.accept(f64::from(i + 1) * h);
    }
    worst
}
