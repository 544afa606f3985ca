//! Friction and rolling in motion, against closed forms.

use carom_engine::law::{BristleKind, FrictionKind, NormalKind};
use carom_math::{Mat3, Pose, Vec3};

use crate::scene::{ball, block, floor, law, model, run};

const G: f64 = 9.81;

/// A sliding ball rolls at 5/7 of its speed, from t = 2 v₀/(7 μ g) on, having lost 1/7 m v₀²: with the arm
/// r = R − δ/2 of an indented ball, at v₀ r²/(2R²/5 + r²).
#[test]
fn sliding_ball_starts_to_roll() {
    let (mass, radius, v0, mu) = (0.5, 0.05, 2.0, 0.2);
    for kind in [
        FrictionKind::Coulomb { smooth_step: false, v_stribeck: None },
        FrictionKind::Coulomb { smooth_step: true, v_stribeck: None },
        FrictionKind::Ambrosio { v0: None, v1: None },
        FrictionKind::Threlfall,
        FrictionKind::BengisuAkay { decay: 100.0 },
        FrictionKind::StickSlip(BristleKind::DEFAULT),
    ] {
        let mut l = law(NormalKind::Exact, 0.5);
        l.mu = Some(mu);
        l.v_reg = Some(1e-4);
        crate::scene::point(&mut l).friction = kind;
        // It starts at its static indentation, so that it does not bounce.
        let sink = libm::pow(mass * G / 1e8, 2.0 / 3.0);
        let mut b = ball("ball", mass, radius, Vec3::new(0.0, 0.0, radius - sink));
        b.velocity.x = v0;
        let (outcome, keeper) = run(&model(vec![floor(), b], l, G, 0.6, 1e-6));
        let end = outcome.bodies[1];
        let arm = radius - 0.5 * sink;
        let share = arm * arm / (0.4 * radius * radius + arm * arm);
        // Friction makes the problem stiff, so the explicit method sits at its stability limit, where velocities
        // hover by their tolerances, 2e-6 m/s and 4e-5 rad/s: five times that.
        assert!((end.velocity.x - share * v0).abs() < 1e-5, "{} {}", end.velocity.x, share * v0);
        let slip = end.angular_velocity.y - end.velocity.x / arm;
        assert!(slip.abs() < 4e-4, "{slip:e}");
        let lost = outcome.energy.dissipated_friction;
        assert!((lost / (0.5 * mass * v0 * v0 * (1.0 - share)) - 1.0).abs() < 1e-5, "{lost}");
        let rolls_at = 2.0 * v0 / (7.0 * mu * G);
        let rolling =
            |f: &crate::scene::Kept| f.bodies[1].angular_velocity.y * radius > 0.999 * 5.0 / 7.0 * v0;
        let seen = keeper.frames.iter().find(|f| rolling(f)).unwrap().time;
        // Frames are 3 ms apart.
        assert!((seen - rolls_at).abs() < 4e-3, "{seen} {rolls_at}");
    }
}

/// A box sliding on a plane stops after v₀²/(2 μ g) and loses its kinetic energy to friction.
#[test]
fn sliding_box_stops() {
    let (mass, v0, mu) = (2.0, 1.0, 0.4);
    let mut l = law(NormalKind::Exact, 0.3);
    l.mu = Some(mu);
    l.v_reg = Some(1e-3);
    let sink = libm::pow(mass * G / 4e8, 2.0 / 3.0);
    let mut b = block(
        "box",
        mass,
        Vec3::new(0.4, 0.3, 0.1),
        Pose::from_translation(Vec3::new(0.0, 0.0, 0.05 - sink)),
    );
    b.velocity.x = v0;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 0.6, 1e-6));
    let way = v0 * v0 / (2.0 * mu * G);
    // The regularised end creeps over v_reg times a time of v_reg/(μ g): a few 1e-6 m; the moment of the
    // friction tips the load forward without changing its sum.
    assert!(
        (outcome.bodies[1].position.x / way - 1.0).abs() < 5e-3,
        "{} {way}",
        outcome.bodies[1].position.x
    );
    let lost = outcome.energy.dissipated_friction;
    assert!((lost / (0.5 * mass * v0 * v0) - 1.0).abs() < 1e-2, "{lost}");
}

