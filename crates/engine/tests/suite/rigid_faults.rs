//! Scenes of rigid contact that cannot be computed, each with its code, pair and time; and steps that are told to be shorter.

use std::f64::consts::FRAC_PI_2;

use carom_engine::function::TimeFunction;
use carom_engine::model::{Coordinates, IntegratorKind, JointKind, Model, Motor, StepControl};
use carom_engine::outcome::RunError;
use carom_engine::{EndReason, Outcome};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};

use crate::drives::driven;
use crate::mechanism::{at, ground, joint};
use crate::rigid::{law_of, make};
use crate::scene::{ball, block, fixed, floor, run, run_any};

fn stepped(model: Model, step: f64) -> Model {
    let mut model = model;
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(step);
    model
}

fn fault_of(model: &Model) -> RunError {
    let (outcome, _) = run_any(model);
    match outcome.end {
        EndReason::Failed(error) => error,
        end => panic!("{end:?}"),
    }
}

/// A press that a motor drives down onto the floor at 0.5 m/s from 0.1 m above: it is there at 0.2 s, and nothing gives.
fn press() -> Model {
    let mut plate = block("plate", 3.0, Vec3::new(0.4, 0.4, 0.1), Pose::identity());
    (plate.pose_stated, plate.velocity_stated) = (false, false);
    let mut model = make(vec![floor(), plate, ground()], law_of(0.0, 0.3), 0.4);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [0, 1]);
    let mut lift = joint("lift", JointKind::Prismatic, at(2, 0.0, 0.0, 0.15), at(1, 0.0, 0.0, 0.0));
    lift.elements = driven(Motor::Velocity(TimeFunction::Constant(-0.5)));
    model.joints.push(lift);
    model
}

#[test]
fn a_press_that_its_motor_drives_into_the_floor_is_refused() {
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        let mut located = press();
        located.solver.coordinates = coordinates;
        for (model, slack) in [(located.clone(), 1e-9), (stepped(located, 1e-3), 2e-3)] {
            let error = fault_of(&model);
            assert_eq!(error.code, "E0633", "{}", error.message);
            assert_eq!(error.pair.as_deref(), Some("all[floor|plate]"));
            assert!((error.time - 0.2).abs() < slack, "{}", error.message);
        }
    }
}

/// A ball that a motor drives along z into the bob of a pendulum whose rod of 1 m leans by an angle from the line of the push: what makes
/// way is thrown off by 1/angle of the motor's speed, roughly.
fn toggle(angle: f64) -> Model {
    let (radius, rod) = (0.1, 1.0);
    let mut hammer = ball("hammer", 1.0, radius, Vec3::zeros());
    let mut bob = ball("bob", 1.0, radius, Vec3::new(0.0, 0.0, 2.0 * radius));
    for body in [&mut hammer, &mut bob] {
        (body.pose_stated, body.velocity_stated) = (false, false);
    }
    let mut model = make(vec![ground(), hammer, bob], law_of(0.5, 0.0), 0.01);
    model.gravity = Vec3::zeros();
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [1, 2]);
    let (x, z) = (rod * libm::sin(angle), 2.0 * radius + rod * libm::cos(angle));
    let mut push = joint("push", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    push.elements = driven(Motor::Velocity(TimeFunction::Constant(1.0)));
    let hinge = |body, x, z| {
        let mut place = at(body, x, 0.0, z);
        place.pose.rotation = Quaternion::from_axis_angle(&Vec3::x(), FRAC_PI_2).to_matrix();
        place
    };
    let pivot = joint("pivot", JointKind::Revolute, hinge(0, x, z), hinge(2, x, z - 2.0 * radius));
    model.joints.extend([push, pivot]);
    model
}

/// The impulse acts along z, and the bob turns about its pivot: (1 + e) v of its touching point along z, sin α beside the pivot, come
/// with cos α + radius over sin α as much across. Where that is beyond all reason, nothing that is built gives way, and the run says so before it takes kilometres a second for a motion.
#[test]
fn what_stands_in_line_with_a_motors_push_jams() {
    let angle = 0.02;
    let (outcome, kept) = run_any(&toggle(angle));
    assert_eq!(outcome.end, EndReason::Finished);
    let thrown = kept.events.iter().find_map(|event| event.impact).unwrap().slip_after;
    let wanted = 1.5 * (libm::cos(angle) + 0.1) / libm::sin(angle);
    assert!((thrown - wanted).abs() < 1e-6 * wanted, "{thrown} {wanted}");

    let error = fault_of(&toggle(1e-7));
    assert_eq!(error.code, "E0633", "{}", error.message);
    assert_eq!(error.pair.as_deref(), Some("all[hammer|bob]"));
    assert!(error.message.contains("jams at t = 0.000000000 s"), "{}", error.message);
}

