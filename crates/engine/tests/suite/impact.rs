//! Isolated impacts against closed forms.

use carom_engine::law::NormalKind;
use carom_engine::record::EventKind;
use carom_math::Vec3;

use crate::scene::{ball, floor, law, model, point, run};

/// A ball dropped from h touches at √(2h/g).
#[test]
fn first_contact_of_a_dropped_ball() {
    let (radius, height, g) = (0.1, 1.0, 9.81);
    let m = model(
        vec![floor(), ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius + height))],
        law(NormalKind::None, 1.0),
        g,
        1.0,
        1e-10,
    );
    let (outcome, keeper) = run(&m);
    let begin = keeper.times(EventKind::ContactBegin)[0];
    eprintln!(
        "{} {:?} residual {:e}",
        begin - (2.0 * height / g).sqrt(),
        outcome.statistics,
        outcome.residual_relative
    );
    assert!((begin - (2.0 * height / g).sqrt()).abs() < 1e-10);
}

/// Hertz impact without gravity: δ_m = (5 m v²/(4K))^(2/5), T = 2.9432… δ_m/v.
#[test]
fn hertz_duration_and_indentation() {
    let (mass, v, k) = (0.3, 1.7, 1e8);
    let mut b = ball("ball", mass, 0.1, Vec3::new(0.0, 0.0, 0.11));
    b.velocity.z = -v;
    let m = model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 0.02, 1e-12);
    let (outcome, keeper) = run(&m);
    let duration = keeper.times(EventKind::ContactEnd)[0] - keeper.times(EventKind::ContactBegin)[0];
    let deepest = libm::pow(1.25 * mass * v * v / k, 0.4);
    // T/(δ_m/v) = 2 ∫ from 0 to 1 of du/√(1 − u^(5/2)) = (4√π/5) Γ(2/5)/Γ(9/10).
    let factor = 0.8 * std::f64::consts::PI.sqrt() * libm::tgamma(0.4) / libm::tgamma(0.9);
    let want = factor * deepest / v;
    let depth = outcome.pairs[0].max_penetration;
    eprintln!(
        "T {:e} depth {:e} {:?} residual {:e}",
        duration / want - 1.0,
        depth / deepest - 1.0,
        outcome.statistics,
        outcome.residual_relative
    );
    assert!((duration / want - 1.0).abs() < 1e-8);
    assert!((depth / deepest - 1.0).abs() < 1e-8);
}

/// `exact` delivers the restitution asked for, at any exponent.
#[test]
fn exact_delivers_the_restitution() {
    for exponent in [1.0, 1.5, 2.0, 3.0] {
        for e in [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
            b.velocity.z = -1.0;
            let mut l = law(NormalKind::Exact, e);
            point(&mut l).exponent = exponent;
            point(&mut l).stiffness = Some(libm::pow(1e8, exponent / 1.5));
            let m = model(vec![floor(), b], l, 0.0, 1.0, 1e-10);
            let (outcome, keeper) = run(&m);
            let delivered = outcome.bodies[1].velocity.z;
            eprintln!(
                "n {exponent} e {e} error {:e} {:?} events {} res {:e}",
                delivered - e,
                outcome.statistics.rhs,
                keeper.events.len(),
                outcome.residual_relative
            );
            assert!((delivered - e).abs() < 1e-6);
        }
    }
}
