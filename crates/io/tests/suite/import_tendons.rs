//! Limits, friction, armature and slack springs of MJCF's fixed tendons.

use carom_engine::{Recorder, Simulation, System};
use carom_io::import::{Import, Options, SelfContact};

use crate::import_kit::*;

/// Two hinges with a tendon over both, or over some.
fn arm(tendon: &str, joints: &str, more: &str) -> Import {
    let bar = "<geom type=\"capsule\" size=\"0.03\" fromto=\"0 0 0 0.3 0 0\"";
    let text = format!(
        "<compiler angle=\"radian\"/><worldbody><body name=\"upper\" pos=\"0 0 1\"><joint name=\"a\" axis=\"0 1 0\" ref=\"0.2\"/>{bar} mass=\"1\"/>\
         <body name=\"lower\" pos=\"0.3 0 0\"><joint name=\"b\" axis=\"0 1 0\" range=\"-1 2\" limited=\"false\"/>{bar} mass=\"0.7\"/></body></body></worldbody>\
         <tendon><fixed name=\"t\" {tendon}>{joints}</fixed></tendon>{more}"
    );
    mjcf_with(&text, &Options { floor: false, self_contact: SelfContact::None, ..Options::default() })
}

const BOTH: &str = "<joint joint=\"a\" coef=\"1\"/><joint joint=\"b\" coef=\"-0.7\"/>";
const ONE: &str = "<joint joint=\"b\" coef=\"-2\"/>";

struct Nothing;

impl Recorder for Nothing {}

/// Joint coordinates after a second beside MuJoCo 4.0.0's RK4, whose steps of 2 and 4 µs agree to 1.2e-11 rad. The slide that follows the
/// tendon has a billionth of its inertia.
#[test]
fn armature_and_slack_springs_move_joints_as_in_mujoco() {
    let import =
        arm("armature=\"0.05\" stiffness=\"40\" springlength=\"-0.2 0.3\" damping=\"0.1\"", BOTH, "");
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    let mut model = loaded(&import).model;
    model.solver.rtol = 1e-11;
    let system = System::compile(&model).unwrap();
    let mut run = Simulation::new(&system);
    run.advance_to(1.0, &mut Nothing).unwrap();
    // Coordinate and rate of each joint in turn.
    let (a, b) = (run.state()[0] + 0.2, run.state()[2]);
    for (found, wanted) in [(a, 3.272_928_447_282_632), (b, 4.153_462_397_031_277)] {
        assert!((found - wanted).abs() < 1e-8, "{found} {wanted}");
    }
}

#[test]
fn a_limited_tendon_is_a_slide_with_stops_that_its_joints_move() {
    let import = arm("range=\"-0.3 0.4\" frictionloss=\"0.2\"", BOTH, "");
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    let table = toml(&import);
    let terms: Vec<(&str, f64)> = at(&table, "constraint.t_length.terms")
        .as_array()
        .unwrap()
        .iter()
        .map(|term| {
            let factor = &term["factor"];
            let factor = factor.as_float().unwrap_or_else(|| factor.as_integer().unwrap() as f64);
            (term["joint"].as_str().unwrap(), factor)
        })
        .collect();
    assert_eq!(terms, [("t", 1.0), ("a", -1.0), ("b", 0.7)]);
    assert_near(&table, "constraint.t_length.offset", &[0.0]);
    // MuJoCo's length counts from its own zero: it is 0.2 at the pose of the file.
    assert_near(&table, "joint.t.limit.lower", &[-0.3 - 0.2]);
    assert_near(&table, "joint.t.limit.upper", &[0.4 - 0.2]);
    assert_near(&table, "joint.t.friction.force", &[0.2]);
    // Across gravity, so that nothing of the slide's body weighs.
    assert_near(&table, "joint.t.axis", &[1.0, 0.0, 0.0]);
    loaded(&import);
    // A softer limit gives more, and a joint's stop keeps its own words.
    let stiffness = |more: &str| {
        numbers(&toml(&arm(&format!("range=\"-0.3 0.4\" {more}"), BOTH, "")), "joint.t.limit.stiffness")[0]
    };
    assert!(stiffness("solreflimit=\"0.1 1\"") < 0.2 * stiffness(""));
}

