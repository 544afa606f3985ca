//! What does not depend on axes, origin or order.

use carom_engine::law::NormalKind;
use carom_engine::model::{Body, Model};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{ball, block, body, floor, law, model, run};

/// Free asymmetric body: energy and angular momentum are constant, and it tumbles about the middle axis.
#[test]
fn free_body_keeps_energy_and_angular_momentum() {
    let inertia = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0));
    let shape = carom_geometry::Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) };
    let mut b = body("top", 1.0, inertia, shape, Pose::identity());
    b.angular_velocity = Vec3::new(0.01, 3.0, 0.01);
    b.com = Vec3::new(0.1, -0.2, 0.05);
    let momentum = |s: &carom_engine::record::BodyState| {
        let r = s.orientation.to_matrix();
        r * (inertia * (r.transpose() * s.angular_velocity))
    };
    let (outcome, keeper) = run(&model(vec![b], law(NormalKind::None, 1.0), 0.0, 20.0, 1e-10));
    let start = momentum(&keeper.frames[0].bodies[0]);
    let mut flipped = false;
    for frame in &keeper.frames {
        let state = &frame.bodies[0];
        // 20 s of local errors 1e-10 over some 2000 steps, most of which cancel.
        assert!((momentum(state) - start).norm() < 1e-7, "{:e}", (momentum(state) - start).norm());
        flipped |= (state.orientation.to_matrix().transpose() * state.angular_velocity).y < -2.9;
    }
    assert!(flipped, "the middle axis is unstable");
    assert!(outcome.energy.residual.abs() < 1e-7);
}

fn tumble() -> Model {
    let pose = Pose {
        rotation: Quaternion::from_roll_pitch_yaw(0.3, 0.5, 0.1).to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.5),
    };
    let mut b = block("box", 1.0, Vec3::new(0.2, 0.3, 0.1), pose);
    b.velocity = Vec3::new(0.5, 0.2, -1.0);
    b.angular_velocity = Vec3::new(1.0, -2.0, 0.5);
    let mut l = law(NormalKind::Exact, 0.6);
    l.mu = Some(0.3);
    l.v_reg = Some(0.01);
    model(vec![floor(), b], l, 9.81, 0.45, 1e-8)
}

fn moved(body: &mut Body, x: &Pose) {
    let r = x.rotation;
    body.position = x.transform_point(&body.position);
    body.orientation = Quaternion::from_matrix(&(r * body.orientation.to_matrix()));
    body.velocity = r * body.velocity;
    body.angular_velocity = r * body.angular_velocity;
}

/// The same scene turned and shifted: the same motion, turned and shifted. A tumbling box doubles errors at
/// every impact; its first two seconds' tenths leave them under 1e-6.
#[test]
fn scene_may_be_turned_and_shifted() {
    let (plain, _) = run(&tumble());
    let x = Pose {
        rotation: Quaternion::from_roll_pitch_yaw(0.7, -0.4, 1.9).to_matrix(),
        translation: Vec3::new(3.0, -2.0, 5.0),
    };
    let mut other = tumble();
    other.gravity = x.rotation * other.gravity;
    other.bodies.iter_mut().for_each(|b| moved(b, &x));
    let (turned, _) = run(&other);
    let difference = (turned.bodies[1].position - x.transform_point(&plain.bodies[1].position)).norm();
    assert!(difference < 1e-6, "{difference:e}");
    assert_eq!(plain.pairs[0].begins, turned.pairs[0].begins);
}

/// The order of A and B turns the normal, and nothing else.
#[test]
fn order_of_a_pair_does_not_matter() {
    let (plain, _) = run(&tumble());
    let mut other = tumble();
    let pair = &mut other.pairs[0];
    std::mem::swap(&mut pair.a, &mut pair.b);
    let (swapped, _) = run(&other);
    assert!((plain.bodies[1].position - swapped.bodies[1].position).norm() < 1e-9);
    assert!((plain.pairs[0].impulse_normal - swapped.pairs[0].impulse_normal).abs() < 1e-9);
}

/// Internal contact forces keep the momentum of a free system, and its angular momentum.
#[test]
fn contacts_between_free_bodies_keep_momentum() {
    let mut bodies: Vec<Body> = (0..4)
        .map(|i| {
            ball(
                &format!("b{i}"),
                0.1 + 0.1 * f64::from(i),
                0.05,
                Vec3::new(0.12 * f64::from(i), 0.01 * f64::from(i), 0.0),
            )
        })
        .collect();
    bodies[0].velocity.x = 2.0;
    bodies[2].angular_velocity.z = 30.0;
    let mut l = law(NormalKind::HuntCrossley, 0.7);
    l.mu = Some(0.4);
    let m = model(bodies, l, 0.0, 1.0, 1e-8);
    let (_, keeper) = run(&m);
    let total = |frame: &crate::scene::Kept| {
        m.bodies.iter().zip(&frame.bodies).fold((Vec3::zeros(), Vec3::zeros()), |(p, l), (b, s)| {
            let linear = s.velocity * b.mass;
            (p + linear, l + s.position.cross(&linear) + b.inertia * s.angular_velocity)
        })
    };
    let start = total(&keeper.frames[0]);
    let end = total(keeper.frames.last().unwrap());
    assert!(keeper.events.len() >= 4);
    // Equal and opposite forces at one point: to rounding for p, to the tolerance for L, whose arms move.
    assert!((end.0 - start.0).norm() < 1e-13);
    assert!((end.1 - start.1).norm() < 1e-9, "{:e}", (end.1 - start.1).norm());
}

/// Symmetric scenes stay symmetric: two balls hit a third from both sides at once.
#[test]
fn simultaneous_contacts_keep_symmetry() {
    let mut left = ball("left", 0.2, 0.05, Vec3::new(-0.3, 0.0, 0.0));
    let mut right = ball("right", 0.2, 0.05, Vec3::new(0.3, 0.0, 0.0));
    left.velocity.x = 1.0;
    right.velocity.x = -1.0;
    let middle = ball("middle", 0.3, 0.05, Vec3::zeros());
    let (outcome, keeper) =
        run(&model(vec![left, middle, right], law(NormalKind::HuntCrossley, 0.8), 0.0, 1.0, 1e-8));
    assert_eq!(outcome.bodies[1].position, Vec3::zeros());
    assert_eq!(outcome.bodies[0].velocity, -outcome.bodies[2].velocity);
    // Two contacts that begin together are two rows at one time.
    assert_eq!(keeper.events[0].time, keeper.events[1].time);
}
