//! Equilibria, modes and driving efforts against closed forms.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use carom_engine::analysis::{Dynamics, EquilibriumLimits, Loads, MotionPoint, StabilityKind};
use carom_engine::function::TimeFunction;
use carom_engine::law::NormalKind;
use carom_engine::model::{AxisElements, AxisSpring, Body, Coordinates, Joint, JointKind, Motor};
use carom_engine::record::BodyState;
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::DVector;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{self, law};
use crate::tree::spatial_loop;

const G: f64 = 9.81;

/// A joint whose z axis is the world's y axis.
fn about_y(mut joint: Joint) -> Joint {
    let turn = Quaternion::from_axis_angle(&Vec3::x(), -FRAC_PI_2).to_matrix();
    joint.a.pose.rotation = turn;
    joint.b.pose.rotation = turn;
    joint
}

fn spring(stiffness: f64, damping: f64, rest: f64) -> AxisElements {
    AxisElements { spring: Some(AxisSpring { stiffness, damping, rest }), ..AxisElements::default() }
}

/// Mass 1.3 kg, 0.7 m below a hinge about y, at an angle from hanging.
fn pendulum(angle: f64) -> Model {
    let mut hinge = about_y(joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.7)));
    hinge.position = Some(vec![angle]);
    mechanism(vec![ground(), part("bob", 1.3, Vec3::new(0.03, 0.05, 0.04))], vec![hinge], G, 1.0, 1e-9)
}

#[test]
fn a_pendulum_finds_its_rest_and_swings_at_its_frequency() {
    for angle in [0.3, 2.0, 3.1, -1.0] {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = pendulum(angle);
            model.solver.coordinates = coordinates;
            let system = System::compile(&model).unwrap();
            let mut dynamics = Dynamics::new(&system);
            let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
            let bob = dynamics.bodies()[1];
            assert!((bob.position - Vec3::new(0.0, 0.0, -0.7)).norm() < 1e-9, "{angle}: {:?}", bob.position);
            assert!(
                found.stability.kind == StabilityKind::Stable
                    && found.residual_relative < 1e-10
                    && found.iterations < 80
            );
            let modes = dynamics.find_modes().unwrap();
            let want = (1.3 * G * 0.7 / (0.05 + 1.3 * 0.49_f64)).sqrt() / TAU;
            assert_eq!(modes.modes.len(), 1);
            let mode = &modes.modes[0];
            assert!((mode.frequency - want).abs() < 1e-8 * want, "{} {want}", mode.frequency);
            assert_eq!(mode.damping_ratio, 0.0);
            let shift = mode.bodies[1];
            assert!((shift.translation[0].x.abs() - 0.7 * shift.rotation[0].y.abs()).abs() < 1e-9);
        }
    }
}

/// Upside down it balances and falls at √(m g s/J).
#[test]
fn an_unstable_equilibrium_is_named_so() {
    let system = System::compile(&pendulum(PI)).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
    assert!(found.stability.kind == StabilityKind::Unstable && found.iterations == 0);
    let mode = &dynamics.find_modes().unwrap().modes[0];
    let want = (1.3 * G * 0.7 / (0.05 + 1.3 * 0.49_f64)).sqrt();
    assert!((mode.eigenvalue.re - want).abs() < 1e-8 * want && mode.damping_ratio == -1.0);
}

/// A mass on a stiff rod under a hinge that turns with a free shaft: a direction without stiffness, one of gravity, and
/// one 10⁸ times as stiff are found together.
#[test]
fn stiff_and_free_directions_do_not_hold_up_each_other() {
    let inertia = Vec3::new(0.1, 0.1, 0.1);
    let shaft = joint("shaft", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    let mut swing = about_y(joint("swing", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0)));
    swing.position = Some(vec![1.2]);
    let mut stretch = joint("stretch", JointKind::Prismatic, at(2, 0.0, 0.0, -0.7), at(3, 0.0, 0.0, 0.0));
    stretch.elements = vec![spring(1e9, 0.0, 0.0)];
    let bodies = vec![ground(), part("a", 1.0, inertia), part("b", 1.0, inertia), part("c", 1.0, inertia)];
    let system = System::compile(&mechanism(bodies, vec![shaft, swing, stretch], G, 1.0, 1e-9)).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
    let [angle, length] = [1, 2].map(|j| dynamics.joint_position(j).unwrap()[0]);
    assert!(found.stability.kind == StabilityKind::Indifferent && found.iterations < 40, "{found:?}");
    assert!(angle.abs() < 1e-9 && (length + G / 1e9).abs() < 1e-15, "{angle} {length}");
}

