//! Implicit methods: the stiff problems of the test set, and what happens where Newton's method cannot succeed.

use carom_solvers::{Bdf, Fault, Ode, Radau5, Rodas3, Stepper};

use crate::Make;
use crate::drive::{componentwise, solve};
use crate::problems::{Problem, hires, robertson, van_der_pol};

/// Relative error and evaluations.
fn run(stepper: &mut dyn Stepper, mut problem: Problem, rtol: f64, atol: f64) -> (f64, u64) {
    let (start, t_end) = (problem.start.clone(), problem.t_end);
    let tolerances = componentwise(start.len(), rtol, rtol * atol);
    let run = solve(stepper, &mut problem, &start, t_end, &tolerances, 1e-6);
    // Explicit methods would need a million steps and more.
    assert!(run.steps < 3000 && run.rejected < run.steps / 4 + 20, "{} {}", run.steps, run.rejected);
    (problem.relative_error(&run.y), problem.evaluations)
}

/// Reference values of the test set to 100 tolerances, with evaluations of the order of the programs radau5 and CVODE.
#[test]
fn stiff_problems_arrive() {
    let rtol = 1e-6;
    let cases = [
        (van_der_pol as fn() -> Problem, 1.0, [8000, 3000]),
        (robertson, 1e-6, [4200, 2200]),
        (hires, 1e-4, [2200, 1000]),
    ];
    for (problem, atol, most) in cases {
        let steppers: [Box<dyn Stepper>; 2] = [Box::new(Radau5::new()), Box::new(Bdf::new())];
        for (mut stepper, most) in steppers.into_iter().zip(most) {
            let (error, evaluations) = run(&mut *stepper, problem(), rtol, atol);
            let name = problem().name;
            assert!(error < 100.0 * rtol && evaluations < most, "{name}: {error:e} {evaluations}");
            let work = stepper.work();
            assert!(work.jacobians < work.factorizations && work.factorizations < work.iterations);
        }
    }
}

/// The same of the method of loose tolerances, at its tolerances: a Jacobian a step, and no iterations.
#[test]
fn rodas3_arrives_at_loose_tolerances() {
    let rtol = 1e-4;
    let cases = [(van_der_pol as fn() -> Problem, 1.0), (robertson, 1e-6), (hires, 1e-4)];
    for (problem, atol) in cases {
        let mut stepper = Rodas3::new();
        let (error, evaluations) = run(&mut stepper, problem(), rtol, atol);
        let name = problem().name;
        assert!(error < 100.0 * rtol && evaluations < 4000, "{name}: {error:e} {evaluations}");
        let work = stepper.work();
        assert!(work.jacobians <= work.factorizations && work.iterations == 0);
    }
}

/// A matrix that is singular for one step is a fault, and another step does: y' = y at h = 1/γ.
#[test]
fn rodas3_passes_a_singular_matrix() {
    let growth = Problem {
        name: "growth",
        rhs: |_, y, d| d[0] = y[0],
        jacobian: Some(|_, j| j[0] = 1.0),
        start: vec![1.0],
        t_end: 1.0,
        end: vec![std::f64::consts::E],
        evaluations: 0,
    };
    let (mut problem, mut stepper) = (growth, Rodas3::new());
    let tolerances = componentwise(1, 1e-6, 1e-6);
    stepper.restart(&mut problem, 0.0, &[1.0]).unwrap();
    assert_eq!(stepper.attempt(&mut problem, 2.0, &tolerances), Err(Fault::NotConverged));
    let h = stepper.failed(f64::NAN);
    assert!(h < 2.0 && stepper.attempt(&mut problem, h, &tolerances).unwrap().error.is_finite());
}

/// Jacobians by differences serve as well as the problem's own: the same accuracy with steps alike.
#[test]
fn differences_serve_as_jacobian() {
    let makes: [Make; 2] = [|| Box::new(Radau5::new()), || Box::new(Bdf::new())];
    for make in makes {
        let without = Problem { jacobian: None, ..hires() };
        let (own, evaluations) = run(&mut *make(), hires(), 1e-6, 1e-4);
        let mut stepper = make();
        let (differences, more) = run(&mut *stepper, without, 1e-6, 1e-4);
        assert!(differences < 3.0 * own.max(1e-6), "{differences:e} {own:e}");
        let spent = 9 * stepper.work().jacobians;
        assert!(more < evaluations + evaluations / 5 + spent, "{more} {evaluations} {spent}");
    }
}

/// y' = ±1e9 by the sign of y: no Newton step hits y = 0.
struct Relay;

impl Ode for Relay {
    fn dimension(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        0
    }
    fn rhs(&mut self, _t: f64, y: &[f64], d: &mut [f64], _q: &mut [f64]) -> Result<(), Fault> {
        d[0] = if y[0] > 0.0 { -1e9 } else { 1e9 };
        Ok(())
    }
}

#[test]
fn newton_that_fails_is_a_fault_and_asks_for_less() {
    for mut stepper in [Box::new(Radau5::new()) as Box<dyn Stepper>, Box::new(Bdf::new())] {
        stepper.restart(&mut Relay, 0.0, &[1.0]).unwrap();
        let h = 1.0;
        assert_eq!(stepper.attempt(&mut Relay, h, &componentwise(1, 1e-6, 1e-6)), Err(Fault::NotConverged));
        assert!(stepper.failed(f64::NAN) < h);
    }
}
