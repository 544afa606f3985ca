//! Rigid contact of bodies that motors move, whatever pushes against them.

use std::f64::consts::FRAC_PI_2;

use carom_engine::function::TimeFunction;
use carom_engine::model::{
    Attachment, Constraint, ConstraintKind, Coordinates, IntegratorKind, JointKind, Method, Model, Motor,
    StepControl,
};
use carom_engine::record::EventKind;
use carom_engine::{Simulation, System};
use carom_math::{Pose, Quaternion, Vec3};

use crate::drives::{driven, swing};
use crate::mechanism::{at, ground, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, block, contact_line, run};

const G: f64 = 9.81;
const MASS: f64 = 0.5;
const PADDLE: f64 = 3.0;
const SPEED: f64 = 1.5;
const DROP: f64 = 0.8;
const E: f64 = 0.6;
const T_END: f64 = 0.4;

/// A ball above a paddle that a motor lifts at constant speed. With `rod` two more balls fly on a rod elsewhere, so that the motor is a row
/// among others.
fn paddle(rod: bool) -> Model {
    let radius = 0.05;
    let height = 0.5 * 0.1 + radius + DROP;
    let mut plate = block("paddle", PADDLE, Vec3::new(0.4, 0.4, 0.1), Pose::identity());
    (plate.pose_stated, plate.velocity_stated) = (false, false);
    let mut bodies = vec![ground(), plate, ball("ball", MASS, radius, Vec3::new(0.05, 0.0, height))];
    if rod {
        bodies.push(ball("one", MASS, radius, Vec3::new(3.0, 0.0, 9.0)));
        bodies.push(ball("two", MASS, radius, Vec3::new(4.0, 0.0, 9.0)));
    }
    let mut model = make(bodies, law_of(E, 0.3), T_END);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [1, 2]);
    let mut lift = joint("lift", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    lift.elements = driven(Motor::Velocity(TimeFunction::Constant(SPEED)));
    model.joints.push(lift);
    if rod {
        let kind =
            ConstraintKind::Distance { a: at(3, 0.0, 0.0, 0.0), b: at(4, 0.0, 0.0, 0.0), length: None };
        model.constraints.push(Constraint { name: "rod".to_owned(), kind });
    }
    model
}

/// In the paddle's frame the ball falls by the drop from an approach at SPEED: when, and how fast.
fn meeting() -> (f64, f64) {
    let approach = (SPEED * SPEED + 2.0 * G * DROP).sqrt();
    ((approach - SPEED) / G, approach)
}

/// The paddle goes on as its motor wants, as if its mass were infinite, and the motor's work is the speed times gravity's and the
/// impact's impulse.
#[test]
fn a_driven_paddle_does_not_give() {
    let (time, approach) = meeting();
    let impulse = MASS * (1.0 + E) * approach;
    for (rod, coordinates) in
        [(false, Coordinates::Joint), (true, Coordinates::Joint), (false, Coordinates::Body)]
    {
        let mut model = paddle(rod);
        model.solver.coordinates = coordinates;
        let (outcome, kept) = run(&model);
        let (hit, impact) = kept.events.iter().find_map(|e| Some((e.time, e.impact?))).unwrap();
        assert!((hit - time).abs() < 1e-9, "{hit} {time}");
        assert!((impact.impulse_normal - impulse).abs() < 1e-9, "{} {impulse}", impact.impulse_normal);
        assert!((impact.separation_speed - E * approach).abs() < 1e-9);
        let speed = SPEED + E * approach - G * (T_END - time);
        assert!((outcome.bodies[2].velocity.z - speed).abs() < 1e-8);
        assert!((outcome.bodies[1].position.z - SPEED * T_END).abs() < 1e-9);
        let work = SPEED * (PADDLE * G * T_END + impulse);
        assert!((outcome.energy.work_motors - work).abs() < 1e-8, "{} {work}", outcome.energy.work_motors);
        assert!(outcome.residual_relative < 1e-10, "{}", outcome.residual_relative);
    }
}

/// The same with steps over the impact, whose time is known to one of them.
#[test]
fn motors_work_against_impulses_of_steps() {
    let (_, approach) = meeting();
    let h = 1e-4;
    for rod in [false, true] {
        let mut model = paddle(rod);
        model.contact_lines = vec![contact_line(Method::Nonsmooth)];
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(h);
        let (outcome, _) = run(&model);
        let ball = outcome.bodies[2].velocity.z + G * T_END;
        let impulse = MASS * ball;
        assert!((impulse - MASS * (1.0 + E) * approach).abs() < 2.0 * MASS * G * h, "{impulse}");
        let work = SPEED * (PADDLE * G * T_END + impulse);
        assert!(
            (outcome.energy.work_motors - work).abs() < 1e-10 * work,
            "{} {work}",
            outcome.energy.work_motors
        );
        assert!(outcome.residual_relative < 1e-12, "{}", outcome.residual_relative);
    }
}

