//! Servos: limited effort in closed form across its kinks, the work they do, and what follows a moving target.

use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::model::{AxisServo, Coordinates, IntegratorKind, JointKind};
use carom_engine::{Model, Simulation, System};
use carom_math::Vec3;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{self, Keeper};

const MASS: f64 = 0.8;
const STIFFNESS: f64 = 500.0;
const EFFORT: f64 = 6.0;
const START: f64 = 0.4;
const TARGET: f64 = 0.15;

fn hold(target: f64) -> TimeFunction {
    TimeFunction::Constant(target)
}

/// A mass on a slide, at rest off what its servo holds, for `t_end`.
fn slide(servo: AxisServo, t_end: f64, rtol: f64) -> Model {
    let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    slide.elements[0].servo = Some(servo);
    slide.position = Some(vec![START]);
    mechanism(vec![ground(), part("mass", MASS, Vec3::repeat(0.1))], vec![slide], 0.0, t_end, rtol)
}

/// With F alone as far as F/k of the target, then a part of an oscillation, and the same on the other side: the period is
/// 4 (√(2 m (s₀ − F/k)/F) + atan(ω F/(k v₁))/ω), in which the effort has four kinks.
fn period() -> f64 {
    let (omega, knee) = ((STIFFNESS / MASS).sqrt(), EFFORT / STIFFNESS);
    let falls = (2.0 * MASS * (START - TARGET - knee) / EFFORT).sqrt();
    let v = EFFORT / MASS * falls;
    4.0 * (falls + libm::atan(knee * omega / v) / omega)
}

#[test]
fn limited_effort_has_its_period() {
    let servo = AxisServo { stiffness: STIFFNESS, damping: 0.0, target: hold(TARGET), effort: Some(EFFORT) };
    // A third of a period is under way with the greatest effort: an error of the kinks would be one of time.
    for (kind, rtol, allowed) in [
        (IntegratorKind::Ode45, 1e-6, 1e-4),
        (IntegratorKind::Ode45, 1e-10, 1e-8),
        (IntegratorKind::Dop853, 1e-10, 1e-8),
        (IntegratorKind::Radau5, 1e-8, 1e-6),
    ] {
        let mut model = slide(servo.clone(), 3.0 * period(), rtol);
        model.solver.method = kind;
        let mut body = model.clone();
        body.solver.coordinates = Coordinates::Body;
        for model in [model, body] {
            let (outcome, _) = scene::run(&model);
            let (place, speed) = (outcome.bodies[1].position.z - START, outcome.bodies[1].velocity.z);
            assert!(place.abs() < allowed && speed.abs() < 30.0 * allowed, "{kind:?}: {place:e}, {speed:e}");
            assert!(outcome.residual_relative < allowed, "{kind:?}: {:e}", outcome.residual_relative);
        }
    }
}

/// Undamped and unlimited it is a spring; its work is booked as a motor's, so that at the target, a quarter of a period later,
/// the whole kinetic energy is work.
#[test]
fn its_work_is_a_motors() {
    let quarter = 0.5 * std::f64::consts::PI * (MASS / STIFFNESS).sqrt();
    let servo = AxisServo { stiffness: STIFFNESS, damping: 0.0, target: hold(TARGET), effort: None };
    let (outcome, _) = scene::run(&slide(servo, quarter, 1e-10));
    let stored = 0.5 * STIFFNESS * (START - TARGET).powi(2);
    assert!((outcome.bodies[1].position.z - TARGET).abs() < 1e-9);
    assert!((outcome.energy.work_motors - stored).abs() < 1e-8 * stored, "{}", outcome.energy.work_motors);
    assert!(outcome.energy.springs == 0.0);
}

