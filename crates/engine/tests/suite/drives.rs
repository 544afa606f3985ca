//! Motors that prescribe a motion: closed forms, and links that make it themselves against constraint rows.

use carom_engine::System;
use carom_engine::analysis::Dynamics;
use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::model::{AxisElements, AxisSpring, Coordinates, JointKind, Motor};
use carom_math::Vec3;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene;

const G: f64 = 9.81;

/// a + b sin(ω t + φ).
fn swing(a: f64, b: f64, omega: f64, phase: f64) -> TimeFunction {
    use Op::{Add, Constant, Mul, Sin, Time};
    let phase = [Time, Constant(omega), Mul, Constant(phase), Add, Sin];
    let whole = [&phase[..], &[Constant(b), Mul, Constant(a), Add]].concat();
    TimeFunction::Program(Program::new(whole).unwrap())
}

fn driven(motor: Motor) -> Vec<AxisElements> {
    vec![AxisElements { motor: Some(motor), ..AxisElements::default() }]
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
