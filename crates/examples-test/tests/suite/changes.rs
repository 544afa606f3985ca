//! Every expectation of every example fails under a named change of one parameter: none is empty.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::EndReason;
use carom_examples_test::{EXAMPLES, load, run, run_and_judge};

/// Gravity of bearing-axial with its axial share upwards: the balls gather at the other end.
const TURNED_OVER: &str = r#"world.gravity=[0, "-3.36 m/s^2", "+9.22 m/s^2"]"#;

/// Example, expectation, change that it does not survive.
const CHANGES: [(&str, &str, &str); 46] = [
    (
        "bearing-axial",
        "housing[housing|ball[4].ball].begin[0].time",
        r#"world.gravity=[0, "-4 m/s^2", "-9 m/s^2"]"#,
    ),
    ("bearing-axial", "ball[0].ball.z @ sqrt(2*21.5 mm/(grav*sin(tilt)))", TURNED_OVER),
    ("bearing-axial", "ball[0].ball.z final", TURNED_OVER),
    ("bearing-axial", "ball[1].ball.z final", TURNED_OVER),
    ("bearing-axial", "ball[2].ball.z final", TURNED_OVER),
    ("bearing-axial", "ball[3].ball.z final", TURNED_OVER),
    ("bearing-axial", "ball[4].ball.z final", TURNED_OVER),
    ("bearing-axial", "ball[5].ball.z final", TURNED_OVER),
    ("bearing-axial", "energy.kinetic final", "solver.t_end=0.2 s"),
    ("bearing-axial", "energy.residual_relative final", "solver.rtol=1e-6"),
    ("bearing-planar", "outer[outer|ball[6].ball].begin[0].time", r#"world.gravity=[0, "-9.8 m/s^2", 0]"#),
    ("bearing-planar", "inner[inner|ball[6].ball].begin[0].time", "law.steel.point.restitution=0.3"),
    ("bearing-planar", "inner.y min", "law.steel.E=1e7 Pa"),
    ("bearing-planar", "inner.wz final", "law.steel.mu=0"),
    ("bearing-planar", "inner.z max", r#"body.inner.pos=[0, 0, "1 um"]"#),
    ("bearing-planar", "energy.residual_relative final", "solver.rtol=1e-6"),
    ("billiard", "cue.ball.vx @ t2 - 50 ms", "law.cloth.mu_roll=0.05"),
    ("billiard", "balls.begin[0].time", "law.cloth.mu_roll=0.05"),
    ("billiard", "energy.dissipated_normal @ t2 + 10 ms", "law.phenolic.point.restitution=0.9"),
    ("billiard", "balls.begin count", "use.rack.count=3"),
    ("billiard", "cushion.begin count", "law.cloth.mu_roll=0.05"),
    ("billiard", "cue.ball.z max", "params.mu_balls=0.06"),
    ("billiard", "energy.residual_relative final", "solver.rtol=1e-6"),
    ("bouncing-ball", "floor.begin[0].time", r#"body.ball.vel=[0, 0, "-1 mm/s"]"#),
    ("bouncing-ball", "floor.begin[1].time", "params.K=1e6 N/m^1.5"),
    ("bouncing-ball", "floor.begin[2].time", "params.K=1e6 N/m^1.5"),
    ("bouncing-ball", "energy.dissipated_normal @ 2*fall", "law.bounce.point.normal=hunt-crossley"),
    ("bouncing-ball", "floor.penetration max", "law.bounce.point.normal=hunt-crossley"),
    ("bouncing-ball", "energy.residual_relative final", "solver.rtol=1e-6"),
    ("rolling-ball", "floor.ftx @ t_roll/2", "law.felt.mu=0.3"),
    ("rolling-ball", "ball.vx @ t_roll/2", "law.felt.mu=0.3"),
    ("rolling-ball", "ball.vx @ t_roll", "law.felt.mu=0.19"),
    ("rolling-ball", "ball.vx final", r#"body.ball.omega=[0, "1 rad/s", 0]"#),
    ("rolling-ball", "ball.wy final", r#"body.ball.omega=[0, "1 rad/s", 0]"#),
    ("rolling-ball", "energy.dissipated_friction final", r#"body.ball.omega=[0, "1 rad/s", 0]"#),
    ("rolling-ball", "energy.residual_relative final", "solver.rtol=1e-3"),
    ("stairs", "smooth_step.begin[0].time", r#"world.gravity=[0, 0, "-9.8 m/s^2"]"#),
    ("stairs", "smooth_step.begin[6].time", "law.smooth.point.restitution=0.7"),
    ("stairs", "smooth_step.begin count", "law.smooth.point.restitution=0.7"),
    ("stairs", "smooth.ball.wy max", "contact.smooth_step.law=rough"),
    ("stairs", "smooth.ball.vx final", "contact.smooth_step.law=rough"),
    ("stairs", "rough.ball.vx @ 2*fall", "law.rough.mu=0.05"),
    ("stairs", "rough.ball.wy @ 2*fall", "law.rough.mu=0.05"),
    ("stairs", "rough_step[step[0].box|rough.ball].begin count", "law.rough.mu=0"),
    ("stairs", "rough_floor.begin[0].time", "law.rough.mu=0"),
    ("stairs", "energy.residual_relative final", "solver.rtol=1e-6"),
];

#[test]
fn every_expectation_has_its_change() {
    for name in EXAMPLES {
        let expected = load(name, &[]).expectations.into_iter().map(|e| e.text);
        let changed = CHANGES.iter().filter(|c| c.0 == name).map(|c| c.1.to_owned());
        assert_eq!(expected.collect::<BTreeSet<_>>(), changed.collect(), "{name}");
    }
    assert!(CHANGES.iter().all(|c| EXAMPLES.contains(&c.0)));
}

fn expectations_fail_under_their_changes(name: &str) {
    let mut by_change: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (_, expectation, change) in CHANGES.iter().filter(|c| c.0 == name) {
        by_change.entry(change).or_default().push(expectation);
    }
    for (change, expectations) in by_change {
        let loaded = load(name, &[change]);
        let (outcome, judged) = run_and_judge(&loaded, |writer| run(&loaded, writer));
        assert_eq!(outcome.end, EndReason::Finished, "{change}");
        for expectation in expectations {
            let judged = judged.iter().find(|j| j.text == expectation).expect("it is in the model");
            assert!(!judged.met, "{change} leaves {judged:?}");
        }
    }
}

super::for_every_example!(expectations_fail_under_their_changes);
