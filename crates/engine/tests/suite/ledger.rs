//! The energy ledger: it balances, and it notices.

use carom_engine::law::{FrictionKind, NormalKind};
use carom_engine::model::{
    Attachment, AxisLimit, AxisSpring, Force, ForceKind, IntegratorKind, JointKind, Stop,
};
use carom_engine::record::Energy;
use carom_engine::{Model, residual, sum_of_states};
use carom_math::{Pose, Quaternion, Vec3};

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{ball, block, floor, law, model, run};

/// A tumbling box and a ball on a floor with everything that dissipates.
fn busy(rtol: f64) -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.5);
    l.mu = Some(0.3);
    l.mu_visc = 2.0;
    l.v_reg = Some(0.02);
    crate::scene::point(&mut l).friction = FrictionKind::Coulomb { smooth_step: false, v_stribeck: None };
    crate::scene::point(&mut l).stiffness = Some(1e7);
    let pose = Pose {
        rotation: Quaternion::from_roll_pitch_yaw(0.3, 0.5, 0.1).to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.4),
    };
    let mut b = block("box", 1.0, Vec3::new(0.2, 0.3, 0.1), pose);
    b.velocity.x = 1.0;
    let mut c = ball("ball", 0.5, 0.1, Vec3::new(1.0, 0.0, 0.3));
    c.velocity = Vec3::new(-0.5, 0.3, 0.0);
    c.angular_velocity.x = 20.0;
    let mut m = model(vec![floor(), b, c], l, 9.81, 1.0, rtol);
    m.pairs.retain(|p| p.a.body == 0);
    m
}

/// The residual is the integrator's error: below 10 times rtol, and falling with it.
#[test]
fn residual_falls_with_the_tolerance() {
    let residuals = [1e-5, 1e-7, 1e-9].map(|rtol| run(&busy(rtol)).0.residual_relative);
    for (residual, rtol) in residuals.iter().zip([1e-5, 1e-7, 1e-9]) {
        assert!(*residual < 10.0 * rtol, "{residuals:?}");
    }
    assert!(residuals[2] < 0.1 * residuals[1] && residuals[1] < 0.1 * residuals[0], "{residuals:?}");
}

/// A body of 1 kg on a spring of 100 N/m with a damper of 1 N s/m, pushed off at 1 m/s, for four seconds; beside 99 of
/// 1 mg that coast and make the energy scale small.
fn swinging(energy: Option<f64>) -> Model {
    let balls = (0..100).map(|i| {
        let mass = if i == 0 { 1.0 } else { 1e-6 };
        let mut b = ball(&format!("ball{i}"), mass, 0.1, Vec3::new(1.0, f64::from(i), 0.0));
        b.velocity.x = 1.0;
        b
    });
    let mut m = model(balls.chain([floor()]).collect(), law(NormalKind::None, 1.0), 0.0, 4.0, 1e-4);
    m.pairs.clear();
    let at = |body| Attachment { body, pose: Pose::identity() };
    m.forces = vec![Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            a: at(100),
            b: at(0),
            stiffness: 100.0,
            damping: 1.0,
            length: None,
            actuator: None,
        },
    }];
    m.solver.method = IntegratorKind::Ode45;
    m.solver.atol.energy = energy;
    m
}

/// The default holds the losses to 1e-4 of the energy of a body of 10 g, 5e-7 J a step; the position of the heavy one
/// is held to 1e-5 m in 0.1 m and its velocity to 1e-4, which are 1e-4 J of 1 J. With that for the losses too, steps of
/// order five may be longer by up to 200^(1/5) = 2.9. No step is estimated to be off by more than the tolerance, so
/// that the ledger is not off by more than it in every step, and the losses by that and what position and velocity are.
#[test]
fn the_tolerance_of_energy_sets_the_steps() {
    let (by_default, _) = run(&swinging(None));
    // x = exp(−t/2) sin(ω t)/ω with ω² = 100 − 1/4, after 4 s.
    let omega = 99.75_f64.sqrt();
    let (sin, cos) = (4.0 * omega).sin_cos();
    let [x, v] = [sin / omega, cos - 0.5 * sin / omega].map(|x| (-2.0_f64).exp() * x);
    let lost = 0.5 - 0.5 * v * v - 50.0 * x * x;
    for (tolerance, fewest, most) in [(1e-4, 0.0, 0.7), (5.05e-7, 0.9, 1.1), (1e-10, 2.0, 20.0)] {
        let (outcome, _) = run(&swinging(Some(tolerance)));
        let steps = outcome.statistics.steps as f64;
        let share = steps / by_default.statistics.steps as f64;
        let error = (outcome.energy.dissipated_viscous - lost).abs();
        let residual = outcome.residual_relative * outcome.energy_moved;
        assert!((fewest..=most).contains(&share), "{tolerance}: {steps} of {}", by_default.statistics.steps);
        assert!(error <= steps * (tolerance + 1e-4), "{tolerance}: {error}");
        assert!(residual <= steps * tolerance, "{tolerance}: {residual}");
    }
}

