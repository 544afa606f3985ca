//! Motors that prescribe a motion: closed forms, and links that make it themselves against constraint rows.

use carom_engine::analysis::Dynamics;
use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::model::{AxisElements, AxisSpring, Coordinates, IntegratorKind, JointKind, Motor};
use carom_engine::{Model, System};
use carom_math::Vec3;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene;

const G: f64 = 9.81;

/// a + b sin(ω t + φ).
pub(crate) fn swing(a: f64, b: f64, omega: f64, phase: f64) -> TimeFunction {
    use Op::{Add, Constant, Mul, Sin, Time};
    let phase = [Time, Constant(omega), Mul, Constant(phase), Add, Sin];
    let whole = [&phase[..], &[Constant(b), Mul, Constant(a), Add]].concat();
    TimeFunction::Program(Program::new(whole).unwrap())
}

pub(crate) fn driven(motor: Motor) -> Vec<AxisElements> {
    vec![AxisElements { motor: Some(motor), ..AxisElements::default() }]
}

/// φ̇ of φ = a + b sin(ω t) is b ω at most, at t = π/ω for the second time and at the start for the first.
#[test]
fn a_joint_that_is_faster_than_it_is_rated_for_is_told_of() {
    let (b, omega) = (0.8, 3.0);
    let warned = |rated: f64, from: f64| {
        let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -0.7, 0.0, 0.0));
        hinge.elements = driven(Motor::Position(swing(0.5, b, omega, from)));
        hinge.elements[0].rated_speed = Some(rated);
        let bodies = vec![ground(), part("bob", 1.3, Vec3::new(0.03, 0.04, 0.05))];
        let model = mechanism(bodies, vec![hinge], 0.0, 2.0, 1e-9);
        let (outcome, _) = scene::run(&model);
        outcome.warnings.into_iter().filter(|w| w.starts_with("W0516")).collect::<Vec<_>>()
    };
    // The greatest speed lies inside a step, whose ends are some hundredths of a second away: it is located there.
    let said = warned(2.3, 0.5 * std::f64::consts::PI);
    assert_eq!(said.len(), 1, "{said:?}");
    let number = |before: &str| -> f64 {
        said[0].split(before).nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap()
    };
    assert!((number("moves at up to ") / (b * omega) - 1.0).abs() < 5e-4, "{said:?}");
    assert!(said[0].contains("joint \"hinge\"") && said[0].contains("it is rated for 2.3 rad/s"), "{said:?}");
    let at = number("at t = ");
    let turns = (at + 0.5 * std::f64::consts::PI / omega) * omega / std::f64::consts::PI;
    assert!((turns - turns.round()).abs() < 1e-3, "{said:?}");
    assert!(warned(2.4 * (1.0 + 1e-9), 0.0).is_empty());
}

/// A body on a hinge about z, gravity along −y: τ = J φ̈ + m g s cos φ, and the motor's work is all that the energy
/// E = ½ J φ̇² + m g s sin φ has gained.
#[test]
fn a_driven_pendulum_takes_its_effort() {
    let (mass, arm, inertia) = (1.3, 0.7, 0.05);
    let about = inertia + mass * arm * arm;
    let (a, b, omega, phase) = (0.5, 0.8, 3.0, 0.4);
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -arm, 0.0, 0.0));
    hinge.elements = driven(Motor::Position(swing(a, b, omega, phase)));
    let bodies = vec![ground(), part("bob", mass, Vec3::new(0.03, 0.04, inertia))];
    let mut model = mechanism(bodies, vec![hinge], 0.0, 2.0, 1e-9);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let motion = |t: f64| {
        let (sine, cosine) = libm::sincos(omega * t + phase);
        [a + b * sine, b * omega * cosine, -b * omega * omega * sine]
    };
    let energy = |t: f64| {
        let [q, v, _] = motion(t);
        0.5 * about * v * v + mass * G * arm * libm::sin(q)
    };
    let system = System::compile(&model).unwrap();
    let sample = Dynamics::new(&system).joint_samples().unwrap().swap_remove(0);
    let [q, v, acceleration] = motion(0.0);
    let want = about * acceleration + mass * G * arm * libm::cos(q);
    // Rounding of a handful of operations.
    assert!((sample.effort[0] - want).abs() < 1e-13 * want.abs(), "{} {want}", sample.effort[0]);
    assert!((sample.torque.z - want).abs() < 1e-13 * want.abs());
    assert!((sample.position[0] - q).abs() < 1e-15 && (sample.velocity[0] - v).abs() < 1e-15);
    let (outcome, keeper) = scene::run(&model);
    for frame in &keeper.frames {
        let [q, v, _] = motion(frame.time);
        let bob = &frame.bodies[1];
        // Between steps it is dense output that shows, at the tolerance.
        assert!((bob.position - Vec3::new(libm::cos(q), libm::sin(q), 0.0) * arm).norm() < 1e-8);
        assert!((bob.angular_velocity.z - v).abs() < 1e-7);
    }
    let gained = energy(2.0) - energy(0.0);
    let scale = energy(0.0).abs() + mass * G * arm;
    assert!(
        (outcome.energy.work_motors - gained).abs() < 1e-8 * scale,
        "{} {gained}",
        outcome.energy.work_motors
    );
    assert!(outcome.residual_relative < 1e-8);
}