/// Against a steady load less than its effort a servo stands off its target by load/k; against a greater one it gives way with
/// (load − F)/m.
#[test]
fn it_holds_what_it_can() {
    let holding = |effort: f64, t_end: f64| {
        let damping = 2.0 * (STIFFNESS * MASS).sqrt();
        let servo = AxisServo { stiffness: STIFFNESS, damping, target: hold(START), effort: Some(effort) };
        let mut model = slide(servo, t_end, 1e-9);
        model.gravity = Vec3::new(0.0, 0.0, -9.81);
        scene::run(&model).0.bodies[1]
    };
    let held = holding(2.0 * MASS * 9.81, 2.0);
    // Fifty decays of the critically damped servo later only rounding and tolerance are left.
    let want = START - MASS * 9.81 / STIFFNESS;
    assert!(
        (held.position.z - want).abs() < 1e-7 && held.velocity.norm() < 1e-6,
        "{}",
        held.position.z - want
    );
    let effort = 0.5 * MASS * 9.81;
    let (near, far) = (holding(effort, 0.5), holding(effort, 1.0));
    let gained = (far.velocity.z - near.velocity.z) / 0.5;
    assert!((gained + 0.5 * 9.81).abs() < 1e-6, "{gained}");
}

/// A target A sin(ω t) that is followed with stiffness and damping on the deviation and its rate: m q̈ = −k (q − q₀) − c (q̇ − q̇₀).
/// From the start of its steady motion, A Im[H e^{iωt}] with H = (k + i c ω)/(k − m ω² + i c ω), nothing dies out.
#[test]
fn a_moving_target_is_followed_as_by_its_frequency_response() {
    let (amplitude, omega, damping) = (0.2_f64, 17.0_f64, 9.0);
    let sine = [Op::Time, Op::Constant(omega), Op::Mul, Op::Sin, Op::Constant(amplitude), Op::Mul];
    let target = TimeFunction::Program(Program::new(sine.to_vec()).unwrap());
    let (over, under) = ([STIFFNESS, damping * omega], [STIFFNESS - MASS * omega * omega, damping * omega]);
    let size = under[0] * under[0] + under[1] * under[1];
    let response =
        [(over[0] * under[0] + over[1] * under[1]) / size, (over[1] * under[0] - over[0] * under[1]) / size];
    let steady = |t: f64| {
        let (sin, cos) = libm::sincos(omega * t);
        let place = amplitude * (response[0] * sin + response[1] * cos);
        [place, amplitude * omega * (response[0] * cos - response[1] * sin)]
    };
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        let servo = AxisServo { stiffness: STIFFNESS, damping, target: target.clone(), effort: None };
        let mut model = slide(servo, 1.3, 1e-9);
        let [place, speed] = steady(0.0);
        (model.joints[0].position, model.joints[0].velocity) = (Some(vec![place]), Some(vec![speed]));
        model.solver.method = kind;
        let body = scene::run(&model).0.bodies[1];
        let [place, speed] = steady(1.3);
        let miss = [body.position.z - place, body.velocity.z - speed];
        assert!(miss[0].abs() < 1e-7 && miss[1].abs() < 2e-6, "{kind:?}: {miss:?}");
    }
}

/// What is set while a run goes on is the target from there on: the mass swings about the new one with the amplitude of the step.
#[test]
fn a_target_that_is_set_is_held_from_there_on() {
    let half = std::f64::consts::PI * (MASS / STIFFNESS).sqrt();
    let servo = AxisServo { stiffness: STIFFNESS, damping: 0.0, target: hold(START), effort: None };
    let model = slide(servo, 1.0, 1e-10);
    let system = System::compile(&model).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    run.advance_to(0.2, &mut rows).unwrap();
    run.set_motor(0, 0, Some(TARGET)).unwrap();
    run.advance_to(0.2 + half, &mut rows).unwrap();
    let q = run.state()[0];
    assert!((q - (2.0 * TARGET - START)).abs() < 1e-8, "{q}");
    run.set_motor(0, 0, None).unwrap();
    run.advance_to(0.2 + 2.0 * half, &mut rows).unwrap();
    let q = run.state()[0];
    assert!((q - (3.0 * START - 2.0 * TARGET)).abs() < 1e-8, "{q}");
}
