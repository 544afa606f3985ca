//! The stack comes to rest and stays: every box, not only those that the expectations name.

use carom_engine::{EndReason, Outcome};
use carom_examples_test::{Memory, load, run};

fn after(t_end: &str) -> Outcome {
    let loaded = load("box-stack", &[&format!("solver.t_end={t_end}"), "expect={}"]);
    let outcome = run(&loaded, &mut Memory::default());
    assert_eq!(outcome.end, EndReason::Finished);
    outcome
}

#[test]
fn ten_boxes_rest_and_stay() {
    let (settled, later) = (after("2 s"), after("10 s"));
    assert_eq!(settled.bodies.len(), 11);
    for (early, late) in settled.bodies.iter().zip(&later.bodies) {
        let speed = early.velocity.norm() + 0.1 * early.angular_velocity.norm();
        assert!(speed < 1e-6, "{speed:.2e}");
        let drift = (late.position - early.position).norm();
        assert!(drift < 1e-9, "{drift:.2e}");
    }
}
