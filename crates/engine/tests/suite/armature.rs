//! Inertia along coordinates alone: closed forms, bodies that do the same, and the algorithms against each other.

use carom_engine::analysis::{Dynamics, Loads};
use carom_engine::law::NormalKind;
use carom_engine::model::{
    Attachment, AxisElements, AxisFriction, AxisLimit, AxisSpring, ConstraintKind, Coordinates, Formulation,
    JointCoordinate, JointKind, Motor, StepControl, Stop,
};
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::{DMatrix, DVector};

use crate::ali3p::four_bar;
use crate::drives::swing;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene;
use crate::tree::random_models;

const G: f64 = 9.81;

/// Trees of all joint kinds with an armature on every coordinate, and these by freedom.
fn with_armatures() -> Vec<Model> {
    let mut random = SplitMix64::new(77);
    let mut models = random_models();
    for element in models.iter_mut().flat_map(|m| &mut m.joints).flat_map(|j| &mut j.elements) {
        element.armature = random.uniform(0.05, 2.0);
    }
    models
}

fn without(model: &Model) -> Model {
    let mut model = model.clone();
    model.joints.iter_mut().flat_map(|j| &mut j.elements).for_each(|e| e.armature = 0.0);
    model
}

/// M is that of the bodies with the armatures on its diagonal, the bias that of the bodies, and articulated bodies solve
/// M v̇ + h = τ.
#[test]
fn armature_is_on_the_diagonal() {
    let mut random = SplitMix64::new(6);
    let mut seen = 0;
    for (number, model) in with_armatures().iter().enumerate() {
        let (system, bare) = (System::compile(model).unwrap(), System::compile(&without(model)).unwrap());
        let (mut dynamics, bodies) = (Dynamics::new(&system), Dynamics::new(&bare));
        let n = system.freedoms();
        let added = dynamics.mass_matrix() - bodies.mass_matrix();
        let all: Vec<f64> =
            model.joints.iter().flat_map(|j| &j.elements).map(|element| element.armature).collect();
        seen += all.len();
        let diagonal = DMatrix::from_diagonal(&added.diagonal());
        assert!((&added - &diagonal).amax() < 1e-12, "model {number}");
        assert!((diagonal.trace() - all.iter().sum::<f64>()).abs() < 1e-12 * added.norm(), "model {number}");
        let difference = dynamics.bias_forces(Loads::All) - bodies.bias_forces(Loads::All);
        assert!(difference.amax() == 0.0, "model {number}");
        let efforts = DVector::from_fn(n, |_, _| random.uniform(-1.0, 1.0));
        let right = &efforts - dynamics.bias_forces(Loads::All);
        let want = dynamics.mass_matrix().cholesky().unwrap().solve(&right);
        let found = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
        let error = (&found - &want).norm() / want.norm();
        assert!(error < 1e-10, "model {number}: {error:.2e}");
        let back = dynamics.inverse_dynamics(&found, Loads::All);
        let error = (back - efforts).norm() / (dynamics.mass_matrix().norm() * found.norm());
        assert!(error < 1e-13, "model {number}: {error:.2e}");
    }
    assert!(seen > 100, "{seen}");
}

/// Springs, dampers, gravity: what coordinates with armature gain and lose is in the ledger.
#[test]
fn energy_balances() {
    for (number, mut model) in with_armatures().into_iter().enumerate() {
        model.solver.t_end = 0.5;
        model.solver.rtol = 1e-11;
        let (outcome, _) = scene::run(&model);
        assert!(outcome.residual_relative < 1e-9, "model {number}: {:.2e}", outcome.residual_relative);
    }
}

/// A pendulum that hits a stop and a ball on its end that hits the floor: with inertia in a hinge to the ground, or in the
/// body about that hinge, it is the same equation, impacts included.
#[test]
fn a_hinge_to_the_ground_has_it_as_its_body_has() {
    let run = |of_hinge: f64, of_body: f64| {
        let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -0.5, 0.0, 0.0));
        hinge.elements[0].armature = of_hinge;
        let stop = Stop::Compliant { stiffness: None, exponent: 1.5, restitution: 0.6 };
        hinge.elements[0].limit = Some(AxisLimit { lower: None, upper: Some(0.4), stop });
        hinge.position = Some(vec![0.3]);
        hinge.velocity = Some(vec![2.0]);
        let mut bob = part("bob", 1.2, Vec3::new(0.02, 0.03, 0.02 + of_body));
        bob.shapes = scene::ball("ball", 1.0, 0.1, Vec3::zeros()).shapes;
        let plane = Pose::from_translation(Vec3::new(0.0, -0.5, 0.0));
        let turned = Pose { rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0), ..plane };
        let floor = scene::fixed("floor", Shape::HalfSpace, turned);
        let mut model = mechanism(vec![ground(), bob, floor], vec![hinge], 0.0, 1.5, 1e-10);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let law = scene::law(NormalKind::Exact, 0.5);
        let pairs = scene::model(model.bodies.clone(), law, 0.0, 1.0, 1e-6).pairs;
        model.pairs = pairs;
        scene::run(&model)
    };
    let [(a, rows), (b, _), (bare, _)] = [run(0.3, 0.0), run(0.0, 0.3), run(0.0, 0.0)];
    let apart = (a.bodies[1].position - b.bodies[1].position).norm();
    assert!(rows.events.len() > 3, "{} events", rows.events.len());
    // Ten times the tolerance, through impacts.
    assert!(apart < 1e-7, "{apart:.2e}");
    assert!((a.bodies[1].position - bare.bodies[1].position).norm() > 0.01);
    assert!(a.residual_relative < 1e-7, "{:.2e}", a.residual_relative);
}

