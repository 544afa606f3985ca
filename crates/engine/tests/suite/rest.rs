//! Bodies at rest: static indentation, load sharing, standing and lying cylinders.

use carom_engine::law::NormalKind;
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::{ball, block, body, cylinder, fixed, floor, law, model, run};

const G: f64 = 9.81;
const K: f64 = 1e8;

/// Depth at which K δ^1.5 carries a load.
fn sink(load: f64) -> f64 {
    libm::pow(load / K, 2.0 / 3.0)
}

#[test]
fn box_rests_on_its_four_corners() {
    let mass = 2.0;
    let at = Vec3::new(0.0, 0.0, 0.0501);
    let b = block("box", mass, Vec3::new(0.3, 0.2, 0.1), Pose::from_translation(at));
    let (outcome, keeper) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.3), G, 1.0, 1e-8));
    let depth = 0.05 - outcome.bodies[1].position.z;
    assert!((depth / sink(mass * G / 4.0) - 1.0).abs() < 1e-6, "{depth}");
    let contacts = &keeper.frames.last().unwrap().contacts;
    assert_eq!(contacts.len(), 4);
    for contact in contacts {
        assert!((contact.normal_force - mass * G / 4.0).abs() < 1e-6);
    }
}

/// Points of a cylinder's manifold share one stiffness, standing and lying.
#[test]
fn cylinder_stands_and_lies() {
    let (mass, radius, length) = (2.0, 0.1, 0.3);
    let standing = cylinder("c", mass, radius, length, Pose::from_translation(Vec3::new(0.0, 0.0, 0.1501)));
    let lying = Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.1001),
    };
    let lying = cylinder("c", mass, radius, length, lying);
    for (b, height, points) in [(standing, 0.15, 3), (lying, 0.1, 2)] {
        let (outcome, keeper) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.3), G, 1.0, 1e-8));
        let depth = height - outcome.bodies[1].position.z;
        // Shares of the stiffness add up to one at equal depth.
        assert!((depth / sink(mass * G) - 1.0).abs() < 1e-6, "{points}: {depth:e} {:e}", sink(mass * G));
        assert_eq!(keeper.frames.last().unwrap().contacts.len(), points);
        assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
        assert!(outcome.bodies[1].velocity.norm() < 1e-7);
    }
}

/// A tilted cylinder falls over and rocks; what its sharing of stiffness costs is booked as model defect,
/// not as the integrator's residual.
#[test]
fn rocking_cylinder_books_its_model_defect() {
    let pose = Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::x(), 0.2).to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.2),
    };
    let c = cylinder("c", 2.0, 0.1, 0.3, pose);
    let mut l = law(NormalKind::Exact, 0.5);
    l.mu = Some(0.3);
    let (outcome, _) = run(&model(vec![floor(), c], l, G, 0.6, 1e-8));
    assert!(outcome.residual_relative < 1e-6, "{:e}", outcome.residual_relative);
    assert!(outcome.energy.model_defect != 0.0);
    assert!(outcome.energy.model_defect.abs() < 0.05 * outcome.energy_moved);
}

/// A capsule lies on the two balls of its ends.
#[test]
fn capsule_lies_on_two_points() {
    let (mass, radius) = (1.0, 0.05);
    let shape = Shape::Capsule { radius, half_length: 0.1 };
    let pose = Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix(),
        translation: Vec3::new(0.0, 0.0, radius + 1e-4),
    };
    let inertia = carom_math::Mat3::from_diagonal(&Vec3::new(5e-3, 5e-3, 1e-3));
    let c = body("capsule", mass, inertia, shape, pose);
    let (outcome, _) = run(&model(vec![floor(), c], law(NormalKind::Exact, 0.3), G, 1.0, 1e-8));
    let depth = radius - outcome.bodies[1].position.z;
    assert!((depth / sink(0.5 * mass * G) - 1.0).abs() < 1e-6);
}

/// A ball rests on the inside of a hollow sphere and in a hollow cylinder.
#[test]
fn ball_rests_in_a_bowl() {
    let mass = 0.5;
    let bowl = fixed("bowl", Shape::Sphere { radius: 0.2, hollow: true }, Pose::identity());
    let b = ball("ball", mass, 0.05, Vec3::new(0.0, 0.0, -0.1499));
    let (outcome, _) = run(&model(vec![bowl, b], law(NormalKind::Exact, 0.3), G, 0.5, 1e-8));
    let depth = -outcome.bodies[1].position.z - 0.15;
    assert!((depth / sink(mass * G) - 1.0).abs() < 1e-6, "{depth:e}");
}
