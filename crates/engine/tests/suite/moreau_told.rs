//! What time stepping tells of its steps and rows.

use carom_engine::model::{AxisElements, AxisSpring, IntegratorKind, Joint, JointKind, Model, StepControl};
use carom_engine::{EndReason, Simulation, System};
use carom_math::{Mat3, Vec3};

use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, floor, run};

const H: f64 = 1e-3;

/// A ball that bounces elastically between nothing and a floor without gravity: it has ±1 m/s, and no other speed.
fn bouncing(every: Option<f64>) -> Model {
    let mut thrown = ball("thrown", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1754));
    thrown.velocity = Vec3::new(0.0, 0.0, -1.0);
    let mut model = make(vec![floor(), thrown], law_of(1.0, 0.0), 0.15);
    model.gravity = Vec3::zeros();
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(H);
    model.output.every = every;
    model
}

/// 0.15 s/200 is three quarters of a step: rows there would lie between ends of steps, one of them on the line across the impact, with a
/// kinetic energy that nothing has.
#[test]
fn rows_are_at_ends_of_steps_by_default() {
    let (_, kept) = run(&bouncing(None));
    assert_eq!(kept.frames.len(), 151);
    let speeds = kept.frames.iter().map(|frame| frame.bodies[1].velocity.z);
    assert!(speeds.clone().all(|v| (v.abs() - 1.0).abs() < 1e-12));
    assert!(speeds.clone().any(|v| v > 0.0) && speeds.clone().any(|v| v < 0.0), "it bounces");
}

#[test]
fn an_interval_between_steps_is_told() {
    let is_told = |every: Option<f64>| {
        let system = System::compile(&bouncing(every)).expect("a sound model");
        system.notes().iter().any(|note| note.code == "N0501")
    };
    assert!([0.75e-3, 1.5e-3, 0.2e-3].iter().all(|every| is_told(Some(*every))));
    assert!(!is_told(None) && [1e-3, 5e-3, 0.15].iter().all(|every| !is_told(Some(*every))));
}

/// A body on a spring about its axis, ω h of a turn a step. The force is taken in the middle of the step, at positions that the old
/// velocities lead to: the energy swings by about a quarter of (ω h)² of itself, a hundredth of what moves is passed near ω h = 1.
#[test]
fn a_spring_too_stiff_for_the_step_is_told() {
    for (turn, is_long) in [(0.05, false), (1.5, true)] {
        let inertia = 2.7e-4;
        let mut hinge: Joint =
            joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 1.0), at(1, 0.0, 0.0, 0.0));
        let stiffness = inertia * (turn / H) * (turn / H);
        let spring = AxisSpring { stiffness, damping: 0.0, rest: 0.1 };
        hinge.elements[0] = AxisElements { spring: Some(spring), ..AxisElements::default() };
        let mut rotor = ball("rotor", 0.3, 0.02, Vec3::zeros());
        rotor.inertia = Mat3::from_diagonal_element(inertia);
        (rotor.pose_stated, rotor.velocity_stated) = (false, false);
        let mut model = make(vec![floor(), rotor], law_of(0.0, 0.0), 0.02);
        model.joints = vec![hinge];
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(H);
        let (outcome, _) = run(&model);
        let told = outcome.warnings.iter().any(|warning| warning.starts_with("W0523"));
        assert_eq!(told, is_long, "{turn}: {:.1e} {:?}", outcome.residual_relative, outcome.warnings);
    }
}

/// Without forces nothing evaluates where a body has come to: positions that overflow would be rows of a run that has finished.
#[test]
fn a_state_that_is_no_longer_finite_ends_the_run() {
    let mut thrown = ball("thrown", 1.0, 0.1, Vec3::new(0.0, 0.0, 1.0));
    thrown.velocity = Vec3::new(1e307, 0.0, 0.0);
    let mut model = make(vec![thrown], law_of(0.0, 0.0), 300.0);
    model.gravity = Vec3::zeros();
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(10.0);
    let system = System::compile(&model).expect("a sound model");
    let outcome = Simulation::new(&system).run(&mut Keeper::default()).expect("the recorder never fails");
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((error.code, error.body.as_deref()), ("E0605", Some("thrown")), "{}", error.message);
}
