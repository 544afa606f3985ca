//! Orders, with the order held and equal steps from exact differences.

use super::Ode113;
use super::coefficients::{ORDER_MAX, ROWS};
use crate::ode::bernoulli::{Bernoulli, largest_errors, solution};
use crate::ode::{Stepper, Tolerances};

/// n equal steps to t = 2: largest errors of state and quadrature at the ends and inside.
fn errors(order: usize, n: u32) -> [f64; 4] {
    let (mut ode, mut stepper, none) = (Bernoulli, Ode113::new(), Tolerances::default());
    let h = 2.0 / f64::from(n);
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    // Rates of both are powers of the solution.
    let mut rates: Vec<[f64; 2]> =
        (0..ROWS).map(|i| solution(-h * i as f64)).map(|y| [-0.125 * y * y * y, y * y]).collect();
    for row in 0..ROWS {
        stepper.phi[row].copy_from_slice(&rates[0]);
        rates = rates.windows(2).map(|p| [p[0][0] - p[1][0], p[0][1] - p[1][1]]).collect();
    }
    stepper.psi = std::array::from_fn(|i| h * (i + 1) as f64);
    stepper.history.order = order;
    largest_errors(&mut stepper, n, &none, |stepper, ode| stepper.prepare_dense(ode).map(drop))
}

/// With the corrector's local extrapolation order k gives errors h^(k+1), and the interpolant keeps them. Slopes of
/// high orders come from above: their steps must be long lest rounding takes over.
#[test]
fn orders_of_every_formula() {
    for order in 1..=ORDER_MAX {
        let n = if order < 6 { 40 } else { 11 };
        let (coarse, fine) = (errors(order, n), errors(order, 2 * n));
        for i in 0..4 {
            let slope = (coarse[i] / fine[i]).log2();
            let want = (order + 1) as f64;
            assert!(slope > want - 0.2 && slope < 1.3 * want, "order {order} {i}: {slope}");
        }
    }
}
