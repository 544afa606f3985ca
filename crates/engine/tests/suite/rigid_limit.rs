//! Compliant contact becomes rigid as its stiffness grows, with the exponent that the law's dimensions say.

use carom_engine::law::NormalKind;
use carom_engine::record::EventKind;
use carom_math::{Pose, Quaternion, Vec3};

use crate::rigid::{law_of, make};
use crate::scene::{ball, block, floor, law, model, run};

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

/// A block that falls over from its lower edge without friction brings the other edge down when it is level. On soft ground the edge that
/// bears it is as deep as its load demands, (N/K)^(2/3), and so the block is level sooner by a time that goes with K^(−2/3): stiffer by
/// 8, a fourth.
#[test]
fn a_block_that_falls_flat_comes_to_that_of_rigid_contact() {
    let (width, height, tilt): (f64, f64, f64) = (0.4, 0.2, 0.1);
    let turn = Quaternion::from_axis_angle(&Vec3::y(), tilt).to_matrix();
    let corner = turn * Vec3::new(0.5 * width, 0.0, -0.5 * height);
    let bodies = || {
        let pose = Pose { rotation: turn, translation: Vec3::new(0.0, 0.0, -corner.z) };
        vec![floor(), block("block", 1.0, Vec3::new(width, 0.3, height), pose)]
    };
    let touches = |model: &carom_engine::Model| {
        let times = run(model).1.times(EventKind::ContactBegin);
        times.into_iter().find(|time| *time > 0.05).unwrap()
    };
    let t_end = 0.25;
    let rigid = touches(&make(bodies(), law_of(0.0, 0.0), t_end));
    let sooner = |factor: f64| {
        let mut compliant = law(NormalKind::Exact, E);
        compliant.point.as_mut().unwrap().stiffness = Some(1e8 * factor);
        rigid - touches(&model(bodies(), compliant, G, t_end, 1e-10))
    };
    let differences = [1.0, 8.0, 64.0].map(sooner);
    for pair in differences.windows(2) {
        let exponent = (pair[1] / pair[0]).ln() / 8.0_f64.ln();
        assert!((exponent + 2.0 / 3.0).abs() < 0.02, "{exponent} {differences:?}");
    }
}
