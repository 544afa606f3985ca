//! Orders, with fixed steps and iterations driven to rounding.

use super::Radau5;
use crate::ode::bernoulli::{Bernoulli, largest_errors};
use crate::ode::{Stepper, ToleranceGroup, Tolerances};

/// n equal steps to t = 2: largest errors of state and quadrature at the ends and inside.
fn errors(n: u32) -> [f64; 4] {
    let (mut ode, mut stepper) = (Bernoulli, Radau5::new());
    let group = ToleranceGroup { start: 0, len: 1, atol: 1e-14, rtol: 0.0 };
    let tolerances = Tolerances { groups: vec![group], ..Tolerances::default() };
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    largest_errors(&mut stepper, n, &tolerances, |stepper, ode| {
        // The attempt has not passed so tight a tolerance and knows no rates at its nodes.
        stepper.evaluate_nodes(ode)?;
        stepper.prepare_dense(ode).map(drop)
    })
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
