//! Compliant contact becomes rigid as its stiffness grows, with the exponent that the law's dimensions say.

use carom_engine::law::NormalKind;
use carom_engine::record::EventKind;
use carom_math::Vec3;

use crate::rigid::{law_of, make};
use crate::scene::{ball, floor, law, model, run};

const G: f64 = 9.81;
const DROP: f64 = 0.5;
const E: f64 = 0.5;
const RADIUS: f64 = 0.1;

/// A ball is late for its second touch by the time of the first contact, which goes with (m²/(K² v))^(1/5), K^(−2/5): stiffer by 32, a
/// fourth. Gravity within the contact adds less than a hundredth.
#[test]
fn a_bouncing_ball_comes_to_that_of_rigid_contact() {
    let bodies = || vec![floor(), ball("ball", 1.0, RADIUS, Vec3::new(0.0, 0.0, RADIUS + DROP))];
    let fall = (2.0 * DROP / G).sqrt();
    let t_end = fall * (1.0 + 2.0 * E) + 0.01;
    let (_, rigid) = run(&make(bodies(), law_of(E, 0.0), t_end));
    let second = rigid.times(EventKind::ContactBegin)[1];
    assert!((second - fall * (1.0 + 2.0 * E)).abs() < 1e-9, "{second}");
    let late = |factor: f64| {
        let mut compliant = law(NormalKind::Exact, E);
        let point = compliant.point.as_mut().unwrap();
        point.stiffness = Some(1e8 * factor);
        let (_, kept) = run(&model(bodies(), compliant, G, t_end, 1e-10));
        kept.times(EventKind::ContactBegin)[1] - second
    };
    let differences = [1.0, 32.0, 1024.0].map(late);
    for pair in differences.windows(2) {
        let exponent = (pair[1] / pair[0]).ln() / 32.0_f64.ln();
        assert!((exponent + 0.4).abs() < 0.004, "{exponent} {differences:?}");
    }
}