/// A mass on a slide, held by a spring: ω² = k/(m + A), in the motion and among the modes.
#[test]
fn a_slide_is_as_heavy_as_its_armature() {
    let (mass, armature, stiffness): (f64, f64, f64) = (0.7, 2.1, 140.0);
    let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    slide.elements[0].armature = armature;
    slide.elements[0].spring = Some(AxisSpring { stiffness, damping: 0.0, rest: 0.0 });
    slide.position = Some(vec![0.1]);
    let bodies = vec![ground(), part("mass", mass, Vec3::repeat(0.1))];
    let model = mechanism(bodies, vec![slide], 0.0, 1.3, 1e-10);
    let omega = (stiffness / (mass + armature)).sqrt();
    let (outcome, _) = scene::run(&model);
    let want = 0.1 * libm::cos(omega * 1.3);
    assert!((outcome.bodies[1].position.z - want).abs() < 1e-9);
    let modes = Dynamics::new(&System::compile(&model).unwrap()).find_modes().unwrap();
    let found = modes.modes[0].undamped_frequency;
    assert!((found - omega / std::f64::consts::TAU).abs() < 1e-7 * omega, "{found}");
}

/// A rotor of its own that a gear couples to the joint moves it as its armature J n² does, whatever else moves.
#[test]
fn a_rotor_behind_a_gear_is_an_armature() {
    let (rotor, ratio) = (2e-4, 30.0);
    let arms = |explicit: bool| {
        let arm = |name: &str| part(name, 0.8, Vec3::new(0.002, 0.03, 0.025));
        let mut bodies = vec![ground(), arm("upper"), arm("lower")];
        let mut joints = vec![
            joint("shoulder", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -0.3, 0.0, 0.0)),
            joint("elbow", JointKind::Revolute, at(1, 0.3, 0.0, 0.0), at(2, -0.3, 0.1, 0.0)),
        ];
        joints[1].velocity = Some(vec![3.0]);
        if explicit {
            bodies.push(part("rotor", 0.1, Vec3::repeat(rotor)));
            joints.push(joint("motor", JointKind::Revolute, at(0, 1.0, 0.0, 0.0), at(3, 0.0, 0.0, 0.0)));
        } else {
            joints[0].elements[0].armature = rotor * ratio * ratio;
        }
        let mut model = mechanism(bodies, joints, 0.0, 1.5, 1e-10);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        if explicit {
            let at = |joint| JointCoordinate { joint, axis: 0 };
            model.constraints.push(carom_engine::model::Constraint {
                name: "gear".to_owned(),
                kind: ConstraintKind::Coupling {
                    terms: vec![(at(0), ratio), (at(2), -1.0)],
                    offset: Some(0.0),
                },
            });
        }
        scene::run(&model).0
    };
    let (a, b) = (arms(true), arms(false));
    let apart = (a.bodies[2].position - b.bodies[2].position).norm();
    assert!(apart < 1e-7, "{apart:.2e}");
    assert!((a.energy.kinetic - b.energy.kinetic).abs() < 1e-7, "{} {}", a.energy.kinetic, b.energy.kinetic);
}