/// A chain of which every other joint is driven, by position and by velocity, on the ground and in the air: links that make
/// the motion themselves, and rows on free bodies, give the same motion and the same efforts.
#[test]
fn driven_links_move_as_rows_do() {
    for grounded in [true, false] {
        let arm = |name: &str| part(name, 0.8, Vec3::new(0.002, 0.03, 0.025));
        let mut bodies = vec![ground(), arm("a"), arm("b"), arm("c"), arm("d")];
        let mut joints = vec![
            joint("ab", JointKind::Revolute, at(1, 0.3, 0.0, 0.1), at(2, -0.3, 0.05, 0.0)),
            joint("bc", JointKind::Prismatic, at(2, 0.3, 0.0, 0.0), at(3, 0.0, 0.1, -0.2)),
            // Carried against its direction.
            joint("dc", JointKind::Revolute, at(4, -0.2, 0.0, 0.0), at(3, 0.1, 0.0, 0.3)),
        ];
        let tilt = carom_math::Quaternion::from_axis_angle(&Vec3::new(0.6, 0.8, 0.0), 0.7).to_matrix();
        joints[0].b.pose.rotation = tilt;
        joints[1].a.pose.rotation = tilt;
        joints[2].elements = driven(Motor::Velocity(swing(0.5, 1.5, 4.0, 0.3)));
        joints[1].elements[0].spring = Some(AxisSpring { stiffness: 80.0, damping: 0.6, rest: 0.1 });
        if grounded {
            joints.push(joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 1.0), at(1, -0.3, 0.0, 0.0)));
            joints[3].elements = driven(Motor::Position(swing(0.2, 0.9, 3.0, 0.1)));
        } else {
            joints[0].elements = driven(Motor::Position(swing(0.2, 0.9, 3.0, 0.1)));
            bodies[1].angular_velocity = Vec3::new(0.3, -0.2, 0.5);
            bodies[1].velocity_stated = true;
        }
        let mut model = mechanism(bodies, joints, 2.0, 1.0, 1e-10);
        let [links, rows] = [Coordinates::Joint, Coordinates::Body].map(|coordinates| {
            model.solver.coordinates = coordinates;
            let system = System::compile(&model).unwrap();
            let samples = Dynamics::new(&system).joint_samples().unwrap();
            let (outcome, _) = scene::run(&model);
            (samples, outcome)
        });
        for ((a, b), data) in links.0.iter().zip(&rows.0).zip(&model.joints) {
            let effort = (a.effort[0] - b.effort[0]).abs();
            let (force, torque) = ((a.force - b.force).norm(), (a.torque - b.torque).norm());
            // Rows are solved with a ridge of 1e-10 of their matrix.
            assert!(
                effort.max(force).max(torque) < 1e-8,
                "{}: {effort:.1e} {force:.1e} {torque:.1e}",
                data.name
            );
        }
        for (a, b) in links.1.bodies.iter().zip(&rows.1.bodies) {
            let apart = (a.position - b.position).norm().max((a.velocity - b.velocity).norm());
            // The tolerance, over a second.
            assert!(apart < 1e-7, "{apart:.1e}");
        }
        let work = (links.1.energy.work_motors - rows.1.energy.work_motors).abs();
        assert!(work < 1e-7 && links.1.residual_relative < 1e-8, "{work:.1e} {}", links.1.residual_relative);
    }
}

fn program(ops: &[Op]) -> TimeFunction {
    TimeFunction::Program(Program::new(ops.to_vec()).unwrap())
}

/// A body on a slider along x that a motor moves.
pub(crate) fn slider(motor: Motor, t_end: f64, rtol: f64) -> Model {
    let mut rail = joint("rail", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    let turn = carom_math::Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_2).to_matrix();
    (rail.a.pose.rotation, rail.b.pose.rotation) = (turn, turn);
    rail.elements = driven(motor);
    mechanism(vec![ground(), part("carriage", 2.0, Vec3::new(0.1, 0.1, 0.1))], vec![rail], 0.0, t_end, rtol)
}

