//! A run is the model's: it depends neither on its end, nor on when and what is recorded.

use carom_engine::Model;
use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::law::NormalKind;
use carom_engine::model::{BaseSide, IntegratorKind, JointKind, Method, Motor};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexShape, Core};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal::collision;
use crate::drives::slider;
use crate::mechanism::{at, joint, part};
use crate::scene::{Keeper, ball, body, floor, law, model, run, run_any};

/// A ball that bounces and rolls.
fn bouncing() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.7);
    l.mu = Some(0.3);
    let mut b = ball("ball", 0.2, 0.05, Vec3::new(0.0, 0.0, 0.4));
    b.velocity.x = 0.3;
    model(vec![floor(), b], l, 9.81, 1.0, 1e-5)
}

/// A pendulum on a carriage that a motor moves to and fro, along a sine that is cut off.
fn swinging() -> Model {
    use Op::{Constant, Min, Mul, Sin, Time};
    let ops = vec![Constant(0.05), Constant(0.1), Constant(4.0), Time, Mul, Sin, Mul, Min];
    let mut model = slider(Motor::Position(TimeFunction::Program(Program::new(ops).unwrap())), 1.0, 1e-5);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.bodies.push(part("bob", 1.5, Vec3::new(0.01, 0.01, 0.02)));
    model.joints.push(joint("hinge", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, 0.0, 0.4, 0.0)));
    model
}

/// Two spheres of triangles that hit each other.
fn colliding() -> Model {
    let mut model = collision(BaseSide::Finer, &Mat3::identity(), &Vec3::zeros());
    model.solver.rtol = 1e-5;
    model
}

/// Two pebbles that roll over each other: searches start from what the last step has found.
fn tumbling() -> Model {
    let pebble = |name: &str, z: f64, angle: f64| {
        let core = Core::Superellipsoid { semi_axes: Vec3::new(0.05, 0.06, 0.04), exponents: [0.8, 1.3] };
        let rotation = Quaternion::from_axis_angle(&Vec3::new(1.0, 0.4, 0.2), angle).to_matrix();
        let pose = Pose { rotation, translation: Vec3::new(0.1 * z, 0.2 * z, z) };
        let inertia = Mat3::from_diagonal(&Vec3::new(5e-4, 4e-4, 6e-4));
        body(name, 0.5, inertia, Shape::Convex(ConvexShape { core, radius: 0.0 }), pose)
    };
    let mut above = pebble("above", 0.12, 0.7);
    above.velocity.z = -1.0;
    above.angular_velocity = Vec3::new(5.0, 3.0, 1.0);
    let mut model =
        model(vec![pebble("below", 0.0, 0.2), above], law(NormalKind::HuntCrossley, 0.7), 0.0, 0.1, 1e-5);
    model.contact_lines[0].method = Method::Convex;
    model
}

fn models() -> [(&'static str, Model); 4] {
    [
        ("a ball", bouncing()),
        ("a mechanism", swinging()),
        ("areal contact", colliding()),
        ("convex solids", tumbling()),
    ]
}

/// Ends and lengths of steps, and their errors, before the last step of a run.
fn steps(keeper: &Keeper) -> Vec<[u64; 3]> {
    let bits = keeper.steps.iter().map(|s| [s.time, s.step, s.error].map(f64::to_bits));
    bits.take(keeper.steps.len() - 1).collect()
}

/// Until the last step of the shorter one, runs to different ends are the same, to the bit.
#[test]
fn runs_do_not_depend_on_their_end() {
    for (name, mut model) in models() {
        let ends = model.solver.t_end * 0.37;
        for method in IntegratorKind::SMOOTH {
            model.solver.method = method;
            let of = |t_end: f64, limit: u64| {
                let mut model = model.clone();
                model.solver.t_end = t_end;
                model.solver.max_steps = limit;
                run_any(&model)
            };
            let (_, shorter) = of(ends, u64::MAX);
            let (outcome, longer) = of(2.7 * ends, u64::MAX);
            // As far as the others go: a resting ball takes an explicit method very many steps.
            let tried = outcome.statistics.steps + outcome.statistics.rejected;
            let (_, longest) = of(100.0 * ends, tried + 100);
            for [a, b] in [[&shorter, &longer], [&longer, &longest]] {
                let name = format!("{name}, {}", method.name());
                let (first, second) = (steps(a), steps(b));
                assert!(first.len() > 3 && second.len() > first.len(), "{name}");
                assert_eq!(first, second[..first.len()], "{name}");
                let until = a.steps[first.len() - 1].time;
                let events = |keeper: &Keeper| {
                    keeper.events.iter().filter(|e| e.time <= until).copied().collect::<Vec<_>>()
                };
                assert_eq!(events(a), events(b), "{name}");
            }
        }
    }
}

/// Output times, and whether steps are recorded, change no bit of a run.
#[test]
fn runs_do_not_depend_on_what_is_recorded() {
    for (name, mut model) in models() {
        model.solver.t_end *= 0.6;
        for method in IntegratorKind::SMOOTH {
            model.solver.method = method;
            model.output.every = None;
            model.output.steps = true;
            let (first, all) = run(&model);
            for (every, recorded) in [(1e-3, true), (0.1, false), (10.0, true)] {
                model.output.every = Some(every);
                model.output.steps = recorded;
                model.output.patches = recorded.then_some(every);
                let (second, kept) = run(&model);
                let name = format!("{name}, {}, every {every} s", method.name());
                assert_eq!(first.bodies, second.bodies, "{name}");
                assert_eq!(first.energy, second.energy, "{name}");
                assert_eq!(first.pairs, second.pairs, "{name}");
                assert_eq!(all.events, kept.events, "{name}");
                if recorded {
                    assert_eq!(steps(&all), steps(&kept), "{name}");
                }
            }
        }
    }
}
