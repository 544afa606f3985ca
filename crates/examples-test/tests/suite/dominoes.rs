//! When the first domino hits the second one, from the law of energy.

use carom_examples_test::load;

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