/// A motion that is nothing but a bump of a millisecond after a second of rest, A/(1 + x²), x = (t − 1.3)/w: its speed is
/// greatest at x² = 1/3, A/w · 3 √3/8, four times at the kinetic energy's height or depth. No stage of a long step sees it.
#[test]
fn a_bump_is_not_stepped_over() {
    use Op::{Add, Constant, Div, Mul, Sub, Time};
    let (height, width) = (0.02, 1e-3);
    let x = [Time, Constant(1.3), Sub, Constant(width), Div];
    let bump = program(&[&[Constant(height), Constant(1.0)], &x[..], &x[..], &[Mul, Add, Div]].concat());
    for method in IntegratorKind::SMOOTH {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = slider(Motor::Position(bump.clone()), 3.0, 1e-6);
            model.solver.method = method;
            model.solver.coordinates = coordinates;
            let (outcome, keeper) = scene::run(&model);
            let top = height / width * 3.0 * 3.0_f64.sqrt() / 8.0;
            let moved = 4.0 * 0.5 * 2.0 * top * top;
            // Ends of steps sample the speed's four extremes, which are flat.
            let name = method.name();
            assert!(
                (outcome.energy_moved / moved - 1.0).abs() < 0.02,
                "{name}: {} {moved}",
                outcome.energy_moved
            );
            assert!(outcome.residual_relative < 1e-4, "{name}: {:.1e}", outcome.residual_relative);
            assert!(keeper.steps.len() < 20_000, "{name}: {} steps", keeper.steps.len());
        }
    }
}

/// A force that goes up and down at once, 600 times: between jumps the acceleration is constant, so that any method has the
/// velocity to rounding if steps end at the jumps, and each sees but one side of them.
#[test]
fn forces_that_jump_are_integrated_piece_by_piece() {
    use Op::{Constant, Floor, Mul, Sub, Time};
    // F = 10 N (t/T − ⌊t/T⌋ stepped): 10 N · (⌊1000 t⌋ − 2 ⌊500 t⌋), 0 or 10 N by turns.
    let ops = [
        Constant(10.0),
        Constant(1000.0),
        Time,
        Mul,
        Floor,
        Constant(2.0),
        Constant(500.0),
        Time,
        Mul,
        Floor,
        Mul,
        Sub,
        Mul,
    ];
    for method in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5] {
        let mut model = slider(Motor::Force(program(&ops)), 0.6, 1e-6);
        model.solver.method = method;
        let (outcome, keeper) = scene::run(&model);
        // Half of the time at 5 m/s².
        let velocity = outcome.bodies[1].velocity.x.abs();
        assert!((velocity - 1.5).abs() < 1e-9, "{}: {velocity}", method.name());
        assert!((outcome.energy.work_motors - 0.5 * 2.0 * 1.5 * 1.5).abs() < 1e-8);
        let count = keeper.steps.len();
        assert!((600..8000).contains(&count), "{}: {count} steps", method.name());
        assert!(outcome.statistics.rejected < 600, "{}", outcome.statistics.rejected);
    }
}

/// Forces that take another branch right after the start, where what decides is zero: of first, second and third order, to rounding, and at
/// once. Each is the same as without its branch, F(t) for t > 0, so that the velocity after 1 s is ∫F/m.
#[test]
fn a_branch_that_changes_at_the_start_is_taken_there() {
    use Op::{Abs, Atan2, Constant, Cos, Floor, Max, Min, Mul, Neg, Pow, Sin, Sub, Time};
    let third = 1.0 / 3.0;
    let forces: [(&[Op], f64); 8] = [
        (&[Constant(0.0), Constant(2.0), Time, Mul, Max], 1.0),
        (&[Constant(0.0), Constant(2.0), Time, Mul, Neg, Min], -1.0),
        (&[Time, Neg, Abs], 0.5),
        (&[Constant(0.0), Time, Sin, Max], 1.0 - 1.0_f64.cos()),
        (&[Constant(0.0), Time, Time, Mul, Max], third),
        (&[Constant(0.0), Time, Constant(3.0), Pow, Max], 0.25),
        (&[Constant(0.0), Constant(1.0), Time, Cos, Sub, Max], 1.0 - 1.0_f64.sin()),
        (
            &[Time, Neg, Constant(-1.0), Atan2],
            -std::f64::consts::PI + std::f64::consts::FRAC_PI_4 - 0.5 * 2.0_f64.ln(),
        ),
    ];
    let floor: (&[Op], f64) = (&[Constant(-0.4), Time, Mul, Floor], -1.0);
    for method in [IntegratorKind::Auto, IntegratorKind::Ode113, IntegratorKind::Bdf] {
        for (ops, want) in forces.iter().chain([&floor]) {
            let mut model = slider(Motor::Force(program(ops)), 1.0, 1e-9);
            model.solver.method = method;
            let (outcome, _) = scene::run(&model);
            // The slider's axis is turned onto x, either way.
            let found = outcome.bodies[1].velocity.x.abs() * 2.0;
            assert!((found - want.abs()).abs() < 1e-6, "{} {ops:?}: {found} for {want}", method.name());
        }
    }
}

