//! When the first domino hits the second one, from the law of energy.

use carom_engine::EndReason;
use carom_examples_test::{Memory, load, run};

/// ∫ da/w over the angle a of a rigid domino about its edge, by Simpson's rule; the example states it.
#[test]
fn first_hit_is_the_integral() {
    let (h, d, pitch, spin, gravity) = (0.048_f64, 0.0075_f64, 0.024, 4.0_f64, 9.81);
    let slowness = |a: f64| {
        let fallen = h - h * a.cos() - d * a.sin();
        1.0 / (spin * spin + 3.0 * gravity * fallen / (h * h + d * d)).sqrt()
    };
    let end = ((pitch - d) / h).asin();
    let step = end / 1000.0;
    let sum: f64 = (0..500)
        .map(|k| step * f64::from(2 * k))
        .map(|a| slowness(a) + 4.0 * slowness(a + step) + slowness(a + 2.0 * step))
        .sum();
    let source = load("dominoes", &[]).source;
    let line = source.lines().find(|line| line.starts_with("hit ")).expect("a parameter");
    let stated: f64 = line.split('"').nth(1).unwrap().trim_end_matches(" s").parse().unwrap();
    assert!((stated - sum * step / 3.0).abs() < 1e-7, "{stated} {}", sum * step / 3.0);
}

/// Four corners of the first domino leave the floor at t = 0, where no rounding of the time sets a shortest step: they are
/// one moment for every integrator.
#[test]
fn corners_leave_at_one_moment() {
    for method in ["ode45", "dop853", "ode113", "radau5", "rodas3", "bdf"] {
        let mut loaded = load("dominoes", &[&format!("solver.method={method}")]);
        loaded.model.solver.t_end = 0.01;
        let outcome = run(&loaded, &mut Memory::default());
        assert_eq!(outcome.end, EndReason::Finished, "{method}");
        // Two corners by the edge that turns about the other, and what the start does to those.
        assert!(outcome.statistics.events <= 8, "{method}: {}", outcome.statistics.events);
    }
}