/// What a motor that prescribes φ(t) must give: τ = (J + A) φ̈ + m g s cos φ, by the link and by a row, and its work is what
/// the energy has gained.
#[test]
fn a_driven_joint_takes_its_armature_along() {
    let (mass, arm, inertia, armature) = (1.3, 0.7, 0.05, 0.4);
    let (a, b, omega, phase) = (0.5, 0.8, 3.0, 0.4);
    for by_rows in [false, true] {
        let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -arm, 0.0, 0.0));
        hinge.elements[0].motor = Some(Motor::Position(swing(a, b, omega, phase)));
        hinge.elements[0].armature = armature;
        let bodies = vec![
            ground(),
            part("bob", mass, Vec3::new(0.03, 0.04, inertia)),
            part("other", 1.0, Vec3::repeat(0.1)),
        ];
        let mut joints = vec![hinge];
        if by_rows {
            // Another constraint, so that the motor is a row beside it.
            let mut closing = joint("far", JointKind::Spherical, at(0, 5.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
            closing.cut = true;
            joints.push(closing);
        }
        let mut model = mechanism(bodies, joints, 0.0, 1.0, 1e-9);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let system = System::compile(&model).unwrap();
        let sample = Dynamics::new(&system).joint_samples().unwrap().swap_remove(0);
        let sine = libm::sin(phase);
        let want = (inertia + mass * arm * arm + armature) * (-b * omega * omega * sine)
            + mass * G * arm * libm::cos(a + b * sine);
        // Rounding of a handful of operations.
        assert!(
            (sample.effort[0] - want).abs() < 1e-12 * want.abs(),
            "{by_rows}: {} {want}",
            sample.effort[0]
        );
        let (outcome, _) = scene::run(&model);
        assert!(outcome.residual_relative < 1e-8, "{by_rows}: {:.2e}", outcome.residual_relative);
    }
}

