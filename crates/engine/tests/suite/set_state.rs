//! States that are set from outside: a run goes on from them as one that starts there, and its books stay true.

use carom_engine::function::TimeFunction;
use carom_engine::law::NormalKind;
use carom_engine::model::{Coordinates, Formulation, IntegratorKind, Motor, StepControl};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Halt, Model, Simulation, StateError, System};
use carom_math::Vec3;

use crate::ali3p::four_bar;
use crate::by_parts::{drop, image};
use crate::drives::slider;
use crate::scene::{self, Keeper};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
const MASS: f64 = 0.5;

/// A ball at a height above a floor, its lowest point counted.
fn ball_above(height: f64, speed: f64, method: IntegratorKind) -> Model {
    let bodies =
        vec![scene::floor(), scene::ball("ball", MASS, RADIUS, Vec3::new(0.0, 0.0, height + RADIUS))];
    let mut model = scene::model(bodies, scene::law(NormalKind::Exact, 0.5), G, 1.0, 1e-9);
    model.bodies[1].velocity.z = speed;
    model.solver.method = method;
    model
}

#[test]
fn a_state_that_is_set_before_the_start_is_a_start() {
    for method in IntegratorKind::SMOOTH {
        // Mirrored, as tolerances and scales are taken from the model's start.
        let [one, other] = [1.0, -1.0].map(|side| {
            let mut model = ball_above(0.2, 1.0, method);
            model.bodies[1].position.x = side;
            model.bodies[1].velocity.x = side;
            System::compile(&model).unwrap()
        });
        let (mut set, mut rows) = (Simulation::new(&one), Keeper::default());
        set.set_state(Simulation::new(&other).state(), &mut rows).unwrap();
        set.advance_to(1.0, &mut rows).unwrap();
        let (mut straight, mut kept) = (Simulation::new(&other), Keeper::default());
        straight.advance_to(1.0, &mut kept).unwrap();
        assert_eq!(image(&mut set), image(&mut straight), "{}", method.name());
        assert_eq!((rows.frames, rows.events), (kept.frames, kept.events), "{}", method.name());
    }
}

/// In free fall, out of a contact, into one, twice at one time: h = v t − ½ g t² from there on, begins where that is zero,
/// and m g Δh + ½ m Δv² as work from outside.
#[test]
fn a_ball_that_is_put_elsewhere_falls_from_there() {
    for method in IntegratorKind::SMOOTH {
        let name = method.name();
        let system = System::compile(&ball_above(0.02, 0.0, method)).unwrap();
        let z = system.state_names().iter().position(|n| n == "ball.z").unwrap();
        let vz = system.state_names().iter().position(|n| n == "ball.z_rate").unwrap();
        let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
        // It flies at 50 ms, touches 0.2 ms after it first meets the floor, and flies again.
        let touch = (2.0_f64 * 0.02 / G).sqrt();
        let mut work = 0.0;
        for (time, height, speed) in [(0.05, 0.03, -0.4), (0.05 + touch, 0.1, 0.5), (0.4, 0.05, 2.0)] {
            run.advance_to(time, &mut rows).unwrap();
            let mut state = run.state().to_vec();
            work += MASS * (G * (height + RADIUS - state[z]) + 0.5 * (speed * speed - state[vz] * state[vz]));
            (state[z], state[vz]) = (height + RADIUS, speed);
            run.set_state(&state, &mut rows).unwrap();
            assert_eq!((run.time(), run.state()), (time, &state[..]), "{name}");
            let flight = (speed + (speed * speed + 2.0 * G * height).sqrt()) / G;
            let begins = rows.times(EventKind::ContactBegin).len();
            run.advance_to(time + flight + 1e-4, &mut rows).unwrap();
            let found = rows.times(EventKind::ContactBegin)[begins..].to_vec();
            // One touch, located in dense output at the tolerance of 1e-9 on some decimetres.
            assert!(
                found.len() == 1 && (found[0] - time - flight).abs() < 1e-7,
                "{name}: {found:?} {flight}"
            );
        }
        // It is put into the floor to the depth of 1 mm: what the contact stores there came from outside too.
        let mut state = run.state().to_vec();
        (state[z], state[vz]) = (RADIUS - 1e-3, 0.0);
        let begins = rows.times(EventKind::ContactBegin).len();
        run.set_state(&state, &mut rows).unwrap();
        assert_eq!(rows.times(EventKind::ContactBegin).len(), begins + 1, "{name}");
        run.advance_to(1.0, &mut rows).unwrap();
        let outcome = run.finish(&mut rows).unwrap();
        assert_eq!(outcome.end, EndReason::Finished);
        // Of the episodes those that were cut have no end; each begin has one.
        assert_eq!(rows.episodes.len(), rows.times(EventKind::ContactBegin).len(), "{name}");
        assert!(outcome.energy.work_external > work, "{name}");
        assert!(outcome.residual_relative < 1e-6, "{name}: {}", outcome.residual_relative);
    }
}

