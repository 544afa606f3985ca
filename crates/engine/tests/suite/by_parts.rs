//! Runs made by parts: the same steps as a whole run, exact ends, controls between steps.

use carom_engine::function::TimeFunction;
use carom_engine::law::NormalKind;
use carom_engine::model::{
    Attachment, Coordinates, Force, ForceAxes, ForceKind, IntegratorKind, JointKind, Motor,
};
use carom_engine::{ControlError, EndReason, Model, Simulation, System};
use carom_math::{Pose, Vec3};

use crate::drives::slider;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{self, Keeper};

/// End of the falls (s).
const END: f64 = 0.5;

/// Two balls and a box that fall on a floor, and roll and rest.
pub(crate) fn drop(method: IntegratorKind) -> Model {
    let mut law = scene::law(NormalKind::HuntCrossley, 0.6);
    law.mu = Some(0.3);
    let bodies = vec![
        scene::floor(),
        scene::ball("one", 0.2, 0.05, Vec3::new(0.0, 0.0, 0.2)),
        scene::ball("two", 0.3, 0.06, Vec3::new(0.02, 0.01, 0.5)),
        scene::block("box", 0.4, Vec3::new(0.1, 0.1, 0.1), Pose::from_translation(Vec3::new(0.5, 0.0, 0.3))),
    ];
    let mut model = scene::model(bodies, law, 9.81, END, 1e-6);
    // Pairs of these shapes without a closed form are left out.
    model.pairs.retain(|pair| !(model.bodies[pair.b.body].name == "box" && pair.a.body != 0));
    model.bodies[1].velocity = Vec3::new(0.3, 0.0, 0.0);
    model.solver.method = method;
    model
}

/// Image without the clock.
pub(crate) fn image(simulation: &mut Simulation<'_>) -> Vec<u8> {
    let mut bytes = simulation.checkpoint();
    bytes.truncate(bytes.len() - Simulation::CLOCK_BYTES);
    bytes
}

/// Takes a run to some times, and again from an image taken at each: all rows and ends are the same. Returns the rows.
pub(crate) fn goes_on_with_the_same_bits(model: &Model, times: &[f64], end: f64) -> Keeper {
    let system = System::compile(model).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    let mut images = Vec::new();
    for &time in times {
        run.advance_to(time, &mut rows).unwrap();
        images.push((run.checkpoint(), rows.frames.len(), rows.events.len()));
    }
    run.advance_to(end, &mut rows).unwrap();
    for (k, (bytes, frames, events)) in images.into_iter().enumerate() {
        let (mut again, mut rest) = (Simulation::resume(&system, &bytes).unwrap(), Keeper::default());
        for &time in times[k + 1..].iter().chain([&end]) {
            again.advance_to(time, &mut rest).unwrap();
        }
        assert_eq!(rest.frames, rows.frames[frames..]);
        assert_eq!(rest.events, rows.events[events..]);
        assert_eq!(image(&mut again), image(&mut run));
    }
    rows
}

#[test]
fn steps_one_by_one_are_those_of_a_whole_run_though_each_is_looked_at() {
    for method in [IntegratorKind::Ode45, IntegratorKind::Radau5, IntegratorKind::Bdf, IntegratorKind::Auto] {
        let system = System::compile(&drop(method)).unwrap();
        let (mut whole, mut kept) = (Simulation::new(&system), Keeper::default());
        let outcome = whole.run(&mut kept).unwrap();
        assert_eq!(outcome.end, EndReason::Finished);
        for looks in [false, true] {
            let (mut parts, mut rows) = (Simulation::new(&system), Keeper::default());
            let mut seen = Keeper::default();
            let mut steps = 0;
            parts.advance_to(0.0, &mut rows).unwrap();
            while parts.time() < END {
                parts.step_toward(END, &mut rows).unwrap();
                steps += 1;
                if looks {
                    parts.observe(&mut seen).unwrap();
                }
            }
            let name = method.name();
            assert_eq!(steps, outcome.statistics.steps, "{name}: one accepted step a call");
            assert_eq!((&rows.frames, &rows.events), (&kept.frames, &kept.events), "{name}, looks {looks}");
            assert_eq!(image(&mut parts), image(&mut whole), "{name}, looks {looks}");
            let ended = parts.finish(&mut rows).unwrap();
            assert_eq!((ended.end, &ended.pairs), (EndReason::Finished, &outcome.pairs));
            assert_eq!(rows.episodes, kept.episodes);
            if looks {
                assert_eq!(seen.frames.len() as u64, steps);
                assert_eq!(seen.frames.last().unwrap().bodies, outcome.bodies);
            }
        }
    }
}

#[test]
fn parts_end_exactly_and_an_image_taken_there_goes_on_with_the_same_bits() {
    for method in IntegratorKind::SMOOTH {
        let system = System::compile(&drop(method)).unwrap();
        let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
        for k in 1..=7 {
            let time = 0.05 * f64::from(k);
            run.advance_to(time, &mut rows).unwrap();
            assert_eq!(run.time(), time, "{}", method.name());
        }
        // What is past is no time to go to.
        run.advance_to(0.1, &mut rows).unwrap();
        assert_eq!(run.time(), 0.05 * 7.0);
        let bytes = run.checkpoint();
        let mut again = Simulation::resume(&system, &bytes).unwrap();
        run.advance_to(END, &mut rows).unwrap();
        again.advance_to(END, &mut Keeper::default()).unwrap();
        assert_eq!(image(&mut run), image(&mut again), "{}", method.name());
        assert_eq!(run.finish(&mut rows).unwrap().end, EndReason::Finished);
    }
}

