//! Rigid contact of bodies that joints and constraints hold.

use carom_engine::model::{Body, Constraint, ConstraintKind, Coordinates, JointKind};
use carom_engine::record::{EventKind, Impact};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};

use crate::mechanism::{at, ground, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, block, fixed, floor, run};

fn first_impact(kept: &Keeper) -> (f64, Impact) {
    kept.events.iter().find_map(|e| Some((e.time, e.impact?))).unwrap()
}

/// Two balls on a massless rod at an angle θ from upright, the lower one on the way down at v: with the rod's impulse
/// −Λ cos θ/2 the normal impulse is Λ = (1 + e) m v/(1 − cos² θ/2).
#[test]
fn a_dumbbell_strikes_with_the_mass_that_its_rod_leaves() {
    let (e, theta, height, radius): (f64, f64, f64, f64) = (0.6, 0.7, 0.4, 0.05);
    let low = Vec3::new(0.0, 0.0, height + radius);
    let bodies = vec![
        floor(),
        ball("low", 1.0, radius, low),
        ball("high", 1.0, radius, low + Vec3::new(theta.sin(), 0.0, theta.cos())),
    ];
    let mut model = make(bodies, law_of(e, 0.0), 0.35);
    let kind = ConstraintKind::Distance { a: at(1, 0.0, 0.0, 0.0), b: at(2, 0.0, 0.0, 0.0), length: None };
    model.constraints.push(Constraint { name: "rod".to_owned(), kind });
    let (outcome, kept) = run(&model);
    assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
    let (_, impact) = first_impact(&kept);
    let speed = (2.0 * 9.81 * height).sqrt();
    let impulse = (1.0 + e) * speed / (1.0 - 0.5 * theta.cos().powi(2));
    assert!((impact.impulse_normal - impulse).abs() < 1e-9, "{} for {impulse}", impact.impulse_normal);
    assert!((impact.separation_speed - e * speed).abs() < 1e-9);
    let end = kept.frames.last().unwrap();
    let length = (end.bodies[1].position - end.bodies[2].position).norm();
    assert!((length - 1.0).abs() < 1e-12);
}

/// A ball falls beside bodies that joints fix: links without a state, of which there are more than are looked at together.
#[test]
fn bodies_that_joints_fix_have_no_path() {
    let (height, radius): (f64, f64) = (0.4, 0.05);
    let mut bodies = vec![floor(), ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, height + radius)), ground()];
    let mut joints = Vec::new();
    for k in 0..40 {
        let mut held = ball(&format!("held{k}"), 1.0, radius, Vec3::zeros());
        (held.pose_stated, held.velocity_stated) = (false, false);
        bodies.push(held);
        let [on_ground, on_held] = [at(2, f64::from(k), 5.0, 1.0), at(bodies.len() - 1, 0.0, 0.0, 0.0)];
        joints.push(joint(&format!("weld{k}"), JointKind::Fixed, on_ground, on_held));
    }
    let mut model = make(bodies, law_of(0.5, 0.0), 0.4);
    model.pairs.retain(|pair| pair.a.body == 0 && pair.b.body == 1);
    model.joints = joints;
    let (_, kept) = run(&model);
    let fall = (2.0 * height / 9.81).sqrt();
    assert!((first_impact(&kept).0 - fall).abs() < 1e-9, "{} for {fall}", first_impact(&kept).0);
}

/// A ball on a rod swings into a wall below its pivot and comes back with e times its speed, in joint and in body coordinates.
#[test]
fn a_pendulum_comes_back_from_a_wall() {
    let (e, length, radius, lift): (f64, f64, f64, f64) = (0.7, 0.5, 0.05, 0.6);
    let end = |coordinates: Coordinates| {
        let turn = Quaternion::from_axis_angle(&Vec3::y(), -0.5 * std::f64::consts::PI).to_matrix();
        let pose = Pose { rotation: turn, translation: Vec3::new(radius, 0.0, -length) };
        let wall = fixed("wall", Shape::HalfSpace, pose);
        let mut bob = ball("bob", 1.0, radius, Vec3::zeros());
        (bob.pose_stated, bob.velocity_stated) = (false, false);
        let mut hinge = joint("hinge", JointKind::Revolute, at(2, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, length));
        let about_y = Quaternion::from_axis_angle(&Vec3::x(), -0.5 * std::f64::consts::PI).to_matrix();
        hinge.a.pose.rotation = about_y;
        hinge.b.pose.rotation = about_y;
        hinge.position = Some(vec![lift]);
        let mut model = make(vec![wall, bob, ground()], law_of(e, 0.0), 0.7);
        model.pairs.retain(|pair| pair.b.body == 1 && pair.a.body == 0);
        model.joints.push(hinge);
        model.solver.coordinates = coordinates;
        let (outcome, kept) = run(&model);
        assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
        let (_, impact) = first_impact(&kept);
        // ½ (m l² + J) ω² = m g l (1 − cos), v = l ω.
        let inertia = length * length + 0.4 * radius * radius;
        let speed = length * (2.0 * 9.81 * length * (1.0 - lift.cos()) / inertia).sqrt();
        assert!(
            (impact.separation_speed - e * speed).abs() < 1e-8,
            "{} {}",
            impact.separation_speed,
            e * speed
        );
        assert!((impact.impulse_normal - (1.0 + e) * speed * inertia / (length * length)).abs() < 1e-8);
        outcome.bodies[1]
    };
    let (one, two) = (end(Coordinates::Joint), end(Coordinates::Body));
    assert!((one.position - two.position).norm() < 1e-7);
}

/// Two blocks that slide at one speed, with a rod between them: both are braked alike, stay flat, and the rod carries nothing.
#[test]
fn a_block_draws_another_by_a_rod() {
    let size = Vec3::new(0.2, 0.2, 0.1);
    let placed = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.05));
    let mut bodies: Vec<Body> =
        vec![floor(), block("front", 1.0, size, placed(0.5)), block("back", 2.0, size, placed(0.0))];
    bodies[1].velocity.x = 2.0;
    bodies[2].velocity.x = 2.0;
    let mu = 0.3;
    let mut model = make(bodies, law_of(0.0, mu), 0.5);
    model.pairs.retain(|pair| pair.a.body == 0);
    let kind = ConstraintKind::Distance { a: at(1, 0.0, 0.0, 0.0), b: at(2, 0.0, 0.0, 0.0), length: None };
    model.constraints.push(Constraint { name: "rod".to_owned(), kind });
    let (outcome, kept) = run(&model);
    assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
    let end = kept.frames.last().unwrap();
    for body in [1, 2] {
        let v = end.bodies[body].velocity;
        assert!((v.x - (2.0 - mu * 9.81 * 0.5)).abs() < 1e-9 && v.z.abs() < 1e-12, "{v}");
        assert!((end.bodies[body].position.z - 0.05).abs() < 1e-12);
    }
    assert!(kept.times(EventKind::ContactEnd).is_empty());
}