/// The state that a run has anyway adds nothing, and the run goes on as it would have.
#[test]
fn the_same_state_changes_nothing_but_the_steps() {
    let system = System::compile(&drop(IntegratorKind::Ode45)).unwrap();
    let (mut straight, mut kept) = (Simulation::new(&system), Keeper::default());
    straight.advance_to(0.1, &mut kept).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    run.advance_to(0.1, &mut rows).unwrap();
    let state = run.state().to_vec();
    for _ in 0..3 {
        run.set_state(&state, &mut rows).unwrap();
    }
    // Nothing touches yet; later bounces would magnify what differs.
    for (run, rows) in [(&mut straight, &mut kept), (&mut run, &mut rows)] {
        run.advance_to(0.15, rows).unwrap();
    }
    let off = straight.state().iter().zip(run.state()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-6, "{off}");
    let (one, other) = (straight.finish(&mut kept).unwrap(), run.finish(&mut rows).unwrap());
    assert_eq!(other.energy.work_external, 0.0);
    assert!((one.energy.kinetic - other.energy.kinetic).abs() < 1e-6);
    assert_eq!(rows.frames.len(), kept.frames.len());
}

#[test]
fn an_image_after_a_state_was_set_goes_on_with_the_same_bits() {
    for method in IntegratorKind::SMOOTH {
        let system = System::compile(&drop(method)).unwrap();
        let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
        // The first ball is on the floor by then, the second comes after it.
        run.advance_to(0.3, &mut rows).unwrap();
        let mut state = run.state().to_vec();
        state[0] += 0.05;
        run.set_state(&state, &mut rows).unwrap();
        let bytes = run.checkpoint();
        let mut again = Simulation::resume(&system, &bytes).unwrap();
        for simulation in [&mut run, &mut again] {
            simulation.advance_to(0.5, &mut rows).unwrap();
        }
        assert_eq!(image(&mut run), image(&mut again), "{}", method.name());
    }
}

/// A four-bar whose crank is put elsewhere closes again; in both coordinates and formulations its bars keep their lengths, and
/// no energy comes from nowhere.
#[test]
fn a_mechanism_is_put_onto_its_constraints() {
    for formulation in [Formulation::Kkt, Formulation::Ali3p { penalty: 1e5 }] {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = four_bar();
            model.solver.coordinates = coordinates;
            model.solver.formulation = formulation;
            model.solver.step = match formulation {
                Formulation::Ali3p { .. } => StepControl::Fixed(1e-4),
                Formulation::Kkt => model.solver.step,
            };
            let system = System::compile(&model).unwrap();
            let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
            run.advance_to(0.05, &mut rows).unwrap();
            let mut state = run.state().to_vec();
            for value in &mut state {
                *value += 0.01;
            }
            run.set_state(&state, &mut rows).unwrap();
            let settled = run.state().to_vec();
            assert_ne!(settled, state);
            // On the constraints to rounding: once more changes nothing.
            run.set_state(&settled, &mut rows).unwrap();
            let off = settled.iter().zip(run.state()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-12, "{coordinates:?}: {off}");
            run.advance_to(0.2, &mut rows).unwrap();
            let outcome = run.finish(&mut rows).unwrap();
            // Of kkt by its tolerance, of the rule of second order by its step.
            let allowed = if formulation == Formulation::Kkt { 1e-9 } else { 1e-6 };
            assert!(
                outcome.residual_relative < allowed,
                "{formulation:?} {coordinates:?}: {}",
                outcome.residual_relative
            );
        }
    }
}

