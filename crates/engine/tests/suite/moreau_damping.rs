//! Time stepping of joints that are damped by more than their inertia resists in a step.

use carom_engine::function::TimeFunction;
use carom_engine::model::{
    AxisElements, AxisFriction, AxisServo, Force, ForceKind, IntegratorKind, Joint, JointKind, Model,
    StepControl,
};
use carom_engine::{EndReason, Outcome, Simulation, System};
use carom_math::{Mat3, Quaternion, Vec3};

use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, floor, run_any};

const MASS: f64 = 0.3;
const INERTIA: f64 = 2.7e-4;
const RADIUS: f64 = 0.02;
const ARM: f64 = 0.2;
const H: f64 = 1e-3;

/// A hinge about y with these elements at a height, and a ball about its axis or at the end of a light arm.
fn hinged(elements: AxisElements, height: f64, is_at_end: bool, t_end: f64) -> Model {
    let reach = if is_at_end { ARM } else { 0.0 };
    let mut hinge: Joint =
        joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, height), at(1, -reach, 0.0, 0.0));
    let to_y = Quaternion::from_axis_angle(&Vec3::x(), -0.5 * std::f64::consts::PI).to_matrix();
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (to_y, to_y);
    hinge.elements[0] = elements;
    let mut bob = ball("bob", MASS, RADIUS, Vec3::zeros());
    bob.inertia = Mat3::from_diagonal_element(INERTIA);
    (bob.pose_stated, bob.velocity_stated) = (false, false);
    let mut model = make(vec![floor(), bob], law_of(0.0, 0.0), t_end);
    model.joints = vec![hinge];
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(H);
    model
}

fn servo(stiffness: f64, damping: f64, target: f64, effort: Option<f64>) -> AxisElements {
    let servo = AxisServo { stiffness, damping, target: TimeFunction::Constant(target), effort };
    AxisElements { servo: Some(servo), ..AxisElements::default() }
}

fn end_of(model: &Model) -> (Outcome, Keeper) {
    let (outcome, kept) = run_any(model);
    assert_eq!(outcome.end, EndReason::Finished);
    (outcome, kept)
}

/// An overdamped servo brings its load to the target with time constants c/k and J/c, h c/2J from 2 to 20 of a step of 1 ms; iteration would
/// multiply what it is off by that much each time. A bound on its torque that holds at first changes only how it sets out.
#[test]
fn an_overdamped_servo_creeps_to_its_target() {
    for (stiffness, damping) in [(2.0, 1.0), (20.0, 10.0)] {
        for effort in [None, Some(5.0)] {
            let (outcome, _) = end_of(&hinged(servo(stiffness, damping, 0.5, effort), 1.0, false, 1.0));
            let [fast, slow] = roots(INERTIA, damping, stiffness);
            // From rest; the bound takes less than 1e-3 s of it.
            let left = 0.5 * (slow * libm::exp(fast) - fast * libm::exp(slow)) / (slow - fast);
            let off = (angle(&outcome) - (0.5 - left)).abs();
            let lag = if effort.is_some() { 2e-3 * left } else { 1e-6 };
            assert!(off < lag, "{stiffness} {damping} {effort:?}: {off:.2e}");
        }
    }
}

/// By which the body has turned about y.
fn angle(outcome: &Outcome) -> f64 {
    2.0 * libm::asin(outcome.bodies[1].orientation.y)
}

/// Roots of J s² + c s + k, the faster first.
fn roots(inertia: f64, damping: f64, stiffness: f64) -> [f64; 2] {
    let root = (damping * damping - 4.0 * inertia * stiffness).sqrt();
    let fast = -(damping + root) / (2.0 * inertia);
    [fast, stiffness / (inertia * fast)]
}

/// A servo presses the end of its arm on the floor: at rest with its torque over the arm, however much it is damped.
#[test]
fn a_damped_servo_presses_with_all_its_torque() {
    for damping in [0.0, 1.0, 100.0] {
        // About y a positive angle goes down; the ball touches at 0.
        let mut model = hinged(servo(8.0, damping, 0.25, None), RADIUS, true, 0.1);
        model.output.every = Some(0.02);
        let (_, kept) = end_of(&model);
        let end = kept.frames.last().expect("frames");
        let pressed = end.contacts[0].normal_force;
        let want = 8.0 * 0.25 / ARM + MASS * 9.81;
        assert!((pressed - want).abs() < 1e-9 * want, "{damping}: {pressed} for {want}");
    }
}

/// A turning disc with dry friction in its hinge comes to rest after ω²J/2F, F/v_reg being 60 times what J resists in a step.
#[test]
fn dry_friction_of_a_hinge_brings_it_to_rest() {
    let (force, v_reg, omega) = (0.033, 1e-3, 5.0);
    let friction = AxisFriction { force, v_reg };
    let elements = AxisElements { friction: Some(friction), ..AxisElements::default() };
    let mut model = hinged(elements, 1.0, false, 1.0);
    model.joints[0].velocity = Some(vec![omega]);
    let (outcome, _) = end_of(&model);
    let want = 0.5 * omega * omega * INERTIA / force;
    let off = (angle(&outcome) - want).abs();
    // The last step at the mean speed of what friction takes off in it, and v_reg for a second, at most.
    assert!(off < 0.5 * H * H * force / INERTIA + v_reg, "{off} of {want}");
    assert!(outcome.bodies[1].angular_velocity.norm() < v_reg);
    assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
}

/// A damper that holds no joint is found by iteration. One that is far too strong for that ends the run, which names the body.
#[test]
fn a_damper_between_bodies_that_is_too_strong_is_told() {
    let (height, length) = (1.0, 0.5);
    let mut model = make(
        vec![floor(), ball("bob", MASS, RADIUS, Vec3::new(0.0, 0.0, height - length))],
        law_of(0.0, 0.0),
        0.1,
    );
    let (a, b) = (at(0, 0.0, 0.0, height), at(1, 0.0, 0.0, 0.0));
    model.forces.push(Force {
        name: "damper".to_owned(),
        kind: ForceKind::SpringDamper {
            a,
            b,
            stiffness: 100.0,
            damping: 1e6,
            length: Some(length),
            actuator: None,
        },
    });
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(H);
    let system = System::compile(&model).expect("a sound model");
    let outcome = Simulation::new(&system).run(&mut Keeper::default()).expect("the recorder never fails");
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((error.code, error.body.as_deref()), ("E0635", Some("bob")), "{}", error.message);
}