/// Rolling resistance brakes a rolling ball with −μ_r g · 5/7 per unit mass: M = μ_r R N about the contact.
#[test]
fn rolling_resistance_brakes() {
    let (mass, radius, mu_roll, v0) = (0.5, 0.05, 0.02, 1.0);
    let mut l = law(NormalKind::Exact, 0.5);
    l.mu = Some(0.5);
    l.v_reg = Some(1e-4);
    l.rolling.mu_roll = Some(mu_roll);
    let sink = libm::pow(mass * G / 1e8, 2.0 / 3.0);
    let mut b = ball("ball", mass, radius, Vec3::new(0.0, 0.0, radius - sink));
    b.velocity.x = v0;
    b.angular_velocity.y = v0 / radius;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 1.0, 1e-6));
    let want = v0 - 5.0 / 7.0 * mu_roll * G;
    assert!((outcome.bodies[1].velocity.x - want).abs() < 1e-3, "{} {want}", outcome.bodies[1].velocity.x);
}

/// Drilling resistance stops a ball that spins on the spot: ω̇ = −μ_spin r_c N/J with r_c = √(R δ).
#[test]
fn drilling_resistance_stops_a_spin() {
    let (mass, radius, mu_spin, w0) = (0.5, 0.05, 0.3, 10.0);
    let mut l = law(NormalKind::Exact, 0.5);
    l.rolling.mu_spin = Some(mu_spin);
    l.rolling.w_reg = Some(1e-2);
    let sink = libm::pow(mass * G / 1e8, 2.0 / 3.0);
    let mut b = ball("ball", mass, radius, Vec3::new(0.0, 0.0, radius - sink));
    b.angular_velocity.z = w0;
    let inertia = 0.4 * mass * radius * radius;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 0.5, 1e-8));
    let want = w0 - 0.5 * mu_spin * (radius * sink).sqrt() * mass * G / inertia;
    assert!((outcome.bodies[1].angular_velocity.z - want).abs() < 1e-4 * w0);
}

/// Arms need no radius: a block without friction that spins on its flat face loses ω at b_s N/J; a ball that rolls
/// without slip loses v at 5/7 b_r g/R.
#[test]
fn arms_resist_rolling_and_drilling() {
    let (mass, radius, v0) = (0.5, 0.05, 1.0);
    let mut l = law(NormalKind::Exact, 0.5);
    l.rolling.roll_arm = Some(1e-3);
    l.rolling.w_reg = Some(1e-2);
    l.mu = Some(0.8);
    l.v_reg = Some(1e-3);
    let sink = libm::pow(mass * G / 1e8, 2.0 / 3.0);
    let mut b = ball("ball", mass, radius, Vec3::new(0.0, 0.0, radius - sink));
    b.velocity.x = v0;
    b.angular_velocity.y = v0 / radius;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 1.0, 1e-7));
    let want = v0 - 5.0 / 7.0 * 1e-3 / radius * G;
    assert!((outcome.bodies[1].velocity.x - want).abs() < 1e-3, "{} {want}", outcome.bodies[1].velocity.x);

    let (edge, w0, arm) = (0.1, 10.0, 2e-3);
    let mut l = law(NormalKind::Exact, 0.5);
    l.rolling.spin_arm = Some(arm);
    l.rolling.w_reg = Some(1e-2);
    let sink = libm::pow(mass * G / 4e8, 2.0 / 3.0);
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5 * edge - sink));
    let mut b = block("box", mass, Vec3::repeat(edge), place);
    b.angular_velocity.z = w0;
    let inertia = mass * edge * edge / 6.0;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 0.2, 1e-8));
    let want = w0 - 0.2 * arm * mass * G / inertia;
    assert!((outcome.bodies[1].angular_velocity.z - want).abs() < 1e-4 * w0, "{want}");
}

/// Viscous friction: v̇ = −c v/m, booked under its own account.
#[test]
fn viscous_friction_decays_exponentially() {
    let (mass, c, v0) = (2.0, 3.0, 1.0);
    let mut l = law(NormalKind::Exact, 0.3);
    l.mu_visc = 0.25 * c;
    let sink = libm::pow(mass * G / 4e8, 2.0 / 3.0);
    let mut b = block(
        "box",
        mass,
        Vec3::new(2.0, 2.0, 0.02),
        Pose::from_translation(Vec3::new(0.0, 0.0, 0.01 - sink)),
    );
    b.inertia = Mat3::identity();
    b.velocity.x = v0;
    let (outcome, _) = run(&model(vec![floor(), b], l, G, 1.0, 1e-8));
    let want = v0 * (-c / mass).exp();
    assert!((outcome.bodies[1].velocity.x / want - 1.0).abs() < 1e-3, "{}", outcome.bodies[1].velocity.x);
    assert!(outcome.energy.dissipated_viscous > 0.99 * 0.5 * mass * (v0 * v0 - want * want));
    assert_eq!(outcome.energy.dissipated_friction, 0.0);
}
