//! Explicit methods under error control.

use carom_solvers::{
    Assessment, DormandPrince45, DormandPrince853, Fault, Ode, Ode113, Stepper, ToleranceGroup, Tolerances,
};

use crate::Make;
use crate::drive::{componentwise, solve};
use crate::kepler::{self, Kepler};
use crate::problems::{Problem, arenstorf, pleiades};

fn kepler_run(stepper: &mut dyn Stepper, rtol: f64) -> (f64, u32) {
    let groups = vec![ToleranceGroup { start: 0, len: 4, atol: rtol, rtol }];
    let mut ode = Kepler { evaluations: 0 };
    let run = solve(
        stepper,
        &mut ode,
        &kepler::start(),
        20.0,
        &Tolerances { groups, ..Tolerances::default() },
        0.01,
    );
    (kepler::distance(&run.y, 20.0), ode.evaluations)
}

/// The end error follows the tolerance: errors of the period add up along the orbit, so the position error grows with
/// the square of time, within 1000 tolerances after three revolutions. The evaluations are those of the same methods
/// elsewhere or fewer: SciPy's RK45 takes 758 and 2570, its DOP853 626 and 1346; a plain Shampine–Gordon code takes 471
/// and 823 (with a norm that is √4 smaller).
#[test]
fn error_follows_the_tolerance() {
    let most = |stepper: &mut dyn Stepper, evaluations: [u32; 2]| {
        for (rtol, most) in [1e-6, 1e-9].into_iter().zip(evaluations) {
            let (error, count) = kepler_run(stepper, rtol);
            assert!(error < 1e3 * rtol && count < most, "{rtol}: {error:e} {count}");
        }
    };
    most(&mut DormandPrince45::new(), [800, 2700]);
    most(&mut DormandPrince853::new(), [800, 1500]);
    most(&mut Ode113::new(), [550, 950]);
}

fn run(stepper: &mut dyn Stepper, mut problem: Problem, rtol: f64) -> (f64, u64) {
    let (start, t_end) = (problem.start.clone(), problem.t_end);
    let run = solve(stepper, &mut problem, &start, t_end, &componentwise(start.len(), rtol, rtol), 1e-4);
    (problem.error(&run.y[..problem.end.len()]), problem.evaluations)
}

/// Reference values at rtol 1e-11. The orbit passes the moon at a hundredth of its distance and multiplies errors by
/// some thousands; the stars by some hundreds.
#[test]
fn orbit_closes_and_stars_arrive() {
    let steppers: [(&str, Make, [u64; 2]); 3] = [
        ("ode45", || Box::new(DormandPrince45::new()), [9600, 13_100]),
        ("dop853", || Box::new(DormandPrince853::new()), [5000, 6300]),
        ("ode113", || Box::new(Ode113::new()), [2000, 2800]),
    ];
    for (name, make, most) in steppers {
        for (problem, limit, most) in [(arenstorf(), 3e-7, most[0]), (pleiades(), 1e-8, most[1])] {
            let (error, evaluations) = run(&mut *make(), problem, 1e-11);
            assert!(error < limit && evaluations < most, "{name}: {error:e} {evaluations}");
        }
    }
}

/// y' = −λ (y − cos t), with the quadrature of y².
struct Relaxation {
    rate: f64,
    evaluations: u64,
}

impl Ode for Relaxation {
    fn dimension(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, t: f64, y: &[f64], d: &mut [f64], q: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        d[0] = -self.rate * (y[0] - libm::cos(t));
        q[0] = y[0] * y[0];
        Ok(())
    }
}

/// The stiffness that an attempt reports is |λ| h: the caller holds steps to it.
#[test]
fn stiffness_is_seen() {
    for mut stepper in
        [Box::new(DormandPrince45::new()) as Box<dyn Stepper>, Box::new(DormandPrince853::new())]
    {
        let mut ode = Relaxation { rate: 1e3, evaluations: 0 };
        stepper.restart(&mut ode, 0.0, &[2.0]).unwrap();
        let seen: Assessment = stepper.attempt(&mut ode, 2e-3, &componentwise(1, 1e-6, 1e-6)).unwrap();
        assert!((seen.stiffness - 2.0).abs() < 1e-3, "{}", seen.stiffness);
        assert!(stepper.stable_reach() > 2.0 && stepper.stable_reach().is_finite());
    }
}

/// The quadrature's tolerance alone holds the steps: its error is below a thousand of them after some hundred steps. That of
/// `rodas3` is in the states that it integrates over, of order three.
#[test]
fn quadratures_are_controlled() {
    let mut ode = Relaxation { rate: 1.0, evaluations: 0 };
    let steppers: [(Box<dyn Stepper>, f64); 6] = [
        (Box::new(DormandPrince45::new()), 1e-6),
        (Box::new(DormandPrince853::new()), 1e-6),
        (Box::new(Ode113::new()), 1e-6),
        (Box::new(carom_solvers::Radau5::new()), 1e-6),
        (Box::new(carom_solvers::Bdf::new()), 1e-6),
        (Box::new(carom_solvers::Rodas3::new()), 5e-6),
    ];
    for (mut stepper, most) in steppers {
        // y = (cos t + sin t)/2 + e⁻ᵗ/2 from y = 1; ∫ y² over [0, 5] by hand.
        let exact = {
            let (s, c, e) = (libm::sin(5.0), libm::cos(5.0), libm::exp(-5.0));
            let periodic = 0.25 * (5.0 + s * s);
            let mixed = 0.5 * (1.0 - e * c);
            periodic + mixed + 0.125 * (1.0 - e * e)
        };
        let tolerances = Tolerances {
            groups: vec![ToleranceGroup { start: 0, len: 1, atol: 1e-3, rtol: 1e-3 }],
            quadrature: Some(1e-9),
            ..Tolerances::default()
        };
        stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
        let (mut h, mut q, mut steps) = (1e-3_f64, 0.0, 0);
        while stepper.time() < 5.0 {
            h = h.min(5.0 - stepper.time());
            let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
            if error > 1.0 {
                h = stepper.failed(error);
                continue;
            }
            let next = stepper.passed(error);
            stepper.prepare_dense(&mut ode).unwrap();
            let mut growth = [0.0];
            stepper.quadrature(1.0, &mut growth);
            q += growth[0];
            stepper.accept(stepper.time() + h);
            h = next;
            steps += 1;
        }
        assert!((q - exact).abs() < most && steps < 400, "{steps} {:e}", q - exact);
    }
}
