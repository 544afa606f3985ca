//! Rolling and sliding down an incline.

use carom_engine::model::Plane;

use crate::kit::{G, K, body, circle, fixed, law, model, rectangle};
use crate::scene::run;

const PLANE: Plane = Plane::Xy;
const SLOPE: f64 = 0.3;

/// A slab whose upper side goes through the origin and falls towards +x.
fn incline() -> carom_engine::model::Body {
    let (s, c) = (libm::sin(SLOPE), libm::cos(SLOPE));
    fixed(PLANE, "incline", rectangle(20.0, 1.0), [-0.5 * s, -0.5 * c, -SLOPE])
}

/// A disc that rolls without slip has 2/3 of the acceleration of a frictionless one. Friction that is regularised at 0.1 mm/s lets
/// it slip by a share of that.
#[test]
fn a_disc_rolls_down_an_incline() {
    let radius = 0.1;
    let (s, c) = (libm::sin(SLOPE), libm::cos(SLOPE));
    let mut disc = body(PLANE, "disc", circle(radius), [0.0, 0.0, 0.0]);
    let sink = disc.mass * G * c / K;
    disc.position = PLANE.vector(s, c) * (radius - sink);
    let (outcome, _) = run(&model(PLANE, vec![incline(), disc.clone()], law(0.0, Some(0.5)), G, 1.0));
    let way = (outcome.bodies[1].position - disc.position).norm();
    let exact = 0.5 * (2.0 / 3.0) * G * s;
    assert!((way / exact - 1.0).abs() < 3e-4, "{way} {exact}");
    // The force acts halfway between the two surfaces.
    let rolled =
        outcome.bodies[1].angular_velocity.z * (radius - 0.5 * sink) + outcome.bodies[1].velocity.norm();
    assert!(rolled.abs() < 1e-4, "{rolled:e}");
}

/// A block slides with g (sin θ − μ cos θ), whatever its two corners carry.
#[test]
fn a_block_slides_down_an_incline() {
    let (s, c, mu) = (libm::sin(SLOPE), libm::cos(SLOPE), 0.1);
    let mut block = body(PLANE, "block", rectangle(0.2, 0.1), [0.0, 0.0, -SLOPE]);
    let sink = 0.5 * block.mass * G * c / K;
    block.position = PLANE.vector(s, c) * (0.05 - sink);
    let start = block.position;
    let (outcome, keeper) = run(&model(PLANE, vec![incline(), block], law(0.0, Some(mu)), G, 1.0));
    let way = (outcome.bodies[1].position - start).norm();
    let exact = 0.5 * G * (s - mu * c);
    assert!((way / exact - 1.0).abs() < 1e-3, "{way} {exact}");
    assert_eq!(keeper.frames.last().unwrap().contacts.len(), 2);
    assert!(outcome.residual_relative < 1e-6, "{:e}", outcome.residual_relative);
}
