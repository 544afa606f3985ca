//! Ranges of MJCF whose ends are exchanged, or that are said to hold and are not there. What MuJoCo 4.0.0 refuses is an error; where it
//! takes exchanged ends for no range they are an error, too, as nobody means that.

use carom_io::import::Import;

use crate::import_kit::*;

/// A hinge, a ball on it, tendons over the hinge, a motor.
fn model(at: &str, attributes: &str) -> Import {
    let [joint, ball, fixed, spatial, motor] =
        ["joint", "ball", "fixed", "spatial", "motor"].map(|own| if own == at { attributes } else { "" });
    mjcf(&format!(
        "<worldbody><body name=\"a\"><joint name=\"j\" {joint}/><geom size=\"0.1\" pos=\"0.2 0 0\"/><site name=\"s\"/>\
         <body name=\"b\" pos=\"1 0 0\"><joint name=\"k\" type=\"ball\" {ball}/><geom size=\"0.1\" pos=\"0.2 0 0\"/></body></body>\
         <site name=\"w\" pos=\"0 0 1\"/></worldbody>\
         <tendon><fixed name=\"f\" {fixed}><joint joint=\"j\" coef=\"1\"/></fixed>\
         <spatial name=\"sp\" {spatial}><site site=\"w\"/><site site=\"s\"/></spatial></tendon>\
         <actuator><motor name=\"m\" joint=\"j\" {motor}/></actuator>"
    ))
}

#[track_caller]
fn says(import: &Import, code: &str, message: &str) {
    let all: Vec<String> = import.problems.iter().map(|p| p.problem.to_string()).collect();
    assert_eq!(codes(import), [code], "{all:#?}");
    assert!(all[0].contains(message), "{message}: {all:#?}");
    assert!(import.problems[0].location.is_some());
}

const REVERSED: &str = "0.9 0.1";

#[test]
fn exchanged_ends_are_told_with_their_place() {
    for (at, key, said) in [
        ("joint", "range", "the range of joint \"j\" is reversed: 0.9 > 0.1"),
        ("joint", "actuatorfrcrange", "the actuatorfrcrange of joint \"j\" is reversed: 0.9 > 0.1"),
        ("ball", "range", "the range of joint \"k\" is reversed: 0.9 > 0.1"),
        ("fixed", "range", "the range of fixed \"f\" is reversed: 0.9 > 0.1"),
        ("fixed", "actuatorfrcrange", "the actuatorfrcrange of fixed \"f\" is reversed: 0.9 > 0.1"),
        ("fixed", "springlength", "springlength of fixed \"f\" is reversed: 0.9 > 0.1"),
        ("spatial", "range", "the range of spatial \"sp\" is reversed: 0.9 > 0.1"),
        ("motor", "ctrlrange", "the ctrlrange of motor \"m\" is reversed: 0.9 > 0.1"),
        ("motor", "forcerange", "the forcerange of motor \"m\" is reversed: 0.9 > 0.1"),
    ] {
        let import = model(at, &format!("{key}=\"{REVERSED}\""));
        says(&import, "E0810", said);
    }
    let spring = model("spatial", "stiffness=\"1\" springlength=\"0.9 0.1\"");
    let reversed = spring.problems.iter().find(|p| p.problem.code == "E0810").unwrap();
    assert_eq!(reversed.problem.message, "springlength of spatial \"sp\" is reversed: 0.9 > 0.1");
}

#[test]
fn ranges_that_are_said_to_hold_must_be_there() {
    for (at, flag) in [
        ("joint", "limited"),
        ("joint", "actuatorfrclimited"),
        ("fixed", "limited"),
        ("spatial", "limited"),
        ("motor", "ctrllimited"),
        ("motor", "forcelimited"),
    ] {
        let import = model(at, &format!("{flag}=\"true\""));
        says(&import, "E0810", &format!("{flag}=\"true\" and no"));
        assert!(codes(&model(at, &format!("{flag}=\"false\""))).is_empty());
    }
}

/// MuJoCo limits the angle of a ball, which joints here do not; one without a range cannot turn. Free joints it never limits, and two
/// zeros that nobody says to hold limit nothing.
#[test]
fn limits_of_balls_are_told_where_they_hold() {
    for (limits, expected) in [
        ("range=\"0 1\"", &["W0801"][..]),
        ("limited=\"true\"", &["W0801"]),
        ("limited=\"true\" range=\"0 0\"", &["W0801"]),
        ("range=\"0 0\"", &[]),
        ("limited=\"false\" range=\"0 1\"", &[]),
    ] {
        assert_eq!(codes(&model("ball", limits)), expected, "{limits}");
    }
    let free = "<worldbody><body><joint type=\"free\" limited=\"true\" range=\"0 1\"/><geom size=\"0.1\"/></body></worldbody>";
    assert!(codes(&mjcf(free)).is_empty());
}