/// A press that a motor turns 5 mm above the floor, so fast that its edges go farther in a step, is no fault while it stays there: not where a ball lands beside it
/// so fast, 6 m/s, that its step leaves it 3 mm deep, and all that is nearer than three times that is kept apart.
#[test]
fn given_motions_that_stay_apart_are_no_fault() {
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        let mut model = press();
        model.solver.coordinates = coordinates;
        model.joints[0] = joint("turn", JointKind::Revolute, at(2, 0.0, 0.0, 0.055), at(1, 0.0, 0.0, 0.0));
        model.joints[0].elements = driven(Motor::Velocity(TimeFunction::Constant(20.0)));
        let mut ball = ball("ball", 1.0, 0.1, Vec3::new(1.0, 0.0, 0.4));
        ball.velocity.z = -6.0;
        model.bodies.push(ball);
        let bodies = std::mem::take(&mut model.bodies);
        let all = make(bodies, law_of(0.0, 0.3), 0.4);
        let mut model = Model { joints: model.joints, solver: model.solver, ..all };
        model.pairs.retain(|pair| ![pair.a.body, pair.b.body].contains(&2));
        let (outcome, _) = run_any(&stepped(model, 1e-3));
        assert_eq!(outcome.end, EndReason::Finished);
        assert!((outcome.bodies[3].position.z - 0.1).abs() < 1e-9, "{}", outcome.bodies[3].position.z);
    }
}

/// A ball of 1 cm at 300 m/s in front of a plate of 2 mm.
fn bullet(h_min: Option<f64>) -> Model {
    let plate = fixed("plate", Shape::Box { half: Vec3::new(1.0, 1.0, 0.001) }, Pose::identity());
    let mut bullet = ball("bullet", 0.01, 0.01, Vec3::new(0.1, 0.2, 0.53));
    bullet.velocity.z = -300.0;
    let mut model = stepped(make(vec![plate, bullet], law_of(0.5, 0.1), 5e-3), 1e-3);
    model.solver.h_min = h_min;
    model
}

#[test]
fn bodies_that_could_pass_in_the_least_step_are_refused() {
    let error = fault_of(&bullet(Some(5e-4)));
    assert_eq!(error.code, "E0631", "{}", error.message);
    assert_eq!(error.pair.as_deref(), Some("all[plate|bullet]"));
    // The plate is within reach in the step in which the way left is less than one at 300 m/s.
    assert!(error.time < 0.53 / 300.0 && error.time > 0.0, "{}", error.time);
}

fn told(outcome: &Outcome, code: &str) -> Option<String> {
    outcome.warnings.iter().find(|warning| warning.starts_with(code)).cloned()
}

/// The same with room to shorten: the first step that had to be, and how short. Where bodies are slow nothing is said.
#[test]
fn steps_that_were_shortened_are_told() {
    let (outcome, _) = run(&bullet(None));
    let warning = told(&outcome, "W0512").unwrap();
    assert!(warning.contains("the first at t = 1.000000e-3 s"), "{warning}");
    // Half of the plate's 2 mm at 300 m/s are 3.3 µs; halved to below that, and cut once more at a multiple of the step.
    let shortest: f64 =
        warning.split("the shortest to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(shortest <= 0.001 / 300.0 && shortest > 0.25 * 0.001 / 300.0, "{warning}");
    let mut slow = bullet(None);
    slow.bodies[1].velocity.z = -0.1;
    let (outcome, _) = run(&slow);
    assert!(told(&outcome, "W0512").is_none() && told(&outcome, "W0513").is_none());
}

/// A ball of 0.2 m between plates that leave it less room by `lack`, and what its run says.
fn wedged(lack: f64) -> Outcome {
    let shell = |name: &str, z: f64| {
        fixed(name, Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, at(0, 0.0, 0.0, z).pose)
    };
    let bodies =
        vec![shell("low", -0.1), shell("high", 0.3 - lack), ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1))];
    let mut model = stepped(make(bodies, law_of(0.0, 0.3), 0.1), 1e-3);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body].contains(&2));
    run_any(&model).0
}

/// What room lacks stays, and is told. More than 1e-6 of the smallest shape, the ball's radius, ends the run.
#[test]
fn penetration_that_stays_is_told_or_ends_the_run() {
    let outcome = wedged(2e-8);
    assert_eq!(outcome.end, EndReason::Finished);
    let warning = told(&outcome, "W0518").unwrap();
    assert!(
        warning.contains("at the end of 100 steps of moreau a penetration of 2.0e-8 m stayed"),
        "{warning}"
    );
    assert!(told(&wedged(1e-11), "W0518").is_none());
    let EndReason::Failed(error) = wedged(2e-6).end else { panic!("it has no room") };
    assert_eq!(error.code, "E0632", "{}", error.message);
    assert!(error.pair.is_some());
}
