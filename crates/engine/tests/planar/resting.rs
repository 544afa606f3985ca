//! Bodies at rest.

use carom_engine::model::Plane;
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};

use crate::kit::{G, K, body, fixed, law, model, place, rectangle};
use crate::scene::{self, run};

/// A block comes to rest on its two lower corners, each with half of its weight, on a half-space and on a polygon, in every plane.
#[test]
fn a_block_rests_on_two_corners() {
    for plane in Plane::ALL {
        let up = plane.vector(0.0, 1.0);
        let half_space =
            Pose { rotation: Quaternion::between(&Vec3::z(), &up).to_matrix(), translation: Vec3::zeros() };
        let floor = scene::fixed("floor", Shape::HalfSpace, half_space);
        let slab = fixed(plane, "floor", rectangle(4.0, 1.0), [0.0, -0.5, 0.0]);
        for ground in [floor, slab] {
            let block = body(plane, "block", rectangle(0.2, 0.1), [0.0, 0.0501, 0.0]);
            let weight = block.mass * G;
            let (outcome, keeper) = run(&model(plane, vec![ground, block], law(0.1, None), G, 1.0));
            let depth = 0.05 - outcome.bodies[1].position.dot(&up);
            assert!((depth / (0.5 * weight / K) - 1.0).abs() < 1e-6, "{plane:?}: {depth:e}");
            let contacts = &keeper.frames.last().unwrap().contacts;
            assert_eq!(contacts.len(), 2);
            assert!(contacts.iter().all(|c| (c.normal_force / (0.5 * weight) - 1.0).abs() < 1e-6));
            assert!(contacts.iter().all(|c| (c.normal - up).norm() < 1e-12));
            assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
        }
    }
}

/// A stack of equal blocks, flush to the last digit, stands: each common corner is held by both blocks' corners.
#[test]
fn equal_blocks_stack_flush() {
    let plane = Plane::Xy;
    let slab = fixed(plane, "floor", rectangle(4.0, 1.0), [0.0, -0.5, 0.0]);
    let block =
        |k: usize| body(plane, &format!("block{k}"), rectangle(0.2, 0.1), [0.0, 0.05 + 0.1 * k as f64, 0.0]);
    let bodies = vec![slab, block(0), block(1), block(2)];
    let (outcome, _) = run(&model(plane, bodies, law(0.1, Some(0.5)), G, 1.0));
    for (k, state) in outcome.bodies[1..4].iter().enumerate() {
        let height = 0.05 + 0.1 * k as f64;
        // Three weights on two springs at the bottom, at least one of them on two at each joint.
        let sink = height - state.position.y;
        assert!((0.0..3e-4).contains(&sink), "{k}: {sink:e}");
        assert!(state.velocity.norm() < 1e-4, "{k}: {:?}", state.velocity);
    }
}

/// The same motion in every plane, to rounding.
#[test]
fn planes_do_not_differ() {
    let ends = Plane::ALL.map(|plane| {
        let slab = fixed(plane, "floor", rectangle(4.0, 1.0), [0.0, -0.5, 0.0]);
        let mut block = body(plane, "block", rectangle(0.2, 0.1), [0.0, 0.3, 0.4]);
        block.velocity = plane.vector(0.5, 0.0);
        let (outcome, _) = run(&model(plane, vec![slab, block], law(0.5, Some(0.3)), G, 0.3));
        plane.rotation().transpose() * outcome.bodies[1].position
    });
    assert!((ends[0] - place(Plane::Xy, 0.0, 0.3, 0.0).translation).norm() > 0.1);
    // One bounce multiplies what rounding makes of the touch.
    assert!((ends[0] - ends[1]).norm() < 1e-9 && (ends[0] - ends[2]).norm() < 1e-9, "{ends:?}");
}
