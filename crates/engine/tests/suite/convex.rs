//! Convex solids: boxes that rest, and what must not depend on how a scene is turned.

use carom_engine::law::NormalKind;
use carom_engine::model::Method;
use carom_engine::record::EventKind;
use carom_engine::{Model, Outcome, Simulation, System};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{self, Keeper, law};

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
}

/// Where the searches start is part of a checkpoint.
#[test]
fn a_tumbling_pile_is_resumed_with_the_same_bits() {
    let mut model = stack(3, 0.6);
    for (k, body) in model.bodies.iter_mut().enumerate().skip(1) {
        body.position.z += 0.15 * k as f64;
        body.position.x += 0.03 * k as f64;
        body.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.3, -0.2 * k as f64, 0.1));
    }
    let system = System::compile(&model).expect("a sound model");
    let mut whole = Keeper { checkpoint_after: 8, ..Keeper::default() };
    let outcome = Simulation::new(&system).run(&mut whole).expect("the keeper never fails");
    let (image, _, events) = &whole.checkpoints[0];
    let mut rest = Keeper::default();
    let resumed = Simulation::resume(&system, image).expect("its own image").run(&mut rest).unwrap();
    assert!(*events > 2 && rest.events.len() > 2, "{events} {}", rest.events.len());
    assert_eq!(whole.events[*events..], rest.events[..]);
    assert_eq!(outcome.bodies, resumed.bodies);
    assert!(outcome.residual_relative < 1e-6, "{:.2e}", outcome.residual_relative);
}

/// Three dominoes: the first is pushed over and the others follow, each of them at first turning about its lower edge.
#[test]
fn dominoes_fall_one_after_the_other() {
    let half = Vec3::new(0.01, 0.05, 0.1);
    let side = half.component_mul(&half) * 4.0 / 12.0 * 0.5;
    let inertia = Mat3::from_diagonal(&Vec3::new(side.y + side.z, side.x + side.z, side.x + side.y));
    let mut law = law(NormalKind::HuntCrossley, 0.3);
    law.mu = Some(0.4);
    scene::point(&mut law).stiffness = Some(1e6);
    let mut bodies = vec![scene::floor()];
    for k in 0..3 {
        let at = Pose::from_translation(Vec3::new(0.1 * f64::from(k), 0.0, 0.1));
        bodies.push(scene::body(&format!("domino{k}"), 0.5, inertia, Shape::Box { half }, at));
    }
    // About its lower right edge.
    bodies[1].angular_velocity = Vec3::new(0.0, 2.0, 0.0);
    bodies[1].velocity = Vec3::new(0.2, 0.0, 0.02);
    let mut model = scene::model(bodies, law, 9.81, 1.5, 1e-6);
    model.contact_lines[0].method = Method::Auto;
    let (outcome, keeper) = scene::run(&model);
    let upright = |b: &carom_engine::record::BodyState| b.orientation.to_matrix()[(2, 2)];
    for body in &outcome.bodies[1..] {
        assert!(upright(body) < 0.5, "{body:?}");
    }
    let system = System::compile(&model).unwrap();
    let name = |contact: usize| system.info().pairs[system.info().contacts[contact].pair].name.as_str();
    let begins = |pair: &str| {
        let first =
            keeper.events.iter().find(|e| e.kind == EventKind::ContactBegin && name(e.contact) == pair);
        first.expect("they meet").time
    };
    assert!(begins("all[domino0|domino1]") < begins("all[domino1|domino2]"));
    // The plane of symmetry is kept through the first impacts. Those of edges on faces that follow multiply what rounding
    // does to it by up to 1e4 each, under every integrator; it stays below a ten-thousandth of a millimetre.
    for frame in &keeper.frames {
        let limit = if frame.time <= begins("all[domino1|domino2]") { 1e-9 } else { 1e-7 };
        let off = frame.bodies.iter().fold(0.0_f64, |off, body| off.max(body.position.y.abs()));
        assert!(off < limit, "{off:e} at {} s", frame.time);
    }
    assert!(outcome.residual_relative < 1e-5, "{:.2e}", outcome.residual_relative);
}
