//! Order, dense output and quadratures of `ode45` on problems with known solutions.
#![allow(missing_docs)]

use carom_solvers::{DormandPrince45, Fault, Ode, Stepper, ToleranceGroup, Tolerances};

/// Kepler's problem with eccentricity 0.3, with the quadrature of the radial speed: q = |r(t)| − |r(0)|.
struct Kepler {
    evaluations: u32,
}

impl Ode for Kepler {
    fn dimension(&self) -> usize {
        4
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _t: f64, y: &[f64], d: &mut [f64], q: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        let r = y[0].hypot(y[1]);
        d.copy_from_slice(&[y[2], y[3], -y[0] / (r * r * r), -y[1] / (r * r * r)]);
        q[0] = (y[0] * y[2] + y[1] * y[3]) / r;
        Ok(())
    }
}

const ECCENTRICITY: f64 = 0.3;

fn start() -> [f64; 4] {
    [1.0 - ECCENTRICITY, 0.0, 0.0, ((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY)).sqrt()]
}

/// Position from Kepler's equation.
fn position(t: f64) -> [f64; 2] {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - ECCENTRICITY * anomaly.sin() - t) / (1.0 - ECCENTRICITY * anomaly.cos());
    }
    [anomaly.cos() - ECCENTRICITY, (1.0 - ECCENTRICITY * ECCENTRICITY).sqrt() * anomaly.sin()]
}

fn distance(y: &[f64], t: f64) -> f64 {
    let p = position(t);
    (y[0] - p[0]).hypot(y[1] - p[1])
}

fn none() -> Tolerances {
    Tolerances::default()
}

/// Fixed steps over [0, 4]: end error, largest dense-output error, quadrature error.
fn fixed(n: u32) -> [f64; 3] {
    let h = 4.0 / f64::from(n);
    let (mut ode, mut stepper) = (Kepler { evaluations: 0 }, DormandPrince45::new());
    stepper.restart(&mut ode, 0.0, &start()).unwrap();
    let (mut dense, mut q) = (0.0_f64, 0.0);
    for i in 0..n {
        stepper.attempt(&mut ode, h, &none()).unwrap();
        for theta in [0.3, 0.5, 0.8] {
            let mut y = [0.0; 4];
            stepper.interpolate(theta, 0..4, &mut y);
            dense = dense.max(distance(&y, (f64::from(i) + theta) * h));
        }
        let mut growth = [0.0];
        stepper.quadrature(1.0, &mut growth);
        q += growth[0];
        stepper.accept(stepper.time() + h);
    }
    let p = position(4.0);
    let radius = p[0].hypot(p[1]) - (1.0 - ECCENTRICITY);
    [distance(stepper.state(), 4.0), dense, (q - radius).abs()]
}

/// Halving the step divides the end error by 2⁵ and the dense error, whose local term h⁵ adds to the global
/// one, by 2⁵ too; 0.4 allows for the next order's term at these step sizes.
#[test]
fn orders() {
    let (coarse, fine) = (fixed(160), fixed(320));
    for (what, c, f) in
        [("end", coarse[0], fine[0]), ("dense", coarse[1], fine[1]), ("quadrature", coarse[2], fine[2])]
    {
        let order = (c / f).log2();
        assert!((order - 5.0).abs() < 0.4, "{what}: {order}");
    }
}

/// Error control: the end error follows the tolerance, and the work the fifth root.
#[test]
fn error_follows_the_tolerance() {
    let run = |rtol: f64| {
        let tolerances = Tolerances {
            groups: vec![ToleranceGroup { start: 0, len: 4, atol: rtol, rtol }],
            quadrature: None,
        };
        let (mut ode, mut stepper) = (Kepler { evaluations: 0 }, DormandPrince45::new());
        stepper.restart(&mut ode, 0.0, &start()).unwrap();
        let mut h = 0.01_f64;
        while stepper.time() < 20.0 {
            h = h.min(20.0 - stepper.time());
            let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
            if error <= 1.0 {
                stepper.accept(stepper.time() + h);
                h = stepper.passed(error);
            } else {
                h = stepper.failed(error);
            }
        }
        (distance(stepper.state(), 20.0), ode.evaluations)
    };
    let (e6, n6) = run(1e-6);
    let (e9, n9) = run(1e-9);
    // Errors of the period add up along the orbit, so the position error grows with the square of time:
    // within 1000 tolerances after three revolutions (SciPy's RK45: 1e-4 and 1e-7 with a norm √4 smaller).
    assert!(e6 < 1e-3 && e9 < 1e-6, "{e6} {e9}");
    // RK45 of SciPy takes 758 and 2570 evaluations here (algorithms.md 6.2); the same pair must not need more.
    assert!(n6 < 800 && n9 < 2700, "{n6} {n9}");
}

/// A copy that resumes from state and memory makes the same bits.
#[test]
fn resume_is_bit_equal() {
    let (mut ode, mut a) = (Kepler { evaluations: 0 }, DormandPrince45::new());
    a.restart(&mut ode, 0.0, &start()).unwrap();
    a.attempt(&mut ode, 0.05, &none()).unwrap();
    a.accept(0.05);
    let mut b = DormandPrince45::new();
    let mut memory = Vec::new();
    a.memory(&mut memory);
    b.resume(1, a.time(), a.state(), &memory).unwrap();
    a.attempt(&mut ode, 0.07, &none()).unwrap();
    b.attempt(&mut ode, 0.07, &none()).unwrap();
    assert_eq!(a.trial(), b.trial());
}
