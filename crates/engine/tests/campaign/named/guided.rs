//! Joints, ropes and drives.

use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::model::{
    Attachment, AxisLimit, CableLength, Force, ForceKind, IntegratorKind, JointKind, Method, Motor, Stop,
};
use carom_engine::{Model, Severity, System};
use carom_math::{Mat3, Pose, Vec3};

use crate::build::{at, body, fixed, joint, model, point_law, round};
use crate::part::Part;
use crate::watch::{failure, run};

/// A body that is thrown up to 1.02 m above the place where a rope of 1 m is fixed, and would be back within its reach
/// 0.29 s later: the rope holds it, at every step length.
#[test]
fn a_rope_that_goes_taut_inside_a_step_holds() {
    for integrator in IntegratorKind::SMOOTH {
        for t_end in [1.0, 10.0, 100.0] {
            let (length, crest) = (1.0, 1.02);
            let low = 0.05;
            let speed = (2.0_f64 * 9.81 * (crest - low)).sqrt();
            let mut bob = round("bob", 1.0, 0.1, None);
            bob.position = Vec3::new(0.0, 0.0, low);
            bob.velocity = Vec3::new(0.05, 0.0, speed);
            let mut scene = model(vec![fixed("ground", None), bob], point_law(1.0, 1.0), Method::Auto);
            scene.gravity = Vec3::new(0.0, 0.0, -9.81);
            let ends = [0, 1].map(|body| Attachment { body, pose: Pose::identity() });
            let cable = CableLength { initial: Some(length), rate: None };
            let kind = ForceKind::Cable { path: ends.to_vec(), length: cable, elasticity: None };
            scene.forces.push(Force { name: "rope".to_owned(), kind });
            scene.solver.method = integrator;
            scene.solver.t_end = t_end;
            let (outcome, watch) = run(&scene);
            let name = format!("{} to {t_end} s", integrator.name());
            assert!(failure(&outcome).is_none(), "{name}: {:?}", outcome.end);
            // r² = (0.05 t)² + (z₀ + v t − g t²/2)² = 1
            let radius = |t: f64| (0.05 * t).hypot(low + speed * t - 0.5 * 9.81 * t * t);
            let (mut before, mut after) = (0.2, 0.44);
            for _ in 0..100 {
                let middle = 0.5 * (before + after);
                if radius(middle) > length { after = middle } else { before = middle }
            }
            let begin = watch.begin().unwrap_or_else(|| panic!("{name}: never taut"));
            // A position is right to 1e-6 m a step; it comes at 0.6 m/s.
            assert!((begin.time - after).abs() < 1e-4, "{name}: {} {after}", begin.time);
            let far = watch.frames.iter().map(|(_, bodies)| bodies[1].position.norm()).fold(0.0, f64::max);
            assert!(far < length + 1e-4, "{name}: {far} m away");
        }
    }
}

/// A position of a slider that jumps by 50 mm passes everything in no time: it is refused, with where and how much.
#[test]
fn a_driven_position_that_jumps_is_refused() {
    use Op::{Constant, Div, Floor, Mul, Time};
    let ops = vec![Time, Constant(0.5), Div, Floor, Constant(0.05), Mul];
    let (head, ball) = (Part::ball(0.01), Part::ball(0.01));
    let mut slider = round("slider", 1.0, 0.01, Some(head.shape));
    slider.pose_stated = false;
    slider.velocity_stated = false;
    let mut target = round("ball", 1.0, 0.01, Some(ball.shape));
    target.position = Vec3::new(0.0, 0.0, 0.03);
    let mut scene = model(vec![slider, target, fixed("ground", None)], point_law(1e9, 1.0), Method::Auto);
    let mut slide = joint("slide", JointKind::Prismatic, at(2, Pose::identity()), at(0, Pose::identity()));
    slide.elements[0].motor =
        Some(Motor::Position(TimeFunction::Program(Program::new(ops).expect("one value"))));
    scene.joints.push(slide);
    scene.solver.t_end = 2.0;
    let found = |scene: &Model| -> Vec<String> {
        let problems = scene.validate().into_iter().filter(|p| p.severity() == Severity::Error);
        let mut texts: Vec<String> = problems.map(|p| format!("{p:?}")).collect();
        if let Err(problems) = System::compile(scene) {
            texts.extend(problems.iter().map(|p| format!("{p:?}")));
        }
        texts
    };
    let errors = found(&scene);
    assert!(errors.iter().any(|text| text.contains("slide") && text.contains("0.5")), "{errors:?}");
}

/// A door of 20 kg that swings against its stop: ½ J ω² = K θ^(n+1)/(n+1), and the torque is K θⁿ. The greatest is reported,
/// whatever is recorded.
#[test]
fn the_stop_of_a_door_is_known_by_its_peak() {
    let (inertia, omega, stiffness, exponent): (f64, f64, f64, f64) = (20.0 * 0.81 / 3.0, 2.0, 1e6, 1.5);
    let depth = (0.5 * inertia * omega * omega * (exponent + 1.0) / stiffness).powf(1.0 / (exponent + 1.0));
    for integrator in IntegratorKind::SMOOTH {
        for every in [1e-3, 0.5] {
            let mut door = body("door", 20.0, Mat3::identity() * inertia, None);
            door.pose_stated = false;
            door.velocity_stated = false;
            let mut scene = model(vec![fixed("ground", None), door], point_law(1.0, 1.0), Method::Auto);
            let mut hinge =
                joint("hinge", JointKind::Revolute, at(0, Pose::identity()), at(1, Pose::identity()));
            hinge.position = Some(vec![0.0]);
            hinge.velocity = Some(vec![omega]);
            let stop = Stop::Compliant { stiffness: Some(stiffness), exponent, restitution: 1.0 };
            hinge.elements[0].limit = Some(AxisLimit { lower: None, upper: Some(1.0), stop });
            scene.joints.push(hinge);
            scene.solver.method = integrator;
            scene.solver.rtol = 1e-9;
            scene.solver.t_end = 5.0;
            scene.output.every = Some(every);
            let (outcome, watch) = run(&scene);
            let name = format!("{}, rows every {every} s", integrator.name());
            let begin = watch.begin().unwrap_or_else(|| panic!("{name}: no begin"));
            assert!((begin.time - 1.0 / omega).abs() < 1e-7, "{name}: {}", begin.time);
            let torque = stiffness * depth.powf(exponent);
            let found = outcome.pairs.iter().map(|p| p.peaks.force.value).fold(0.0, f64::max);
            assert!((found / torque - 1.0).abs() < 1e-6, "{name}: {found:.9e} N m, {torque:.9e}");
        }
    }
}
