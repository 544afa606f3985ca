//! Orders, with the order held and equal steps from exact differences.

use super::Bdf;
use super::formula::{ORDER_MAX, ROWS};
use crate::ode::bernoulli::{Bernoulli, growth, solution};
use crate::ode::{Stepper, ToleranceGroup, Tolerances};

/// n equal steps to t = 2: largest errors of state and quadrature at the ends and inside.
fn errors(order: usize, n: u32) -> [f64; 4] {
    let (mut ode, mut stepper) = (Bernoulli, Bdf::new());
    // For Newton's iterations.
    let group = ToleranceGroup { start: 0, len: 1, atol: 1e-14, rtol: 0.0 };
    let tolerances = Tolerances { groups: vec![group], ..Tolerances::default() };
    let h = 2.0 / f64::from(n);
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    let mut points: Vec<[f64; 2]> =
        (0..ROWS).map(|i| -h * i as f64).map(|t| [solution(t), growth(t)]).collect();
    for row in 0..ROWS {
        stepper.differences[row].copy_from_slice(&points[0]);
        points = points.windows(2).map(|p| [p[0][0] - p[1][0], p[0][1] - p[1][1]]).collect();
    }
    stepper.history.order = order;
    stepper.history.step = h;
    let (mut q, mut worst) = (0.0, [0.0_f64; 4]);
    for i in 0..n {
        stepper.attempt(&mut ode, h, &tolerances).unwrap();
        // The attempt has not passed so tight a tolerance and knows no rates at its end.
        stepper.refresh(&mut ode).unwrap();
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

/// Order k gives errors h^k, and so does the polynomial through the points.
#[test]
fn orders_of_every_formula() {
    for order in 1..=ORDER_MAX {
        let (coarse, fine) = (errors(order, 40), errors(order, 80));
        for i in 0..4 {
            let slope = (coarse[i] / fine[i]).log2();
            assert!((slope - order as f64).abs() < 0.3, "order {order} {i}: {slope}");
        }
    }
}
