//! Servos whose effort is limited: closed form across the kinks of the effort, and the work they do.

use carom_engine::Model;
use carom_engine::model::{AxisServo, Coordinates, IntegratorKind, JointKind};
use carom_math::Vec3;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene;

const MASS: f64 = 0.8;
const STIFFNESS: f64 = 500.0;
const EFFORT: f64 = 6.0;
const START: f64 = 0.4;
const TARGET: f64 = 0.15;

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
    let servo = AxisServo { stiffness: STIFFNESS, damping: 0.0, target: TARGET, effort: Some(EFFORT) };
    // A third of a period is under way with the greatest effort: an error of the kinks would be one of time.
    for (kind, rtol, allowed) in [
        (IntegratorKind::Ode45, 1e-6, 1e-4),
        (IntegratorKind::Ode45, 1e-10, 1e-8),
        (IntegratorKind::Dop853, 1e-10, 1e-8),
        (IntegratorKind::Radau5, 1e-8, 1e-6),
    ] {
        let mut model = slide(servo, 3.0 * period(), rtol);
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
    let servo = AxisServo { stiffness: STIFFNESS, damping: 0.0, target: TARGET, effort: None };
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
        let servo = AxisServo { stiffness: STIFFNESS, damping, target: START, effort: Some(effort) };
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
