//! Runs that cannot go on stop, name the culprit, and keep what they have.

use carom_engine::function::TimeFunction;
use carom_engine::law::NormalKind;
use carom_engine::model::{Force, ForceAxes, ForceKind, IntegratorKind, JointKind};
use carom_engine::{EndReason, Model, RunError};
use carom_math::Vec3;

use crate::mechanism::{at, ground, joint, mechanism, part};
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

/// A push that the mass of 1 g makes infinite, and one that leaves the number range only when it is held against the
/// tolerance, so that no first step is short enough: on a joint and free, by every method.
#[test]
fn pushes_without_bounds_stop_the_run_at_its_start() {
    let push = |force: f64| Force {
        name: "push".to_owned(),
        kind: ForceKind::Force {
            on: at(1, 0.0, 0.0, 0.0),
            components: [0.0, force, 0.0].map(TimeFunction::Constant),
            axes: ForceAxes::World,
        },
    };
    for kind in IntegratorKind::SMOOTH {
        for (force, hinged) in [(1e307, true), (1e307, false), (1e200, true), (1e200, false)] {
            let mut rod = part("rod", 1e-3, Vec3::new(1e-5, 1e-5, 1e-5));
            rod.pose_stated = !hinged;
            let hinge = joint("hinge", JointKind::Revolute, at(0, 1.0, 0.0, 0.0), at(1, 1.0, 0.0, 0.0));
            let joints = if hinged { vec![hinge] } else { Vec::new() };
            let mut m = mechanism(vec![ground(), rod], joints, 9.81, 1.0, 1e-6);
            m.solver.method = kind;
            m.solver.max_steps = 1000;
            m.forces.push(push(force));
            let (outcome, _) = run_any(&m);
            let EndReason::Failed(error) = outcome.end else {
                panic!("{kind:?} {force:e}: {:?}", outcome.end)
            };
            assert!(["E0601", "E0604", "E0605"].contains(&error.code), "{kind:?} {force:e}: {error}");
            assert!(outcome.bodies[1].position.sum().is_finite(), "{kind:?} {force:e}: {:?}", outcome.bodies);
        }
    }
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

/// Friction that sticks below 10 µm/s is lost on a tolerance of 2e-5 of the speed of a fall through the ball, which is
/// 1 m/s or more; that of 5e-6 sees it, as does a stated one. Without friction there is nothing to see.
#[test]
fn sticking_below_the_tolerance_is_told() {
    let mut l = law(NormalKind::HuntCrossley, 0.0);
    (l.mu, l.v_reg) = (Some(0.3), Some(1e-5));
    let b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
    let mut m = model(vec![floor(), b], l, 9.81, 1.0, 2e-5);
    let codes = |m: &Model| m.validate().iter().map(|p| p.code).collect::<Vec<_>>();
    assert_eq!(codes(&m), ["W0503"]);
    assert!(m.validate()[0].path.ends_with("law.law.v_reg"), "{:?}", m.validate()[0].path);
    m.solver.atol.velocity = Some(9e-6);
    assert!(codes(&m).is_empty());
    m.solver.atol.velocity = Some(1.1e-5);
    assert_eq!(codes(&m), ["W0503"]);
    m.laws[0].v_reg = None;
    assert!(codes(&m).is_empty());
    (m.laws[0].mu, m.laws[0].v_reg) = (None, Some(1e-5));
    assert!(codes(&m).is_empty());
    (m.laws[0].mu, m.solver.atol.velocity, m.solver.rtol) = (Some(0.3), None, 5e-6);
    assert!(codes(&m).is_empty());
}

/// A ball on sharp friction with an explicit method: the warning's length of steps is that of the run, to a factor of two,
/// and the run that stops at its limit of steps names the remedy.
#[test]
fn steps_held_by_stability_are_told() {
    let mut l = law(NormalKind::HuntCrossley, 0.0);
    l.mu = Some(0.3);
    l.v_reg = Some(1e-5);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
    b.velocity.x = 0.01;
    let mut m = model(vec![floor(), b], l, 9.81, 2.0, 1e-6);
    let codes = |m: &Model| m.validate().iter().map(|p| p.code).collect::<Vec<_>>();
    assert!(codes(&m).is_empty());
    m.solver.method = IntegratorKind::Ode45;
    assert!(codes(&m).is_empty());
    m.solver.t_end = 5.0;
    assert_eq!(codes(&m), ["W0501"]);
    m.solver.max_steps = 20_000;
    let (outcome, keeper) = run_any(&m);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(error.code, "E0604");
    assert!(error.help.contains("radau5"), "{}", error.help);
    // 2.5 over 7/2 mu g/v_reg. While the ball rolls without any sliding, steps are longer.
    let held = 2.5 / (3.5 * 0.3 * 9.81 / 1e-5);
    let shortest = keeper.steps[1000..].windows(100).map(|w| w.iter().map(|s| s.step).sum::<f64>() / 100.0);
    let shortest = shortest.fold(f64::INFINITY, f64::min);
    assert!((0.5..2.0).contains(&(shortest / held)), "{shortest} {held}");
    m.solver.method = IntegratorKind::Auto;
    let (outcome, _) = run_any(&m);
    assert_eq!(outcome.end, EndReason::Finished);
}