#[test]
fn states_that_cannot_be_are_refused_and_the_run_is_as_it_was() {
    let system = System::compile(&ball_above(0.1, 0.0, IntegratorKind::Ode45)).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    let (mut straight, mut kept) = (Simulation::new(&system), Keeper::default());
    let bad = |state: &[f64], index: usize, value: f64| {
        let mut state = state.to_vec();
        state[index] = value;
        state
    };
    for time in [0.0, 0.1] {
        run.advance_to(time, &mut rows).unwrap();
        straight.advance_to(time, &mut kept).unwrap();
        let state = run.state().to_vec();
        let refused = |result: Result<(), Halt>| match result {
            Err(Halt::State(error)) => error,
            other => panic!("{other:?}"),
        };
        let length = StateError::Length { wanted: 13, given: 12 };
        assert_eq!(refused(run.set_state(&state[1..], &mut rows)), length);
        let infinite = bad(&state, 2, f64::INFINITY);
        assert_eq!(refused(run.set_state(&infinite, &mut rows)), StateError::NotFinite { index: 2 });
        // Its quaternion.
        let mut zero = state.clone();
        zero[3..7].fill(0.0);
        assert_eq!(refused(run.set_state(&zero, &mut rows)), StateError::NotFinite { index: 3 });
    }
    run.advance_to(1.0, &mut rows).unwrap();
    straight.advance_to(1.0, &mut kept).unwrap();
    assert_eq!(image(&mut run), image(&mut straight));
}

/// A carriage whose motor gives a velocity that is set: impulses of ½ m Δ(v²), a place that is the sum of speeds times times.
#[test]
fn a_motor_of_given_velocity_takes_speeds() {
    let mass = 2.0;
    for method in IntegratorKind::SMOOTH {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let name = format!("{} {coordinates:?}", method.name());
            let mut model = slider(Motor::Velocity(TimeFunction::Constant(0.0)), 2.0, 1e-8);
            (model.solver.method, model.solver.coordinates) = (method, coordinates);
            let system = System::compile(&model).unwrap();
            let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
            // Set before the start, it starts with that: no work is done for it.
            run.set_motor(0, 0, Some(0.5)).unwrap();
            run.advance_to(0.4, &mut rows).unwrap();
            run.set_motor(0, 0, Some(-1.5)).unwrap();
            let bytes = run.checkpoint();
            let mut again = Simulation::resume(&system, &bytes).unwrap();
            for simulation in [&mut run, &mut again] {
                simulation.advance_to(1.0, &mut rows).unwrap();
            }
            assert_eq!(image(&mut run), image(&mut again), "{name}");
            let x = run.finish(&mut rows).unwrap().bodies[1].position.x;
            assert!((x - (0.5 * 0.4 - 1.5 * 0.6)).abs() < 1e-9, "{name}: {x}");
            again.set_motor(0, 0, None).unwrap();
            again.advance_to(2.0, &mut rows).unwrap();
            let end = again.finish(&mut rows).unwrap();
            assert!((end.bodies[1].position.x - x).abs() < 1e-9, "{name}");
            // 0.5 → −1.5 → 0 m/s.
            let work = -0.5 * mass * 0.25;
            assert!((end.energy.work_motors - work).abs() < 1e-9, "{name}: {}", end.energy.work_motors);
            assert!(end.residual_relative < 1e-9, "{name}: {}", end.residual_relative);
        }
    }
}

/// Names and values agree in number for every kind of joint.
#[test]
fn every_state_has_a_name() {
    let mut random = carom_testkit::SplitMix64::new(5);
    for first in 0..9 {
        let (bodies, joints) = crate::mechanism::random_tree(&mut random, 6, first);
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = crate::mechanism::mechanism(bodies.clone(), joints.clone(), G, 1.0, 1e-6);
            model.solver.coordinates = coordinates;
            let system = System::compile(&model).unwrap();
            let mut names = system.state_names();
            assert_eq!(names.len(), system.states());
            names.sort();
            names.dedup();
            assert_eq!(names.len(), system.states(), "no two are the same");
        }
    }
}
