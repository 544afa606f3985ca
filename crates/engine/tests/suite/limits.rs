//! Runs that cannot go on stop, name the culprit, and keep what they have.

use carom_engine::law::NormalKind;
use carom_engine::{EndReason, Model, RunError};
use carom_math::Vec3;

use crate::scene::{ball, floor, law, model, point, run_any};

fn dropped() -> Model {
    let b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.2));
    model(vec![floor(), b], law(NormalKind::None, 1.0), 9.81, 5.0, 1e-6)
}

fn failure(m: &Model) -> RunError {
    let (outcome, keeper) = run_any(m);
    assert!(!keeper.frames.is_empty());
    assert!(outcome.bodies.iter().all(|b| b.position.sum().is_finite()), "the last good state is kept");
    match outcome.end {
        EndReason::Failed(error) => error,
        other => panic!("the run should fail, not end as {other:?}"),
    }
}

/// A stiffness near the end of the number range: the force overflows on touch.
#[test]
fn force_that_is_not_finite_names_the_pair_and_the_time() {
    let mut m = dropped();
    point(&mut m.laws[0]).stiffness = Some(1e308);
    point(&mut m.laws[0]).exponent = 0.01;
    point(&mut m.laws[0]).normal = NormalKind::HuntCrossley;
    let error = failure(&m);
    assert!(["E0601", "E0605"].contains(&error.code), "{error}");
    assert_eq!(error.pair.as_deref(), Some("all[floor|ball]"));
    assert!((error.time - (0.2_f64 / 9.81).sqrt()).abs() < 1e-3, "{error}");
}

#[test]
fn step_size_under_its_limit_names_the_body() {
    let mut m = dropped();
    m.solver.h_min = Some(1e-4);
    let error = failure(&m);
    assert_eq!(error.code, "E0602");
    assert_eq!(error.body.as_deref(), Some("ball"));
}

#[test]
fn too_many_events_name_the_pair() {
    let mut m = dropped();
    m.solver.max_events = 5;
    let error = failure(&m);
    assert_eq!(error.code, "E0603");
    assert_eq!(error.pair.as_deref(), Some("all[floor|ball]"));
}

#[test]
fn too_many_steps_stop_the_run() {
    let mut m = dropped();
    m.solver.max_steps = 20;
    assert_eq!(failure(&m).code, "E0604");
}
