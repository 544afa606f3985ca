//! The sphere comes to rest when it is published to, "after about 5 s" (Hippmann 2023, section 4.1), on surfaces fine enough
//! to leave nothing to chance: starts 0.1 mm apart differ by 10 ms there.

use carom_engine::EndReason;
use carom_examples_test::{load, run, run_and_judge};

/// With the layer on one surface only it would rest after 7.3 s, with ramped damping after 7.1 s.
#[test]
fn rests_after_five_seconds() {
    let fine = ["body.torus.shape.facets=100000", "body.ball.shape.facets=100000", "solver.t_end=5.5 s"];
    let loaded = load("torus-sphere", &fine);
    let (outcome, judged) = run_and_judge(&loaded, |writer| run(&loaded, writer));
    assert_eq!(outcome.end, EndReason::Finished);
    // Among them: still in motion at 4.5 s, and at rest in the middle at the end.
    assert!(judged.iter().all(|judged| judged.met), "{judged:#?}");
    assert!(outcome.energy.model_defect.abs() < 0.01, "{} J", outcome.energy.model_defect);
}