/// About its centre a ball turns, and along its freedoms a free joint moves, with what is on them alone:
/// (I + A) ω̇ = −F tanh(ω/v) and (m + A) v̇ = m g − F tanh(v/v₀), far above the speeds of regularisation. Friction takes what is lost.
#[test]
fn rotations_have_friction_and_armature_along_their_velocities() {
    let friction = |force| Some(AxisFriction { force, v_reg: 1e-3 });
    let (mass, inertia, t_end) = (1.3, 0.2, 0.5);
    let mut ball = joint("ball", JointKind::Spherical, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    ball.velocity = Some(vec![0.0, 4.0, 0.0]);
    (ball.elements[1].armature, ball.elements[1].friction) = (0.3, friction(0.7));
    let mut free = joint("free", JointKind::Free, at(0, 5.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
    free.velocity = Some(vec![0.0, 0.0, -2.0, 3.0, 0.0, 0.0]);
    (free.elements[2].armature, free.elements[2].friction) = (0.9, friction(1.1));
    (free.elements[3].armature, free.elements[3].friction) = (0.1, friction(0.2));
    let bodies =
        vec![ground(), part("ball", 1.0, Vec3::repeat(inertia)), part("free", mass, Vec3::repeat(inertia))];
    let model = mechanism(bodies, vec![ball, free], G, t_end, 1e-10);
    let (outcome, _) = scene::run(&model);
    let spin = |body: usize| outcome.bodies[body].angular_velocity;
    // Ten times the tolerance; of the fall 1e-10 of some metres per second.
    let slowed = 4.0 - 0.7 / (inertia + 0.3) * t_end;
    assert!((spin(1) - Vec3::new(0.0, slowed, 0.0)).norm() < 1e-8, "{}", spin(1));
    let slowed = 3.0 - 0.2 / (inertia + 0.1) * t_end;
    assert!((spin(2) - Vec3::new(slowed, 0.0, 0.0)).norm() < 1e-8, "{}", spin(2));
    let fall = -2.0 - (mass * G - 1.1) / (mass + 0.9) * t_end;
    assert!((outcome.bodies[2].velocity - Vec3::new(0.0, 0.0, fall)).norm() < 1e-8);
    let [turned, twisted] = [4.0, 3.0].map(|start| start * t_end);
    let way = 0.7 * (turned - 0.5 * 0.7 / (inertia + 0.3) * t_end * t_end)
        + 0.2 * (twisted - 0.5 * 0.2 / (inertia + 0.1) * t_end * t_end)
        + 1.1 * (2.0 * t_end + 0.5 * (mass * G - 1.1) / (mass + 0.9) * t_end * t_end);
    assert!((outcome.energy.dissipated_friction - way).abs() < 1e-8 * way, "{:?} {way}", outcome.energy);
    assert!(outcome.residual_relative < 1e-8, "{:.2e}", outcome.residual_relative);
}

/// Turns are about the axes of M, which go with the body and are none of its own here; displacements are along those of F, which are
/// none of the world's. Bodies with one inertia I about all axes: what acts about one axis leaves the others alone, in M's axes only.
#[test]
fn friction_and_armature_have_the_axes_of_the_joint() {
    // x, y, z of the joint are y, z, x of what the frame is on.
    let axes = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    let turned = |body| {
        let place = at(body, 0.0, 0.0, 0.0);
        Attachment { pose: Pose { rotation: axes, ..place.pose }, ..place }
    };
    let friction = |force| Some(AxisFriction { force, v_reg: 1e-3 });
    let (mass, inertia, t) = (1.3, 0.2, 0.5);
    let mut ball = joint("ball", JointKind::Spherical, at(0, 0.0, 0.0, 0.0), turned(1));
    ball.velocity = Some(vec![1.5, 0.0, 4.0]);
    (ball.elements[2].armature, ball.elements[2].friction) = (0.3, friction(0.7));
    let mut free = joint("free", JointKind::Free, turned(0), at(2, 0.0, 0.0, 0.0));
    free.velocity = Some(vec![2.0, 0.0, -1.0, 0.5, 3.0, 0.0]);
    (free.elements[0].armature, free.elements[0].friction) = (0.9, friction(1.1));
    (free.elements[4].armature, free.elements[4].friction) = (0.1, friction(0.2));
    let bodies =
        vec![ground(), part("ball", 1.0, Vec3::repeat(inertia)), part("free", mass, Vec3::repeat(inertia))];
    let (outcome, _) = scene::run(&mechanism(bodies, vec![ball, free], 0.0, t, 1e-10));
    let own_spin = |body: usize| {
        let body = &outcome.bodies[body];
        body.orientation.to_matrix().tr_mul(&body.angular_velocity)
    };
    // Ten times the tolerance.
    let want = axes * Vec3::new(1.5, 0.0, 4.0 - 0.7 / (inertia + 0.3) * t);
    assert!((own_spin(1) - want).norm() < 1e-8, "{} {want}", own_spin(1));
    let want = Vec3::new(0.5, 3.0 - 0.2 / (inertia + 0.1) * t, 0.0);
    assert!((own_spin(2) - want).norm() < 1e-8, "{} {want}", own_spin(2));
    let want = axes * Vec3::new(2.0 - 1.1 / (mass + 0.9) * t, 0.0, -1.0);
    assert!((outcome.bodies[2].velocity - want).norm() < 1e-8, "{} {want}", outcome.bodies[2].velocity);
}

/// The augmented Lagrangian takes M and the residual from the same places; its error falls with the step squared.
#[test]
fn index_3_formulation_has_it_too() {
    let run = |formulation, step| {
        let mut model = four_bar();
        model.joints[0].elements[0].armature = 0.6;
        model.solver.formulation = formulation;
        model.solver.step = step;
        scene::run(&model).0.bodies[2].position
    };
    let exact = run(Formulation::Kkt, StepControl::ErrorControlled);
    let errors = [2e-3, 1e-3]
        .map(|h| (run(Formulation::Ali3p { penalty: 1e5 }, StepControl::Fixed(h)) - exact).norm());
    let slope = (errors[0] / errors[1]).log2();
    assert!((1.9..2.1).contains(&slope) && errors[1] < 1e-4, "{errors:?}");
}

/// Where the coordinate is none of the state, there is no place for it.
#[test]
fn a_joint_that_closes_a_loop_has_no_armature() {
    let mut closing = four_bar();
    closing.joints[3].elements[0].armature = 0.1;
    let mut bodies = four_bar();
    bodies.joints[0].elements[0].armature = 0.1;
    bodies.solver.coordinates = Coordinates::Body;
    let mut negative = four_bar();
    negative.joints[0].elements[0].armature = -0.1;
    // A rotation's friction has no place there either, and what needs a coordinate has none on it.
    let on_ball = |element: AxisElements| {
        let mut model = four_bar();
        model.joints[3].kind = JointKind::Spherical;
        model.joints[3].elements = vec![element, AxisElements::default(), AxisElements::default()];
        model
    };
    let friction = Some(AxisFriction { force: 1.0, v_reg: 1e-3 });
    let rubbing = on_ball(AxisElements { friction, ..AxisElements::default() });
    let spring = Some(AxisSpring { stiffness: 1.0, damping: 0.0, rest: 0.0 });
    let sprung = on_ball(AxisElements { spring, ..AxisElements::default() });
    let codes = [closing, bodies, negative, rubbing, sprung].map(|model| {
        let (mut problems, compiled) = model.examine();
        problems.extend(compiled.and_then(Result::err).unwrap_or_default());
        problems.retain(|problem| problem.code.starts_with('E'));
        assert_eq!(problems.len(), 1, "{problems:?}");
        (problems[0].code, problems[0].path.clone())
    });
    let at = |joint: &str| format!("joint.{joint}.armature");
    let of_ball = [("E0336", "joint.d.friction".to_owned()), ("E0322", "joint.d".to_owned())];
    let [rubbing, sprung] = of_ball;
    assert_eq!(codes, [("E0336", at("d")), ("E0336", at("a")), ("E0324", at("a")), rubbing, sprung]);
}
