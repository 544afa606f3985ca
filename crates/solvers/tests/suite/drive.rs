//! Drives a stepper from start to end as a caller without events does.

use carom_solvers::{Ode, Stepper, ToleranceGroup, Tolerances};

/// What a run has done.
pub(crate) struct Run {
    pub(crate) y: Vec<f64>,
    pub(crate) steps: u64,
    pub(crate) rejected: u64,
}

/// Every component on its own.
pub(crate) fn componentwise(n: usize, rtol: f64, atol: f64) -> Tolerances {
    let group = |start| ToleranceGroup { start, len: 1, atol, rtol };
    Tolerances { groups: (0..n).map(group).collect(), relative: rtol, ..Tolerances::default() }
}

/// Runs from t = 0 with `first` as first step.
pub(crate) fn solve(
    stepper: &mut dyn Stepper,
    ode: &mut dyn Ode,
    start: &[f64],
    t_end: f64,
    tolerances: &Tolerances,
    first: f64,
) -> Run {
    stepper.restart(ode, 0.0, start).expect("the start can be evaluated");
    let mut h = first.min(stepper.starting_step(ode, tolerances).expect("so can its neighbourhood"));
    let (mut steps, mut rejected) = (0, 0);
    while stepper.time() < t_end {
        let remaining = t_end - stepper.time();
        let last = 1.1 * h >= remaining;
        if last {
            h = remaining;
        }
        let error = stepper.attempt(ode, h, tolerances).map_or(f64::NAN, |assessment| assessment.error);
        if error <= 1.0 {
            let next = stepper.passed(error);
            stepper.accept(if last { t_end } else { stepper.time() + h });
            h = next;
            steps += 1;
        } else {
            h = stepper.failed(error);
            rejected += 1;
            assert!(h > 1e-15 * stepper.time(), "step {h:e} at {}", stepper.time());
        }
        assert!(steps + rejected < 1_000_000, "no end at {}", stepper.time());
    }
    Run { y: stepper.state().to_vec(), steps, rejected }
}