type Account = (&'static str, fn(&mut Energy) -> &mut f64);

/// No account is the rest of the others: each, multiplied by 1.001, breaks the balance.
#[test]
fn every_account_is_needed() {
    let rtol = 1e-9;
    let (outcome, keeper) = run(&busy(rtol));
    let start = sum_of_states(&keeper.frames[0].energy);
    let accounts: [Account; 6] = [
        ("kinetic", |e| &mut e.kinetic),
        ("gravity", |e| &mut e.gravity),
        ("contact_elastic", |e| &mut e.contact_elastic),
        ("dissipated_normal", |e| &mut e.dissipated_normal),
        ("dissipated_friction", |e| &mut e.dissipated_friction),
        ("dissipated_viscous", |e| &mut e.dissipated_viscous),
    ];
    let worst = |change: &dyn Fn(&mut Energy)| {
        let residuals = keeper.frames.iter().map(|frame| {
            let mut energy = frame.energy;
            change(&mut energy);
            residual(&energy, start).abs()
        });
        residuals.fold(0.0, f64::max) / outcome.energy_moved
    };
    let limit = 10.0 * rtol;
    assert!(worst(&|_| ()) < limit);
    for (name, account) in accounts {
        let broken = worst(&|energy| *account(energy) *= 1.001);
        assert!(broken > 10.0 * limit, "{name}: {broken:e}");
    }
}

/// What a contact loses is what the bodies lose: m v²/2 (1 − e²).
#[test]
fn impact_loss_is_the_restitution() {
    let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
    b.velocity.z = -1.0;
    let (outcome, _) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.6), 0.0, 0.1, 1e-9));
    assert!((outcome.energy.dissipated_normal / (0.5 * 0.3 * (1.0 - 0.36)) - 1.0).abs() < 1e-7);
    assert!((outcome.pairs[0].dissipated - outcome.energy.dissipated_normal).abs() < 1e-15);
}

/// Frames between steps balance as well as steps do: the dense output carries the quadratures.
#[test]
fn frames_balance_between_steps() {
    let mut m = busy(1e-7);
    m.output.every = Some(1e-3);
    let (outcome, keeper) = run(&m);
    assert!(keeper.frames.len() == 1001);
    for frame in &keeper.frames {
        assert!(frame.energy.residual.abs() < 1e-5 * outcome.energy_moved, "{}", frame.time);
    }
}

/// A ball at rest on a strongly damped contact does not make energy: an explicit method at its stability limit
/// would keep the contact's fast mode alive at the size of the tolerance, and the ledger would drift with it.
#[test]
fn rest_does_not_drift() {
    let residual = |t_end: f64| {
        let b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.15));
        let (outcome, _) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.0), 9.81, t_end, 1e-6));
        assert!(outcome.bodies[1].velocity.norm() < 1e-6);
        outcome.residual_relative
    };
    let (early, late) = (residual(1.0), residual(30.0));
    assert!(early < 1e-5 && late < 2.0 * early, "{early:e} {late:e}");
}

/// A torque-free top: kinetic energy is all there is, and none of it moves. The residual is the integrator's error of the
/// kinetic energy, and relative to it. An account that is wrong by a thousandth still shows.
#[test]
fn where_no_energy_moves_the_residual_is_relative_to_what_is_there() {
    let mut top = block("top", 2.0, Vec3::new(0.3, 0.2, 0.1), Pose::identity());
    top.angular_velocity = Vec3::new(1.0, 20.0, 0.5);
    let mut m = model(vec![top], law(NormalKind::None, 1.0), 0.0, 2.0, 1e-7);
    m.pairs.clear();
    let (outcome, keeper) = run(&m);
    let kinetic = keeper.frames[0].energy.kinetic;
    assert!(outcome.energy_moved < 1e-4 * kinetic, "{outcome:?}");
    assert!((outcome.energy_reference / kinetic - 1.0).abs() < 1e-4, "{outcome:?}");
    assert!(outcome.residual_relative < 1e-5, "{:e}", outcome.residual_relative);
    let broken = keeper.frames.iter().map(|frame| {
        let energy = Energy { kinetic: 1.001 * frame.energy.kinetic, ..frame.energy };
        residual(&energy, kinetic).abs() / outcome.energy_reference
    });
    assert!(broken.fold(0.0, f64::max) > 9e-4);
}

