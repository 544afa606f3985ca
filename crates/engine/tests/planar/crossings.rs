//! Nothing touches unseen and nothing passes, also where corners go on from one face to another.

use carom_engine::EndReason;
use carom_engine::model::Plane;
use carom_engine::record::EventKind;

use crate::kit::{G, body, circle, fixed, law, model, polygon, rectangle};
use crate::scene::{run, run_any};

const PLANE: Plane = Plane::Xy;

/// A small disc and a small block, fast against a thin wall: they touch at the time of their free flight and bounce back. Where the
/// law is too soft to hold them before they are through, the run stops and says so.
#[test]
fn fast_bodies_do_not_pass_a_thin_wall() {
    let mut stopped = 0;
    for speed in [1.0, 30.0, 1000.0] {
        for (shape, reach) in [(circle(0.01), 0.01), (rectangle(0.02, 0.02), 0.01)] {
            let wall = fixed(PLANE, "wall", rectangle(0.002, 2.0), [0.001, 0.0, 0.0]);
            let mut bullet = body(PLANE, "bullet", shape, [-1.0, 0.0, 0.0]);
            bullet.velocity = PLANE.vector(speed, 0.0);
            let (outcome, keeper) =
                run_any(&model(PLANE, vec![wall, bullet], law(1.0, None), 0.0, 1.5 / speed));
            let begins = keeper.times(EventKind::ContactBegin);
            let touch = (1.0 - reach) / speed;
            assert!((begins[0] / touch - 1.0).abs() < 1e-9, "{speed}: {begins:?} {touch}");
            let end = &outcome.bodies[1];
            match outcome.end {
                EndReason::Finished => {
                    assert!(
                        end.position.x < -reach && (end.velocity.x / speed + 1.0).abs() < 1e-6,
                        "{end:?}"
                    );
                }
                EndReason::Failed(error) => {
                    assert!(error.code == "E0613" && error.message.contains("all[wall|bullet]"), "{error:?}");
                    assert!(speed > 1.0 && end.position.x < 0.001, "{speed}: {end:?}");
                    stopped += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(stopped, 3);
}

/// A block slides off the end of a table: its corner leaves the upper face where the corner of the table takes it over. What the
/// contacts do is in the ledger.
#[test]
fn a_block_slides_off_the_end_of_a_table() {
    let table = fixed(PLANE, "table", rectangle(1.0, 0.2), [-0.5, -0.1, 0.0]);
    let mut block = body(PLANE, "block", rectangle(0.2, 0.1), [-0.2, 0.05, 0.0]);
    block.velocity = PLANE.vector(1.0, 0.0);
    let (outcome, keeper) = run(&model(PLANE, vec![table, block], law(0.0, Some(0.1)), G, 0.35));
    let end = &outcome.bodies[1];
    // Half over the end it tips forward.
    assert!(end.position.x > 0.0 && end.angular_velocity.z < -0.5, "{end:?}");
    assert!(outcome.residual_relative < 1e-4, "{:e}", outcome.residual_relative);
    let deepest = keeper.frames.iter().flat_map(|f| &f.contacts).map(|c| -c.gap).fold(0.0, f64::max);
    assert!(deepest < 1e-4, "{deepest:e}");
    let features: std::collections::BTreeSet<_> =
        keeper.frames.iter().flat_map(|f| &f.contacts).map(|c| c.contact).collect();
    assert!(features.len() >= 3, "{features:?}");
}

/// A tilted peg falls into a slot, rattles between its walls and stays inside.
#[test]
fn a_peg_rattles_in_its_slot() {
    let slot = polygon(&[
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 0.0],
        [0.055, 0.0],
        [0.055, -0.5],
        [-0.055, -0.5],
        [-0.055, 0.0],
        [-1.0, 0.0],
    ]);
    let slot = fixed(PLANE, "slot", slot, [0.0, 0.0, 0.0]);
    let mut peg = body(PLANE, "peg", rectangle(0.1, 0.15), [0.0, -0.1, 0.0]);
    peg.angular_velocity = PLANE.normal() * 3.0;
    let (outcome, keeper) = run(&model(PLANE, vec![slot, peg], law(0.6, Some(0.2)), G, 0.5));
    assert!(keeper.times(EventKind::ContactBegin).len() > 4);
    for frame in &keeper.frames {
        assert!(frame.bodies[1].position.x.abs() < 0.01, "{:?}", frame.bodies[1].position);
    }
    let height = outcome.bodies[1].position.y;
    assert!((-0.4251..-0.3).contains(&height), "{height}");
    assert!(outcome.residual_relative < 1e-5, "{:e}", outcome.residual_relative);
}