/// Where both act the slack spring has a slide of its own, without friction and armature.
#[test]
fn limits_and_slack_springs_are_two_slides() {
    let table =
        toml(&arm("range=\"-1 1\" stiffness=\"5\" springlength=\"0 0.3\" armature=\"0.1\"", BOTH, ""));
    assert_near(&table, "joint.t_2.limit.lower", &[-0.2]);
    assert_near(&table, "joint.t_2.limit.upper", &[0.3 - 0.2]);
    assert_near(&table, "joint.t_2.limit.stiffness", &[5.0]);
    assert_near(&table, "joint.t_2.limit.exponent", &[1.0]);
    assert_near(&table, "joint.t_2.limit.restitution", &[1.0]);
    assert_near(&table, "joint.t.armature.mass", &[0.1]);
    assert!(!has(&table, "joint.t_2.armature") && !has(&table, "force.t"));
    // One length, or none, which MuJoCo writes as -1 twice, leaves no slack; -1 and another number are lengths.
    for (lengths, is_slack) in [("0.3", false), ("0.3 0.3", false), ("-1 -1", false), ("-1 0.3", true)] {
        let table = toml(&arm(&format!("stiffness=\"5\" springlength=\"{lengths}\""), BOTH, ""));
        assert_eq!([has(&table, "joint.t"), has(&table, "force.t")], [is_slack, !is_slack], "{lengths}");
    }
    assert_eq!(codes(&arm("stiffness=\"5\" springlength=\"0.3 0.1\"", BOTH, "")), ["E0810"]);
}

/// Over one joint, l = −2 q: what acts on l acts on q, friction with 2, inertia with 4, and a stop with 2^2.5.
#[test]
fn tendons_over_one_joint_are_that_joints() {
    let table = toml(&arm("range=\"-0.6 0.2\" frictionloss=\"0.3\" armature=\"0.01\"", ONE, ""));
    assert_near(&table, "joint.b.limit.lower", &[-0.1]);
    assert_near(&table, "joint.b.limit.upper", &[0.3]);
    assert_near(&table, "joint.b.friction.torque", &[0.6]);
    assert_near(&table, "joint.b.armature.inertia", &[0.04]);
    assert!(!has(&table, "joint.t"));
    // Of constant impedance a limit gives by what it holds back, in whatever lengths.
    let stop = |range: &str, coef: &str| {
        let limit = format!("range=\"{range}\" solimplimit=\"0.9 0.9 0.001\"");
        let import = arm(&limit, &format!("<joint joint=\"b\" coef=\"{coef}\"/>"), "");
        numbers(&toml(&import), "joint.b.limit.stiffness")[0]
    };
    let ratio = stop("-0.6 0.2", "-2") / stop("-0.1 0.3", "1");
    assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
    // Limits of the joint that are narrower make those of the tendon idle; where each has one end, both stay.
    let with_own = |range: &str| {
        let text = format!(
            "<compiler angle=\"radian\"/><worldbody><body><joint name=\"b\" axis=\"0 1 0\" range=\"-1 2\"/><geom size=\"0.1\" pos=\"0.2 0 0\"/>\
             </body></worldbody><tendon><fixed name=\"t\" range=\"{range}\">{ONE}</fixed></tendon>"
        );
        let table = toml(&mjcf(&text));
        (
            numbers(&table, "joint.b.limit.lower")[0],
            numbers(&table, "joint.b.limit.upper")[0],
            has(&table, "joint.t"),
        )
    };
    assert_eq!(with_own("-5 3"), (-1.0, 2.0, false));
    assert_eq!(with_own("-2 1"), (-0.5, 1.0, false));
    assert_eq!(with_own("-2 2"), (-1.0, 1.0, false));
    assert_eq!(with_own("-5 1"), (-1.0, 2.0, true));
}