/// A pendulum that hangs still: all that its accounts do is round.
#[test]
fn a_body_that_hangs_still_has_no_residual() {
    let mut bob = part("bob", 2.0, Vec3::repeat(0.02));
    bob.com = Vec3::new(0.0, 0.0, -0.5);
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.3), at(1, 0.0, 0.0, 0.0));
    // The axis is y.
    let turned = carom_math::Mat3::from_columns(&[Vec3::z(), Vec3::x(), Vec3::y()]);
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (turned, turned);
    let (outcome, _) = run(&mechanism(vec![ground(), bob], vec![hinge], 9.81, 1.0, 1e-6));
    assert!(outcome.bodies[1].velocity.norm() < 1e-12);
    let present = 2.0 * 9.81 * 0.2;
    assert!(outcome.residual_relative < 1e-12, "{:e}", outcome.residual_relative);
    // Nothing at all may have moved, and then nothing is left over.
    let (reference, moved) = (outcome.energy_reference, outcome.energy_moved);
    assert!((reference / present - 1.0).abs() < 1e-9, "{reference} {moved:e}");
}

/// Where energy moves, its amount is the reference, however much more is there: a flywheel beside an impact.
#[test]
fn where_energy_moves_it_is_the_reference() {
    let mut wheel =
        block("wheel", 1e3, Vec3::new(1.0, 1.0, 0.1), Pose::from_translation(Vec3::new(5.0, 0.0, 5.0)));
    wheel.angular_velocity.z = 100.0;
    let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
    b.velocity.z = -1.0;
    let mut m = model(vec![floor(), b, wheel], law(NormalKind::Exact, 0.6), 0.0, 0.1, 1e-9);
    m.pairs.retain(|p| p.a.body == 0 && p.b.body == 1);
    let (outcome, _) = run(&m);
    assert!(outcome.energy_reference == outcome.energy_moved && outcome.energy_moved < 1.0, "{outcome:?}");
}

/// A finger of 40 g at its stop, with a drive whose inertia is a thousand times its own: what moves is 1e-8 J, a millionth of what
/// tolerances reckon with, and its books close all the same. Without steps that heed them 3.7e-4 of it was left.
#[test]
fn little_that_moves_is_accounted_for() {
    // Thirty metres up, the weight's energy is a billion times what moves.
    let methods = [IntegratorKind::Auto, IntegratorKind::Ode45, IntegratorKind::Radau5];
    for (method, height) in methods.into_iter().flat_map(|method| [(method, 0.3), (method, 30.0)]) {
        let mut finger = part("finger", 0.04, Vec3::repeat(2e-5));
        finger.com = Vec3::new(0.03, 0.0, 0.0);
        let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, height), at(1, 0.0, 0.0, 0.0));
        // The axis is y.
        let turned = carom_math::Mat3::from_columns(&[Vec3::z(), Vec3::x(), Vec3::y()]);
        (hinge.a.pose.rotation, hinge.b.pose.rotation) = (turned, turned);
        let stop = Stop::Compliant { stiffness: None, exponent: 1.5, restitution: 0.1 };
        hinge.elements[0].armature = 0.1;
        hinge.elements[0].limit = Some(AxisLimit { lower: None, upper: Some(0.0), stop });
        let mut m = mechanism(vec![ground(), finger], vec![hinge], 9.81, 0.5, 1.5e-5);
        m.solver.method = method;
        let (outcome, _) = run(&m);
        let (moved, closed) = (outcome.energy_moved, outcome.residual_relative);
        assert!(
            moved > 0.0 && moved < 1e-6 && closed < 1e-4,
            "{method:?}, {height} m: {moved:e} J, {closed:e}"
        );
    }
}

/// A leg of 0.4 kg, with a drive whose inertia is many times its own, falls by 10 mm and comes to rest on its foot: half as much moves
/// as tolerances reckon with, and with ledgers that were looked at to a tenth of that 4.3e-4 of it was left.
#[test]
fn what_moves_below_the_energy_of_tolerances_is_accounted_for() {
    let mut leg = part("leg", 0.4, Vec3::repeat(4e-3));
    leg.com = Vec3::new(0.2, 0.0, -0.2);
    leg.shapes = ball("foot", 0.4, 0.08, Vec3::zeros()).shapes;
    leg.shapes[0].pose = Pose::from_translation(Vec3::new(0.4, 0.0, -0.4));
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.49), at(1, 0.0, 0.0, 0.0));
    // The axis is y.
    let turned = carom_math::Mat3::from_columns(&[Vec3::x(), -Vec3::z(), Vec3::y()]);
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (turned, turned);
    hinge.elements[0].armature = 1.0;
    hinge.elements[0].spring = Some(AxisSpring { stiffness: 1.0, damping: 1.0, rest: 0.0 });
    let mut l = law(NormalKind::Exact, 0.1);
    (l.mu, l.v_reg) = (Some(1.0), Some(0.01));
    crate::scene::point(&mut l).stiffness = Some(2.5e4);
    let mut m = model(vec![floor(), leg], l, 9.81, 2.0, 1.5e-5);
    m.joints = vec![hinge];
    let (outcome, _) = run(&m);
    let (moved, closed) = (outcome.energy_moved, outcome.residual_relative);
    assert!((0.03..0.05).contains(&moved) && closed < 1e-4, "{moved} J, {closed:e}");
}