/// A carriage of 2 kg on a rail along x, pushed by +F for a time and by −F for as long again: it stops where it has gone F T²/m.
/// Beside it a free ball under a load that is set and given back.
#[test]
fn what_is_set_between_steps_acts_from_there_on() {
    let (mass, effort, time) = (2.0, 30.0, 0.25);
    for method in IntegratorKind::SMOOTH {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = slider(Motor::Force(TimeFunction::Constant(0.0)), 1.0, 1e-8);
            (model.solver.method, model.solver.coordinates) = (method, coordinates);
            model.bodies.push(scene::ball("ball", 0.5, 0.05, Vec3::new(0.0, 3.0, 0.0)));
            let zero = || TimeFunction::Constant(0.0);
            model.forces.push(Force {
                name: "push".to_owned(),
                kind: ForceKind::Force {
                    on: Attachment { body: 2, pose: Pose::identity() },
                    components: [zero(), zero(), TimeFunction::Constant(1.0)],
                    axes: ForceAxes::World,
                },
            });
            let system = System::compile(&model).unwrap();
            let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
            run.advance_to(0.0, &mut rows).unwrap();
            run.set_motor(0, 0, Some(effort)).unwrap();
            run.set_load(0, Some([2.0, 0.0, 0.0])).unwrap();
            run.advance_to(time, &mut rows).unwrap();
            run.set_motor(0, 0, Some(-effort)).unwrap();
            run.set_load(0, None).unwrap();
            // An image knows what is set, and that it is new.
            let bytes = run.checkpoint();
            let mut again = Simulation::resume(&system, &bytes).unwrap();
            for simulation in [&mut run, &mut again] {
                simulation.advance_to(2.0 * time, &mut rows).unwrap();
                simulation.set_motor(0, 0, None).unwrap();
                simulation.advance_to(1.0, &mut rows).unwrap();
            }
            let name = format!("{} {coordinates:?}", method.name());
            assert_eq!(image(&mut run), image(&mut again), "{name}");
            let end = run.finish(&mut rows).unwrap();
            let (x, v) = (end.bodies[1].position.x, end.bodies[1].velocity.x);
            // Accelerations are constant between what is set, which all methods integrate to their rounding or, those of
            // low order, to the tolerance.
            assert!((x - effort * time * time / mass).abs() < 1e-6 && v.abs() < 1e-6, "{name}: {x} {v}");
            let ball = end.bodies[2];
            let (push, weight) = (2.0 / 0.5 * time, 1.0 / 0.5);
            assert!(
                (ball.velocity - Vec3::new(push, 0.0, weight * (1.0 - time))).norm() < 1e-6,
                "{name}: {ball:?}"
            );
            // ½ m v² goes in and comes out; 2 N over ½ a t², then 1 N along z.
            let work = 2.0 * 0.5 * 4.0 * time * time + 0.5 * 2.0 * (1.0 - time) * (1.0 - time);
            assert!(end.energy.work_motors.abs() < 1e-5, "{name}: {}", end.energy.work_motors);
            assert!((end.energy.work_external - work).abs() < 1e-5, "{name}: {}", end.energy.work_external);
            assert!(end.residual_relative < 1e-6, "{name}: {}", end.residual_relative);
        }
    }
}

#[test]
fn what_cannot_be_set_is_refused() {
    let mut model = slider(Motor::Position(TimeFunction::Constant(0.0)), 1.0, 1e-8);
    model.forces.push(Force {
        name: "air".to_owned(),
        kind: ForceKind::Drag {
            on: Attachment { body: 1, pose: Pose::identity() },
            linear: 1.0,
            quadratic: 0.0,
            angular: 0.0,
        },
    });
    let system = System::compile(&model).unwrap();
    let mut run = Simulation::new(&system);
    assert_eq!(run.set_motor(0, 0, Some(1.0)), Err(ControlError::NoMotor));
    assert_eq!(run.set_motor(0, 1, Some(1.0)), Err(ControlError::Unknown));
    assert_eq!(run.set_motor(3, 0, None), Err(ControlError::Unknown));
    assert_eq!(run.set_load(0, Some([0.0; 3])), Err(ControlError::NoLoad));
    assert_eq!(run.set_load(1, None), Err(ControlError::Unknown));
    // Freedoms of a ball are no axes for motors.
    let ball = joint("ball", JointKind::Spherical, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    let bodies = vec![ground(), part("bob", 1.0, Vec3::repeat(0.1))];
    let system = System::compile(&mechanism(bodies, vec![ball], 9.81, 1.0, 1e-8)).unwrap();
    assert_eq!(Simulation::new(&system).set_motor(0, 0, Some(1.0)), Err(ControlError::Unknown));
    let system = System::compile(&slider(Motor::Force(TimeFunction::Constant(0.0)), 1.0, 1e-8)).unwrap();
    let mut run = Simulation::new(&system);
    assert_eq!(run.set_motor(0, 0, Some(f64::NAN)), Err(ControlError::NotFinite));
    run.set_motor(0, 0, Some(1.0)).unwrap();
    run.advance_to(1.0, &mut Keeper::default()).unwrap();
    // Set before the start, it acts from the start: ½ F/m t².
    let end = run.finish(&mut Keeper::default()).unwrap();
    assert!((end.bodies[1].position.x - 0.25).abs() < 1e-9, "{}", end.bodies[1].position.x);
}