/// A carriage that a motor brings to speed at once, with a pendulum hanging on it: the impulse at the hinge turns the bob by
/// Δω = m l V/(J + m l²), and all the energy is the motor's.
#[test]
fn a_speed_that_jumps_is_an_impulse() {
    use Op::{Constant, Floor, Mul, Time};
    let (mass, length, inertia, speed) = (1.5, 0.4, 0.02, 0.7);
    let motor = Motor::Velocity(program(&[Constant(speed), Time, Floor, Mul]));
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        let mut model = slider(motor.clone(), 1.0 + 1e-6, 1e-9);
        model.solver.coordinates = coordinates;
        model.gravity = Vec3::new(0.0, -G, 0.0);
        model.bodies.push(part("bob", mass, Vec3::new(0.01, 0.01, inertia)));
        model.joints.push(joint("hinge", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, 0.0, length, 0.0)));
        let system = System::compile(&model).unwrap();
        let notes: String = system.notes().iter().map(ToString::to_string).collect();
        assert!(notes.contains("changes its speed at once at t = 1 s"), "{notes}");
        let (outcome, _) = scene::run(&model);
        let omega = mass * length * speed / (inertia + mass * length * length);
        let [carriage, bob] = [&outcome.bodies[1], &outcome.bodies[2]];
        // A microsecond of gravity on the bob is 1e-5 rad/s · 1e-6.
        assert!((carriage.velocity.x.abs() - speed).abs() < 1e-9, "{}", carriage.velocity.x);
        assert!((bob.angular_velocity.z.abs() - omega).abs() < 1e-7, "{} {omega}", bob.angular_velocity.z);
        let centre = speed - omega * length;
        assert!((bob.velocity.x.abs() - centre.abs()).abs() < 1e-7, "{} {centre}", bob.velocity.x);
        let kinetic = 0.5 * (2.0 * speed * speed + mass * centre * centre + inertia * omega * omega);
        assert!((outcome.energy.work_motors - kinetic).abs() < 1e-6 * kinetic);
        assert!(outcome.residual_relative < 1e-8, "{:.1e}", outcome.residual_relative);
    }
}

/// A position that jumps is an error with time, size and remedy; one that bends is not.
#[test]
fn a_position_that_jumps_is_refused() {
    use Op::{Abs, Constant, Floor, Mul, Sub, Time};
    let steps = [Constant(0.01), Time, Floor, Mul];
    let problems = slider(Motor::Position(program(&steps)), 3.0, 1e-6).validate();
    let problem = problems.iter().find(|p| p.code == "E0118").expect("it jumps");
    assert!(problem.message.contains("jumps by 0.01 m at t = 1 s"), "{}", problem.message);
    assert!(problem.help.as_deref().is_some_and(|help| help.contains("ramp")));
    let bends = [Time, Constant(1.0), Sub, Abs];
    assert!(slider(Motor::Position(program(&bends)), 3.0, 1e-6).validate().iter().all(|p| p.code != "E0118"));
}

/// A function with branches without end stops the run by name.
#[test]
fn a_function_without_end_of_branches_is_named() {
    use Op::{Constant, Floor, Max, Mul, Sub, Time};
    // ⌊1e15 max(0, t − ½)⌋ goes up with every other number after ½.
    let ops = [Constant(1e15), Constant(0.0), Time, Constant(0.5), Sub, Max, Mul, Floor];
    let (outcome, _) = scene::run_any(&slider(Motor::Force(program(&ops)), 2.0, 1e-6));
    let carom_engine::EndReason::Failed(error) = outcome.end else { panic!("it cannot end") };
    assert_eq!(error.code, "E0619");
    assert!(error.message.contains("rail"), "{}", error.message);
}

/// So does one whose branches come ever faster towards a time: ⌊1e-4/(1 − t)⌋ has 3000 of them until there are a thousand in 10 ns. No
/// contact is to be damped there.
#[test]
fn a_function_with_ever_shorter_branches_is_named() {
    use Op::{Constant, Div, Floor, Sub, Time};
    let ops = [Constant(1e-4), Constant(1.0), Time, Sub, Div, Floor];
    let (outcome, _) = scene::run_any(&slider(Motor::Force(program(&ops)), 2.0, 1e-6));
    let carom_engine::EndReason::Failed(error) = outcome.end else { panic!("it cannot end") };
    assert_eq!(error.code, "E0619");
    assert!(
        error.message.contains("rail") && !error.help.contains("contact"),
        "{} {}",
        error.message,
        error.help
    );
}
