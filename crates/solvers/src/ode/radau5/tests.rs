//! Orders, with fixed steps and iterations driven to rounding.

use super::Radau5;
use crate::ode::bernoulli::{Bernoulli, growth, solution};
use crate::ode::{Stepper, ToleranceGroup, Tolerances};

/// n equal steps to t = 2: largest errors of state and quadrature at the ends and inside.
fn errors(n: u32) -> [f64; 4] {
    let (mut ode, mut stepper) = (Bernoulli, Radau5::new());
    let group = ToleranceGroup { start: 0, len: 1, atol: 1e-14, rtol: 0.0 };
    let tolerances = Tolerances { groups: vec![group], ..Tolerances::default() };
    let h = 2.0 / f64::from(n);
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    let (mut q, mut worst) = (0.0, [0.0_f64; 4]);
    for i in 0..n {
        stepper.attempt(&mut ode, h, &tolerances).unwrap();
        // The attempt has not passed so tight a tolerance and knows no rates at its nodes.
        stepper.evaluate_nodes(&mut ode).unwrap();
        stepper.prepare_dense(&mut ode).unwrap();
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

/// Order 5 at the ends; inside, the local terms h⁴ of the collocation polynomial and h⁵ of the cubic through four
/// rates, on top of them.
#[test]
fn orders_of_ends_and_inside() {
    let (coarse, fine) = (errors(5), errors(10));
    for (i, want) in [5.0, 5.0, 4.0, 5.0].into_iter().enumerate() {
        let slope = (coarse[i] / fine[i]).log2();
        assert!((slope - want).abs() < 0.35, "{i}: {slope}");
    }
}
