//! The energy residual measures the integration: it falls with the tolerance.

use carom_engine::EndReason;
use carom_examples_test::{Memory, load, run};

/// Least factor per hundredfold tolerance. The error estimate of a pair of orders 5 and 4 makes it about 100;
/// runs whose collisions come in another order at another tolerance spread around that.
const FACTOR: f64 = 5.0;
/// What rounding leaves of motions that are all prescribed.
const ROUNDING: f64 = 1e-11;

/// Regions whose friction and damping have kinks that no event locates (where a small region vanishes): what these leave, some 1e-9 of what
/// is moved, comes and goes with where steps end. The last limit holds for them as well.
const KINKED: [&str; 2] = ["hook", "ring-on-bar"];

fn residual(name: &str, rtol: &str) -> f64 {
    let loaded = load(name, &[&format!("solver.rtol={rtol}")]);
    let outcome = run(&loaded, &mut Memory::default());
    assert_eq!(outcome.end, EndReason::Finished);
    outcome.residual_relative
}

fn falls_with_the_tolerance(name: &str) {
    // Stated absolute tolerances do not go with the relative one.
    if load(name, &[]).model.solver.atol.velocity.is_some() {
        return;
    }
    let residuals = ["1e-5", "1e-7", "1e-9"].map(|rtol| residual(name, rtol));
    assert!(residuals[2] <= 1e-8, "{residuals:?}");
    let falls = |pair: &[f64]| pair[1] < ROUNDING || FACTOR * pair[1] < pair[0];
    assert!(KINKED.contains(&name) || residuals.windows(2).all(falls), "{residuals:?}");
}

super::for_every_example!(falls_with_the_tolerance);