/// m₁ = 2, m₂ = 1 on springs k₁ = 300, k₂ = 100 below each other, dampers in proportion: modal damping ½ β ω.
#[test]
fn a_chain_of_two_masses_has_its_modes() {
    let slider = |name: &str, a, b, k: f64, beta: f64| {
        let mut slider = joint(name, JointKind::Prismatic, at(a, 0.0, 0.0, 0.0), at(b, 0.0, 0.0, 0.0));
        slider.elements = vec![spring(k, beta * k, 0.0)];
        slider
    };
    for beta in [0.0, 2e-3] {
        let joints = vec![slider("upper", 0, 1, 300.0, beta), slider("lower", 1, 2, 100.0, beta)];
        let inertia = Vec3::new(0.1, 0.1, 0.1);
        let bodies = vec![ground(), part("one", 2.0, inertia), part("two", 1.0, inertia)];
        let system = System::compile(&mechanism(bodies, joints, G, 1.0, 1e-9)).unwrap();
        let mut dynamics = Dynamics::new(&system);
        dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
        let sag = [-3.0 * G / 300.0, -G / 100.0];
        assert!((dynamics.joint_position(0).unwrap()[0] - sag[0]).abs() < 1e-10);
        assert!((dynamics.joint_position(1).unwrap()[0] - sag[1]).abs() < 1e-10);
        let modes = dynamics.find_modes().unwrap().modes;
        // 2 λ² − (400 + 200) λ + 300 · 100 = 0 for λ = ω².
        let root = (150.0_f64 * 150.0 - 15000.0).sqrt();
        for (mode, lambda) in modes.iter().zip([150.0 - root, 150.0 + root]) {
            let omega = lambda.sqrt();
            assert!((mode.undamped_frequency * TAU - omega).abs() < 1e-8 * omega);
            let ratio = 0.5 * beta * omega;
            assert!((mode.damping_ratio - ratio).abs() < 1e-9, "{} {ratio}", mode.damping_ratio);
            let want = (omega / TAU) * (1.0 - ratio * ratio).sqrt();
            assert!((mode.frequency - want).abs() < 1e-8 * want);
            // (300 + 100 − 2 λ) x₁ = 100 x₂ for absolute displacements.
            let [x1, x2] = [1, 2].map(|b| mode.bodies[b].translation[0].z);
            assert!(((400.0 - 2.0 * lambda) * x1 - 100.0 * x2).abs() < 1e-5 * 400.0);
        }
        assert_eq!(modes.len(), 2);
    }
}

/// A parallelogram of massless-like rods as four-bar: crank and rocker of length l carry a coupler of mass m, with a
/// spring k on the crank. One freedom: (2 J + m l²) θ̈ + k θ + (m + m_r) g l θ = 0 about hanging.
#[test]
fn a_four_bar_with_a_spring_has_its_mode() {
    let (l, rod, coupler, k) = (0.5, 0.2, 1.5, 3.0);
    let rod_inertia = rod * l * l / 12.0;
    let rods = Vec3::new(rod_inertia, rod_inertia, 1e-3);
    let hinge = |name: &str, a, b| about_y(joint(name, JointKind::Revolute, a, b));
    let mut joints = vec![
        hinge("crank", at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.5 * l)),
        hinge("left", at(1, 0.0, 0.0, -0.5 * l), at(2, -0.4, 0.0, 0.0)),
        hinge("right", at(2, 0.4, 0.0, 0.0), at(3, 0.0, 0.0, -0.5 * l)),
        hinge("rocker", at(0, 0.8, 0.0, 0.0), at(3, 0.0, 0.0, 0.5 * l)),
    ];
    joints[0].elements = vec![spring(k, 0.0, 0.0)];
    joints[0].position = Some(vec![0.4]);
    joints[1].position = Some(vec![-0.4]);
    let bodies = vec![
        ground(),
        part("a", rod, rods),
        part("b", coupler, Vec3::new(0.1, 0.1, 0.1)),
        part("c", rod, rods),
    ];
    let about = rod_inertia + rod * 0.25 * l * l;
    let omega = ((k + (coupler + rod) * G * l) / (2.0 * about + coupler * l * l)).sqrt();
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        let mut model = mechanism(bodies.clone(), joints.clone(), G, 1.0, 1e-9);
        model.solver.coordinates = coordinates;
        let system = System::compile(&model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
        assert!(
            found.stability.kind == StabilityKind::Stable
                && (dynamics.bodies()[1].position.z + 0.5 * l).abs() < 1e-9
        );
        let modes = dynamics.find_modes().unwrap();
        assert_eq!(modes.modes.len(), 1, "{coordinates:?}");
        let found = modes.modes[0].frequency * TAU;
        assert!((found - omega).abs() < 1e-8 * omega, "{coordinates:?}: {found} {omega}");
    }
}

