//! What the rover's loose tolerances change.

use carom_engine::EndReason;
use carom_examples_test::{Memory, load, run};

/// With `bdf` at tolerances some fifty times finer the ledger closes to 5e-6, and the way of two seconds, 0.6 m, is the
/// same to a hundredth.
#[test]
fn walks_the_same_at_fine_tolerances() {
    let fine = [
        "expect={}",
        "solver.method=\"bdf\"",
        r#"solver.atol={ length = "1e-6 m", angle = "1e-5 rad", velocity = "1e-4 m/s", angular_velocity = "1e-3 rad/s" }"#,
    ];
    let [loose, fine] = [&fine[..1], &fine[..]].map(|changes| {
        let loaded = load("rover", changes);
        let outcome = run(&loaded, &mut Memory::default());
        assert_eq!(outcome.end, EndReason::Finished);
        let body = loaded.model.bodies.iter().position(|body| body.name == "middle.chassis");
        (outcome.bodies[body.expect("it is there")].position, outcome.residual_relative)
    });
    let distance = (loose.0 - fine.0).norm();
    assert!(distance < 6e-3, "{distance} m");
    assert!(fine.1 < 5e-6, "{:e}", fine.1);
}
