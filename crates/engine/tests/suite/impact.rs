//! Isolated impacts against closed forms.

use carom_engine::law::{NormalKind, damping_factor, delivered_restitution};
use carom_engine::record::EventKind;
use carom_math::Vec3;

use crate::scene::{ball, floor, law, model, point, run};

/// A ball dropped from h touches at √(2h/g). Free fall is a parabola, which the method integrates exactly:
/// 1e-12 s leaves room for rounding only.
#[test]
fn first_contact_of_a_dropped_ball() {
    let (radius, g) = (0.1, 9.81);
    for height in [0.01, 1.0, 20.0] {
        let dropped = ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius + height));
        let (_, keeper) = run(&model(vec![floor(), dropped], law(NormalKind::None, 1.0), g, 2.5, 1e-10));
        let begin = keeper.times(EventKind::ContactBegin)[0];
        assert!((begin - (2.0 * height / g).sqrt()).abs() < 1e-12, "{height}: {begin}");
    }
}

/// The state at an event has the new sign: the gap is zero or less at every begin, zero or more at every end,
/// and zero to rounding.
#[test]
fn events_are_located_from_the_right() {
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.35));
    b.velocity.x = 0.3;
    let (_, keeper) = run(&model(vec![floor(), b], law(NormalKind::HuntCrossley, 0.8), 9.81, 2.0, 1e-6));
    assert!(keeper.times(EventKind::ContactBegin).len() > 5);
    for event in &keeper.events {
        match event.kind {
            EventKind::ContactBegin => assert!(event.gap <= 0.0 && event.approach_speed > 0.0),
            _ => assert!(event.gap >= 0.0 && event.approach_speed < 0.0),
        }
        assert!(event.gap.abs() < 1e-14, "{:e}", event.gap);
    }
}

/// Hertz impact without gravity: δ_m = (5 m v²/(4K))^(2/5), T = (4√π/5) Γ(2/5)/Γ(9/10) δ_m/v.
#[test]
fn hertz_duration_and_indentation() {
    let (mass, v, k) = (0.3, 1.7, 1e8);
    let mut b = ball("ball", mass, 0.1, Vec3::new(0.0, 0.0, 0.11));
    b.velocity.z = -v;
    let (outcome, keeper) = run(&model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 0.02, 1e-12));
    let duration = keeper.times(EventKind::ContactEnd)[0] - keeper.times(EventKind::ContactBegin)[0];
    let deepest = libm::pow(1.25 * mass * v * v / k, 0.4);
    let factor = 0.8 * std::f64::consts::PI.sqrt() * libm::tgamma(0.4) / libm::tgamma(0.9);
    assert!((duration / (factor * deepest / v) - 1.0).abs() < 1e-8);
    assert!((outcome.pairs[0].peaks.penetration.value / deepest - 1.0).abs() < 1e-8);
    // The impulse of an elastic impact is 2 m v.
    assert!((outcome.pairs[0].impulse_normal / (2.0 * mass * v) - 1.0).abs() < 1e-8);
}

/// Restitution of an isolated impact without gravity.
fn restitution(kind: NormalKind, e: f64, exponent: f64) -> f64 {
    let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
    b.velocity.z = -1.0;
    let mut l = law(kind, e);
    point(&mut l).exponent = exponent;
    point(&mut l).stiffness = Some(libm::pow(1e8, exponent / 1.5));
    let (outcome, keeper) = run(&model(vec![floor(), b], l, 0.0, 1.0, 1e-10));
    assert_eq!(keeper.events.iter().filter(|e| e.kind == EventKind::ContactBegin).count(), 1);
    outcome.bodies[1].velocity.z
}

#[test]
fn exact_delivers_the_restitution_at_any_exponent() {
    for exponent in [1.0, 1.5, 2.0, 3.0] {
        for e in [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let delivered = restitution(NormalKind::Exact, e, exponent);
            assert!((delivered - e).abs() < 1e-6, "n {exponent} e {e}: {delivered}");
        }
    }
}

/// The integrator holds the documentation's table, which is computed from the momentum balance.
#[test]
fn every_law_delivers_what_the_documentation_says() {
    for kind in NormalKind::ALL {
        for e in [0.1, 0.5, 0.9] {
            let want = match kind {
                NormalKind::Anagnostopoulos => e,
                NormalKind::ElasticResponse => delivered_restitution(1.6 * (1.0 - e) / e),
                _ => delivered_restitution(damping_factor(kind, e).unwrap()),
            };
            let exponent = if kind == NormalKind::Anagnostopoulos { 1.0 } else { 1.5 };
            let delivered = restitution(kind, e, exponent);
            assert!((delivered - want).abs() < 1e-7, "{} {e}: {delivered} for {want}", kind.name());
        }
    }
}

/// Two free balls: momentum is conserved to rounding, and a central elastic impact of equal balls exchanges
/// their velocities.
#[test]
fn equal_balls_exchange_velocities() {
    let mut a = ball("a", 0.2, 0.05, Vec3::new(-0.2, 0.0, 0.0));
    a.velocity.x = 2.0;
    let b = ball("b", 0.2, 0.05, Vec3::new(0.1, 0.0, 0.0));
    let (outcome, _) = run(&model(vec![a, b], law(NormalKind::None, 1.0), 0.0, 0.5, 1e-10));
    let (va, vb) = (outcome.bodies[0].velocity, outcome.bodies[1].velocity);
    assert!(va.norm() < 1e-8 && (vb - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-8);
    assert!((va.x + vb.x - 2.0).abs() < 1e-14);
}