/// Loops in joint and in body coordinates have the same equilibrium and, there, the same modes, damping included. The
/// bodies spin freely between their balls: each search ends at spins of its own, which the modes depend on (no two
/// moments of inertia are equal), so that modes are compared at the spins of the first.
#[test]
fn modes_do_not_depend_on_the_coordinates() {
    let model = spatial_loop(&mut SplitMix64::new(3));
    let mut first: Option<Vec<BodyState>> = None;
    let [joint, body] = [Coordinates::Joint, Coordinates::Body].map(|coordinates| {
        let mut model = model.clone();
        model.solver.coordinates = coordinates;
        let system = System::compile(&model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        // 1e-12 of 40 N, over the softest direction's 1 N/m.
        let limits = EquilibriumLimits { tolerance: 1e-12, ..EquilibriumLimits::default() };
        dynamics.find_equilibrium(&limits).unwrap();
        let own = dynamics.bodies();
        let frames = first.get_or_insert_with(|| own.clone());
        let mut state = dynamics.state().to_vec();
        for (index, (own, frame)) in own.iter().zip(frames.iter()).enumerate() {
            assert!((own.position - frame.position).norm() < 1e-10, "{own:?} {frame:?}");
            dynamics.write_body(&mut state, index, frame);
        }
        dynamics.set_state(0.0, &state);
        let modes = dynamics.find_modes().unwrap();
        assert!(modes.unbalanced < 1e-10, "{}", modes.unbalanced);
        assert!((&modes.stiffness - modes.stiffness.transpose()).amax() < 1e-7 * modes.stiffness.amax());
        // Spins have eigenvalues that are zero but for differences.
        modes.modes.iter().map(|m| m.eigenvalue).filter(|s| s.norm() > 1e-2).collect::<Vec<_>>()
    });
    assert!(joint.len() == body.len() && joint.len() > 3, "{joint:?}");
    for (a, b) in joint.iter().zip(&body) {
        assert!((a - b).norm() < 1e-7 * (1.0 + a.norm()), "{a} {b}");
    }
}

/// A ball dropped onto a floor with F = K δ^1.5 sinks in by (m g/K)^(2/3) and bounces at √(1.5 K √δ/m).
#[test]
fn a_ball_rests_on_the_floor() {
    let mut ball = scene::ball("ball", 0.2, 0.05, Vec3::new(0.3, 0.1, 0.2));
    ball.orientation = Quaternion::from_axis_angle(&Vec3::y(), 0.4);
    let model = scene::model(vec![scene::floor(), ball], law(NormalKind::HuntCrossley, 0.8), G, 1.0, 1e-6);
    let system = System::compile(&model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap();
    let depth = libm::pow(0.2 * G / 1e8, 2.0 / 3.0);
    let z = dynamics.bodies()[1].position.z;
    assert!((0.05 - z - depth).abs() < 1e-9 * depth + 1e-15, "{} {depth}", 0.05 - z);
    assert!(found.contacts == 1 && found.stability.kind == StabilityKind::Indifferent);
    let modes = dynamics.find_modes().unwrap().modes;
    let omega = (1.5e8 * depth.sqrt() / 0.2).sqrt();
    let bounce = modes.last().unwrap();
    assert!((bounce.frequency * TAU - omega).abs() < 1e-5 * omega, "{} {omega}", bounce.frequency * TAU);
}

/// Radii of the ball and of what it lies in or on (m).
const BALL: f64 = 0.05;
const ROUND: f64 = 0.2;

/// A ball of 0.2 kg that touches at its lowest point, free, or on a slider along x whose carriage has 0.3 kg, and a slider along z.
fn resting(on: Body, height: f64, slides: bool) -> Model {
    // What only touches does not count yet.
    let height = height - 5e-6;
    let ball = scene::ball("ball", 0.2, BALL, Vec3::new(0.0, 0.0, height));
    let mut model = scene::model(vec![on, ball], law(NormalKind::HuntCrossley, 0.8), G, 1.0, 1e-6);
    if slides {
        model.bodies.push(part("carriage", 0.3, Vec3::new(0.1, 0.1, 0.1)));
        let mut along = joint("along", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
        let turn = Quaternion::from_axis_angle(&Vec3::y(), FRAC_PI_2).to_matrix();
        (along.a.pose.rotation, along.b.pose.rotation) = (turn, turn);
        let mut down = joint("down", JointKind::Prismatic, at(2, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
        down.position = Some(vec![height]);
        model.joints = vec![along, down];
    }
    model
}

/// The names of the freedoms that nothing resists, and the smallest eigenvalue with its direction.
fn stability(model: &Model) -> (StabilityKind, Vec<String>, f64, Vec<(String, f64)>) {
    let system = System::compile(model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).unwrap().stability;
    let name = |f: usize| dynamics.freedoms()[f].name.clone();
    let direction = found.direction.iter().enumerate().map(|(f, &x)| (name(f), x)).collect();
    (found.kind, found.indifferent.iter().map(|&f| name(f)).collect(), found.smallest, direction)
}

/// A ball that is pushed on a plate stays there; in a bowl it comes back, on another ball it falls, both with m g over the distance d of
/// the centres as stiffness. Free balls turn without resistance in all of them. (d is off by the depth, 7 µm, of which 1e-3 is asked.)
#[test]
fn plates_are_indifferent_bowls_stable_and_balls_unstable() {
    let round =
        |hollow: bool| scene::fixed("round", Shape::Sphere { radius: ROUND, hollow }, Pose::identity());
    let [inside, outside] = [ROUND - BALL, ROUND + BALL];
    let turns = ["ball.rx", "ball.ry", "ball.rz"];

    let (kind, indifferent, ..) = stability(&resting(scene::floor(), BALL, false));
    let all: Vec<_> = ["ball.x", "ball.y"].into_iter().chain(turns).collect();
    assert!(kind == StabilityKind::Indifferent && indifferent == all, "{kind:?} {indifferent:?}");
    let (kind, indifferent, ..) = stability(&resting(round(true), -inside, false));
    assert!(kind == StabilityKind::Indifferent && indifferent == turns, "{kind:?} {indifferent:?}");
    let (kind, indifferent, smallest, direction) = stability(&resting(round(false), outside, false));
    assert!(kind == StabilityKind::Unstable && indifferent == turns, "{kind:?} {indifferent:?}");
    assert!((smallest * outside / -G - 1.0).abs() < 1e-3, "{smallest}");
    let aside = |(name, x): &(String, f64)| ["ball.x", "ball.y"].contains(&&**name) || x.abs() < 1e-3;
    assert!(direction.iter().all(aside), "{direction:?}");

    let (kind, indifferent, ..) = stability(&resting(scene::floor(), BALL, true));
    assert!(kind == StabilityKind::Indifferent && indifferent == ["along.displacement"], "{indifferent:?}");
    for (on, height, want, expected) in [
        (round(true), -inside, 0.4 * G / inside, StabilityKind::Stable),
        (round(false), outside, -0.4 * G / outside, StabilityKind::Unstable),
    ] {
        let (kind, indifferent, smallest, direction) = stability(&resting(on, height, true));
        assert!(kind == expected && indifferent.is_empty(), "{kind:?} {indifferent:?}");
        assert!((smallest / want - 1.0).abs() < 1e-3, "{smallest} {want}");
        assert!(direction[0] == ("along.displacement".to_owned(), 1.0) && direction[1].1.abs() < 1e-3);
    }
}

#[test]
fn what_nothing_carries_has_no_equilibrium() {
    let ball = scene::ball("ball", 0.2, 0.05, Vec3::zeros());
    let model = scene::model(vec![ball], law(NormalKind::HuntCrossley, 0.8), G, 1.0, 1e-6);
    let system = System::compile(&model).unwrap();
    let limits = EquilibriumLimits { iterations: 20, ..EquilibriumLimits::default() };
    let error = Dynamics::new(&system).find_equilibrium(&limits).unwrap_err();
    assert_eq!(error.code, "E0607");
    assert!(error.message.contains("ball.z") && error.message.contains("1.962e0 N"), "{error}");
}

/// A driven pendulum: τ = J θ̈ + m g s sin θ − what a motor is told; from states by splines.
#[test]
fn a_motion_takes_its_efforts() {
    let mut model = pendulum(0.0);
    model.joints[0].elements = vec![AxisElements {
        motor: Some(Motor::Force(TimeFunction::Constant(7.0))),
        ..AxisElements::default()
    }];
    let system = System::compile(&model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let times: Vec<f64> = (0..401).map(|k| f64::from(k) * 5e-3).collect();
    let angle = |t: f64| (0.8 * libm::sin(3.0 * t), 2.4 * libm::cos(3.0 * t), -7.2 * libm::sin(3.0 * t));
    let states: Vec<Vec<f64>> = times
        .iter()
        .map(|&t| {
            let mut state = dynamics.state().to_vec();
            assert!(dynamics.write_joint(&mut state, 0, &[angle(t).0], &[angle(t).1]));
            state
        })
        .collect();
    let motion = MotionPoint::series(&system, &times, &states).unwrap();
    let driven = dynamics.driven_freedoms();
    assert_eq!(driven, [0]);
    for (point, t) in dynamics.driving_efforts_along(&motion, &driven, Loads::All).iter().zip(&times) {
        let (q, _, a) = angle(*t);
        let want = (0.05 + 1.3 * 0.49) * a + 1.3 * G * 0.7 * libm::sin(q);
        assert!((point.efforts[0] - want).abs() < 1e-5 && point.missing.norm() < 1e-12, "{t}: {point:?}");
    }
    let broken = MotionPoint::series(&system, &[0.0, 0.0], &states[..2]).unwrap_err();
    assert_eq!(broken.code, "E0609");
}

/// In a loop, one driven joint makes the accelerations that forward dynamics finds under its effort.
#[test]
fn drives_of_a_loop_are_found_again() {
    let model = spatial_loop(&mut SplitMix64::new(9));
    let system = System::compile(&model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let n = system.freedoms();
    let mut efforts = DVector::zeros(n);
    efforts[4] = 0.7;
    let accelerations = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
    let found = dynamics.driving_efforts(&accelerations, &[4], Loads::All);
    assert!((found.efforts[4] - 0.7).abs() < 1e-9 && found.missing.norm() < 1e-9, "{found:?}");
    let without = dynamics.driving_efforts(&accelerations, &[], Loads::All);
    assert!(without.missing.norm() > 0.1);
}

#[test]
fn bodies_and_joints_write_their_states() {
    let mut ball = scene::ball("ball", 0.2, 0.05, Vec3::zeros());
    ball.com = Vec3::new(0.1, -0.2, 0.05);
    let model = scene::model(vec![scene::floor(), ball], law(NormalKind::HuntCrossley, 0.8), G, 1.0, 1e-6);
    let system = System::compile(&model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let frame = BodyState {
        position: Vec3::new(1.0, 2.0, 3.0),
        orientation: Quaternion::from_axis_angle(&Vec3::new(1.0, 1.0, 0.0), 0.9),
        velocity: Vec3::new(0.1, 0.2, 0.3),
        angular_velocity: Vec3::new(-1.0, 0.5, 2.0),
    };
    let mut state = dynamics.state().to_vec();
    assert!(dynamics.write_body(&mut state, 1, &frame) && !dynamics.write_body(&mut state, 0, &frame));
    dynamics.set_state(0.0, &state);
    let back = dynamics.bodies()[1];
    assert!(
        (back.position - frame.position).norm() < 1e-14 && (back.velocity - frame.velocity).norm() < 1e-14
    );
    let names: Vec<&str> = dynamics.freedoms().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["ball.x", "ball.y", "ball.z", "ball.rx", "ball.ry", "ball.rz"]);
}

/// A free tree hangs on the body that no joint carries, wherever it stands in the file.
#[test]
fn the_base_of_a_tree_is_what_no_joint_carries() {
    let inertia = Vec3::new(0.1, 0.1, 0.1);
    let bodies = vec![part("hand", 1.0, inertia), part("arm", 2.0, inertia), part("base", 4.0, inertia)];
    let hinge =
        |name: &str, a, b| joint(name, JointKind::Revolute, at(a, 0.0, 0.0, 0.0), at(b, 0.3, 0.0, 0.0));
    let model = mechanism(bodies, vec![hinge("wrist", 1, 0), hinge("shoulder", 2, 1)], 0.0, 1.0, 1e-9);
    let system = System::compile(&model).unwrap();
    let dynamics = Dynamics::new(&system);
    let names: Vec<&str> = dynamics.freedoms().iter().map(|f| f.name.as_str()).collect();
    assert_eq!((names[0], &names[6..]), ("base.x", &["shoulder.angle", "wrist.angle"][..]));
    // With the base held, the wrist turns the hand about its end, the shoulder both about its own.
    let mass = dynamics.mass_matrix();
    let wrist = 0.1 + 0.3 * 0.3;
    let shoulder = 0.1 + 2.0 * 0.3 * 0.3 + 0.1 + 0.6 * 0.6;
    assert!((mass[(7, 7)] - wrist).abs() < 1e-14 && (mass[(6, 6)] - shoulder).abs() < 1e-14, "{mass}");
}