/// What cannot be told from an equality is not there; a range that limits nothing is none, and flags switch off what they name.
#[test]
fn tendons_that_nothing_acts_along_have_no_slide() {
    let has_slide = |tendon: &str, more: &str| has(&toml(&arm(tendon, BOTH, more)), "joint.t");
    let held = "<equality><tendon tendon1=\"t\"/></equality>";
    let other = "<equality><joint joint1=\"a\" joint2=\"b\"/></equality>";
    assert!(has_slide("range=\"-1 3\"", "") && has_slide("range=\"-1 3\"", other));
    assert!(!has_slide("range=\"-1 3\"", held) && !has_slide("range=\"-1 3\" limited=\"false\"", ""));
    assert!(!has_slide("range=\"3 3\"", "") && !has_slide("", ""));
    let off = |word: &str| format!("<option><flag {word}=\"disable\"/></option>");
    let slack = "stiffness=\"5\" springlength=\"0 0.3\"";
    assert!(has_slide(slack, &off("limit")) && !has_slide(slack, &off("spring")));
    assert!(has_slide("range=\"-1 3\"", &off("spring")) && !has_slide("range=\"-1 3\"", &off("limit")));
    assert!(has_slide("frictionloss=\"1\"", "") && !has_slide("frictionloss=\"1\"", &off("frictionloss")));
    for mistake in ["range=\"3 -1\"", "range=\"3 3\" limited=\"true\"", "limited=\"true\""] {
        assert_eq!(codes(&arm(mistake, BOTH, "")), ["E0810"], "{mistake}");
    }
    assert_eq!(codes(&arm("armature=\"-1\"", BOTH, "")), ["E0805"]);
}

/// Defaults of tendons are those of both kinds.
#[test]
fn spatial_tendons_have_none_of_these_which_is_told() {
    let import = mjcf(
        "<default><tendon armature=\"0.02\" frictionloss=\"0.1\"/></default><worldbody><site name=\"w\"/>\
         <body><joint name=\"a\" axis=\"0 1 0\"/><site name=\"s\" pos=\"0.3 0 0\"/><geom size=\"0.1\"/></body></worldbody>\
         <tendon><spatial name=\"t\" stiffness=\"3\"><site site=\"w\"/><site site=\"s\"/></spatial></tendon>",
    );
    assert_eq!(codes(&import), ["W0801", "W0801"]);
}

/// `actuatorfrcrange` of a tendon holds for what its actuator exerts before the gear: with a gear of -3 and the control 4 MuJoCo 4.0.0 has
/// the force 0.5. Several actuators share it, which is told.
#[test]
fn the_range_of_a_tendon_is_that_of_its_actuator() {
    let of = |actuators: &str| {
        arm("actuatorfrcrange=\"-1 0.5\"", BOTH, &format!("<actuator>{actuators}</actuator>"))
    };
    let range = |more: &str| {
        let import = of(&format!("<motor name=\"m\" tendon=\"t\" gear=\"-3\" {more}/>"));
        assert!(codes(&import).is_empty(), "{:?}", import.problems);
        numbers(&toml(&import), "force.m.effort_range")
    };
    assert_eq!(range(""), [-1.0, 0.5]);
    assert_eq!(range("forcerange=\"-0.25 9\""), [-0.25, 0.5]);
    // Held to 2 or more first, and then to 0.5 or less.
    assert_eq!(range("forcerange=\"2 9\""), [0.5, 0.5]);
    let two = of("<motor tendon=\"t\"/><motor tendon=\"t\"/>");
    assert_eq!(codes(&two), ["W0801"]);
    assert!(codes(&of("<motor joint=\"a\"/>")).is_empty());
}