/// A box on a table that shakes along A sin(ω t) sticks until the table slows down by μ g, slides on with that, and sticks again where it is as
/// slow as the table. It stands on four corners, whose loads change: they come to friction's bound together, and not in turn over and over,
/// which took steps of nanoseconds. That they slip where 1e-5 of the bound is left is allowed for.
#[test]
fn a_box_on_a_shaking_table_slips_where_the_table_leaves_it() {
    let (reach, omega, mu) = (0.02, 15.0, 0.3);
    let wanted = reach * omega * omega;
    let slips = libm::asin(mu * G / wanted) / omega;
    let speed = |t: f64| reach * omega * libm::cos(omega * t);
    let ahead = |t: f64| speed(slips) - mu * G * (t - slips) - speed(t);
    let (mut slides, mut sticks) = (slips + 0.05, slips + 0.3);
    for _ in 0..60 {
        let middle = 0.5 * (slides + sticks);
        *(if ahead(middle) > 0.0 { &mut slides } else { &mut sticks }) = middle;
    }
    let slid = sticks - slips;
    let x = reach * libm::sin(omega * slips) + speed(slips) * slid - 0.5 * mu * G * slid * slid;

    let mut table = block("table", 10.0, Vec3::new(2.0, 1.0, 0.1), Pose::identity());
    (table.pose_stated, table.velocity_stated) = (false, false);
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1));
    let mut rider = block("box", 2.0, Vec3::new(0.3, 0.2, 0.1), place);
    rider.velocity.x = reach * omega;
    let mut model = make(vec![ground(), table, rider], law_of(0.0, mu), sticks + 0.02);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [1, 2]);
    let along_x = Quaternion::from_axis_angle(&Vec3::y(), FRAC_PI_2).to_matrix();
    let along = Pose { rotation: along_x, translation: Vec3::zeros() };
    let on = |body| Attachment { body, pose: along };
    let mut shaker = joint("shaker", JointKind::Prismatic, on(0), on(1));
    shaker.elements = driven(Motor::Position(swing(0.0, reach, omega, 0.0)));
    model.joints.push(shaker);
    model.solver.max_steps = 1000;

    let (outcome, kept) = run(&model);
    let (slip, stick) = (kept.times(EventKind::Slip)[0], kept.times(EventKind::Stick));
    let early = 1e-5 * libm::tan(omega * slips) / omega;
    assert!(slip < slips + 1e-9 && slip > slips - early, "{slip} {slips}");
    let stick = stick.into_iter().find(|time| *time > slip).unwrap();
    assert!((stick - sticks).abs() < early, "{stick} {sticks}");
    let way = x + reach * (libm::sin(omega * (sticks + 0.02)) - libm::sin(omega * sticks));
    let end = outcome.bodies[2].position;
    assert!((end.x - way).abs() < 1e-7, "{} {way}", end.x);
    assert!(outcome.residual_relative < 1e-8, "{}", outcome.residual_relative);
}

/// A ball lies on the paddle, and `set_motor` changes the paddle's speed at once: where it stops, the ball flies on from SPEED; where it goes
/// faster, the ball leaves with the restitution's share of the difference on top of the new speed, whose work is the motor's.
#[test]
fn what_lies_on_a_paddle_answers_where_its_speed_is_set() {
    const SET_AT: f64 = 0.1;
    const AFTER: f64 = 0.05;
    for (rod, coordinates) in
        [(false, Coordinates::Joint), (true, Coordinates::Joint), (true, Coordinates::Body)]
    {
        for (set, leaves_at) in [(0.0, SPEED), (2.0 * SPEED, 2.0 * SPEED + E * SPEED)] {
            let mut model = paddle(rod);
            model.solver.coordinates = coordinates;
            let ball = &mut model.bodies[2];
            (ball.position.z, ball.velocity.z) = (0.5 * 0.1 + 0.05, SPEED);
            let system = System::compile(&model).expect("a sound model");
            let mut rows = Keeper::default();
            let mut simulation = Simulation::new(&system);
            simulation.advance_to(SET_AT, &mut rows).expect("it lies");
            simulation.set_motor(0, 0, Some(set)).expect("a motor");
            simulation.advance_to(SET_AT + AFTER, &mut rows).expect("it flies");
            let name = format!("{set} m/s, rod {rod}, {coordinates:?}");
            let end = simulation.finish(&mut rows).expect("an end");
            let start = 0.5 * 0.1 + 0.05 + SPEED * SET_AT;
            let height = start + leaves_at * AFTER - 0.5 * G * AFTER * AFTER;
            assert!(
                (end.bodies[2].position.z - height).abs() < 1e-8,
                "{name}: {} {height}",
                end.bodies[2].position.z
            );
            assert!(end.residual_relative < 1e-9, "{name}: {}", end.residual_relative);
            assert!(end.energy.projection.abs() < 1e-9, "{name}: {}", end.energy.projection);
        }
    }
}
