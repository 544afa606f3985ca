//! Overlap at the start, equilibrium and modes of areal contact.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use carom_engine::analysis::{Dynamics, EquilibriumLimits, StabilityKind};
use carom_engine::model::{BaseSide, Body, JointKind};
use carom_engine::{Model, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal_depth::{areal, block, faceted_ball, law, plate, stiffness};
use crate::mechanism::{at, joint, part};
use crate::scene;

const RADIUS: f64 = 0.1;
const G: f64 = 9.81;

fn resting(depth: f64, base: BaseSide) -> Model {
    let place = Vec3::new(0.013, 0.007, RADIUS - depth);
    // Facets that cut off 7 µm.
    let ball = faceted_ball("ball", 1.0, RADIUS, place, 80_000);
    let mut model = areal(vec![plate(), ball], law(Some(5e-3)), G, 1.0);
    model.contact_lines[0].base = base;
    model.contact_lines[0].accuracy = Some(0.02);
    model
}

/// F = c π R δ² is the weight at rest; k = 2 c π R δ there. The elements are good for 2 % of the force at a tenth of u_max,
/// which is this depth, and for less of its slope k: that is the area of those in contact, and one of 60 is 1.7 %. Facets cut
/// off 1.5 % of the depth.
#[test]
fn a_ball_on_a_layer_finds_its_rest_and_its_frequency() {
    let scale = stiffness() * PI * RADIUS;
    let depth = (G / scale).sqrt();
    let frequency = (2.0 * scale * depth).sqrt() / TAU;
    let mut results = Vec::new();
    for base in [BaseSide::A, BaseSide::B] {
        for start in [0.4e-3, 0.5e-3, 0.7e-3, 1e-3, -0.2e-3] {
            let model = resting(start, base);
            let system = System::compile(&model).expect("a sound model");
            let mut dynamics = Dynamics::new(&system);
            let found = dynamics.find_equilibrium(&EquilibriumLimits::default());
            let deep = RADIUS - dynamics.bodies()[1].position.z;
            let modes = dynamics.find_modes().expect("modes");
            let vertical = modes
                .modes
                .iter()
                .filter(|m| m.bodies[1].translation[0].z.abs() > 0.9)
                .map(|m| m.frequency)
                .fold(0.0, f64::max);
            results.push((
                base,
                start,
                found.map(|f| (f.iterations, f.contacts, f.residual_relative)),
                deep,
                vertical,
            ));
        }
    }
    for (base, start, found, deep, vertical) in &results {
        let fails = || format!("{base:?} {start}: {depth} {frequency}: {results:#?}");
        let (_, contacts, _) = found.as_ref().unwrap_or_else(|e| panic!("{e:?} {}", fails()));
        assert_eq!(*contacts, 1, "{}", fails());
        assert!((deep / depth - 1.0).abs() < 0.03, "{}", fails());
        assert!((vertical / frequency - 1.0).abs() < 0.03, "{}", fails());
    }
}

/// A pendulum that stands on its head beside a ball on its layer is unstable, though the elements' error is more than its stiffness: it is not theirs.
#[test]
fn what_sampling_leaves_open_hides_no_other_mechanism() {
    let mut model = resting(0.5e-3, BaseSide::A);
    model.bodies.push(part("bob", 1.0, Vec3::repeat(1e-6)));
    let on_plate = at(0, 2.0, 0.0, 1.0);
    let mut hinge = joint("hinge", JointKind::Revolute, on_plate, at(2, 0.0, 0.0, -0.5));
    let across = Quaternion::from_axis_angle(&Vec3::x(), FRAC_PI_2).to_matrix();
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (across, across);
    model.joints = vec![hinge];
    let system = System::compile(&model).expect("a sound model");
    let mut dynamics = Dynamics::new(&system);
    let found = dynamics.find_equilibrium(&EquilibriumLimits::default()).expect("a rest").stability;
    assert_eq!(found.kind, StabilityKind::Unstable, "{found:?}");
    // −g/l, less what its inertia of 1e-6 kg m² adds to 1 kg at 0.5 m.
    assert!((found.smallest / (-G / 0.5) - 1.0).abs() < 1e-5, "{found:?}");
}

/// A ball inside a block of nothing but surface: no force acts on it, and that is no rest.
#[test]
fn a_ball_inside_a_block_is_at_no_rest() {
    let mut model = resting(-0.2e-3, BaseSide::B);
    model.gravity = Vec3::zeros();
    let find = |model: &Model| {
        let system = System::compile(model).expect("a sound model");
        Dynamics::new(&system).find_equilibrium(&EquilibriumLimits::default())
    };
    assert!(find(&model).is_ok());
    let ball = &mut model.bodies[1];
    ball.position.z = -0.5;
    let error = find(&model).unwrap_err();
    assert!(error.code == "E0607" && error.message.contains("inside"), "{error:?}");
    assert_eq!(error.pair.as_deref(), Some("all[plate|ball]"));
}

fn warnings(bodies: Vec<Body>) -> Vec<(String, String)> {
    let model = areal(bodies, law(Some(2e-3)), G, 0.1);
    let problems = model.validate().into_iter().filter(|p| p.code == "W0401");
    problems.map(|p| (p.message, p.help.unwrap_or_default())).collect()
}

/// The move that the help names.
fn way(help: &str) -> Vec3 {
    let numbers = help.split(['[', ']']).nth(1).expect("a move");
    let mut numbers = numbers.split(',').map(|n| n.trim().parse().expect("a number"));
    Vec3::from_fn(|_, _| numbers.next().expect("three numbers"))
}

/// A bolt whose head starts 5 mm inside a plate, a box inside a box, and what the moves make of them.
#[test]
fn overlap_at_the_start_comes_with_the_move_that_ends_it() {
    let slab = || scene::fixed("slab", block(Vec3::new(0.1, 0.1, 0.02), 2), Pose::identity());
    let head = |height: f64| {
        let pose = Pose::from_translation(Vec3::new(0.01, 0.0, height));
        scene::body("bolt", 0.1, Mat3::identity() * 1e-4, block(Vec3::new(0.01, 0.012, 0.004), 2), pose)
    };
    for (height, move_up) in [(0.024 - 0.005, 0.005), (0.0, 0.024)] {
        let found = warnings(vec![slab(), head(height)]);
        let [(message, help)] = &found[..] else { panic!("{height}: {found:?}") };
        assert!(message.contains("\"bolt\"") && message.contains("mm"), "{message}");
        let way = way(help);
        assert!((way.z.abs() - move_up).abs() < 1e-5 && way.xy().norm() < 1e-9, "{height}: {help}");
        let mut moved = head(height);
        moved.position += way;
        assert!(warnings(vec![slab(), moved]).is_empty(), "{height}: {help}");
    }
    assert!(warnings(vec![slab(), head(0.0241)]).is_empty());
    // Deep by a thousandth of its size, as what rests on its layer is.
    assert!(warnings(vec![slab(), head(0.024 - 1e-5)]).is_empty());
}
