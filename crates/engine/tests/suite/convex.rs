//! Convex solids: boxes that rest, and what must not depend on how a scene is turned.

use carom_engine::law::NormalKind;
use carom_engine::model::Method;
use carom_engine::{Model, Outcome};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Vec3};

use crate::scene::{self, law};

/// A cube of 0.2 m and 1 kg, its centre at a height.
fn cube(name: &str, z: f64) -> carom_engine::model::Body {
    let half = Vec3::new(0.1, 0.1, 0.1);
    let inertia = Mat3::from_diagonal_element(1.0 / 6.0 * 0.04);
    scene::body(name, 1.0, inertia, Shape::Box { half }, Pose::from_translation(Vec3::new(0.0, 0.0, z)))
}

fn stack(boxes: usize, t_end: f64) -> Model {
    let mut law = law(NormalKind::HuntCrossley, 0.3);
    law.mu = Some(0.5);
    scene::point(&mut law).stiffness = Some(1e6);
    let mut bodies = vec![scene::floor()];
    bodies.extend((0..boxes).map(|k| cube(&format!("box{k}"), 0.1 + 0.2 * k as f64)));
    let mut model = scene::model(bodies, law, 9.81, t_end, 1e-6);
    model.contact_lines[0].method = Method::Auto;
    model.pairs.retain(|pair| pair.b.body == pair.a.body + 1);
    model
}

fn fastest(outcome: &Outcome) -> f64 {
    outcome.bodies.iter().map(|b| b.velocity.norm() + b.angular_velocity.norm()).fold(0.0, f64::max)
}

#[test]
fn a_stack_of_boxes_comes_to_rest() {
    let (settled, _) = scene::run(&stack(3, 2.0));
    assert!(fastest(&settled) < 1e-6, "{:.2e}", fastest(&settled));
    let (later, _) = scene::run(&stack(3, 4.0));
    for (early, late) in settled.bodies.iter().zip(&later.bodies) {
        let drift = (early.position - late.position).norm();
        assert!(drift < 1e-9, "{drift:.2e}");
    }
    println!("{:?} {:?}", later.statistics, later.residual_relative);
}
