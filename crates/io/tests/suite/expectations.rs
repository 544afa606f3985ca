//! Expectations about joints, forces and constraints.

use crate::kit::{codes, links, load, try_load};
use carom_engine::model::Condition;

fn model(key: &str, condition: &str) -> String {
    links(&format!(
        "[joint.hinge]\ntype = \"revolute\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n\
         limit = {{ upper = \"1 rad\", stiffness = \"1 N*m/rad\" }}\n\
         [joint.slide]\ntype = \"cylindrical\"\na = {{ body = \"base\" }}\nb = {{ body = \"second\" }}\n\
         [joint.link]\ntype = \"spherical\"\na = {{ body = \"link\" }}\nb = {{ body = \"second\" }}\n\
         [force.spring]\ntype = \"spring-damper\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\nstiffness = 1\n\
         [force.hinge]\ntype = \"torsion-spring\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\nstiffness = 1\n\
         [constraint.rod]\ntype = \"distance\"\na = {{ body = \"base\", at = [0, 0, 1] }}\nb = {{ body = \"second\" }}\n\
         [expect]\n\"{key} @ end\" = {{ below = {condition} }}\n"
    ))
}

#[test]
fn quantities_have_the_dimension_of_their_coordinate() {
    for (key, value, si) in [
        ("hinge.q", "\"180 deg\"", std::f64::consts::PI),
        ("hinge.q_rad", "\"180 deg\"", std::f64::consts::PI),
        ("hinge.v", "\"2 rad/s\"", 2.0),
        ("hinge.effort_n_m", "\"2 N*m\"", 2.0),
        ("slide.q1", "\"2 cm\"", 0.02),
        ("slide.v0_rad_s", "\"2 rad/s\"", 2.0),
        ("slide.effort1", "\"2 N\"", 2.0),
        ("slide.mz_n_m", "\"2 N*m\"", 2.0),
        ("hinge.fx", "\"2 kN\"", 2000.0),
        ("hinge.f", "\"2 N\"", 2.0),
        ("hinge.m_n_m", "\"2 N*m\"", 2.0),
        ("hinge.limit.penetration", "\"180 deg\"", std::f64::consts::PI),
        ("hinge.limit.fn", "\"2 N*m\"", 2.0),
        ("hinge.limit.approach_speed", "\"2 rad/s\"", 2.0),
        ("joint.link.qw", "1", 1.0),
        ("joint.link.wx", "\"1 rad/s\"", 1.0),
        ("spring.length", "\"2 cm\"", 0.02),
        ("spring.value_n", "\"2 N\"", 2.0),
        ("force.hinge.angle", "\"180 deg\"", std::f64::consts::PI),
        ("force.hinge.value", "\"2 N*m\"", 2.0),
        ("rod.violation", "\"1 um\"", 1e-6),
        ("link.x", "\"1 m\"", 1.0),
    ] {
        let loaded = load(&model(key, value));
        assert_eq!(loaded.expectations[0].condition, Condition::Below(si), "{key}");
        let again = load(&loaded.to_toml());
        assert_eq!(again.expectations[0].condition, Condition::Below(si), "{key}");
    }
}

#[test]
fn wrong_quantities_are_errors_with_a_remedy() {
    let help = |key: &str| {
        let report = try_load(&model(key, "1")).unwrap_err();
        assert_eq!(report.diagnostics[0].problem.code, "E0505", "{key}");
        report.diagnostics[0].problem.help.clone().unwrap()
    };
    assert!(help("slide.q").starts_with("did you mean \"q0\"?"));
    assert_eq!(help("link.qqw"), "did you mean \"qw\"?");
    assert_eq!(help("hinge.angle"), "did you mean \"force.hinge.angle\"?");
    assert_eq!(help("hing.q"), "did you mean \"hinge\"?");
    assert!(help("spring.q").contains("length"));
    // A joint without limits has no pair of them.
    assert!(help("slide.limit.fn").contains("slide"));
    // A bare number is no angle here either.
    assert_eq!(codes(&model("hinge.q", "1")), ["E0110"]);
}

#[test]
fn names_of_bodies_come_before_those_of_joints() {
    // Body and joint "link" both have qw: the body's.
    load(&model("link.qw", "1"));
    let report = try_load(&model("link.effort", "1")).unwrap_err();
    assert_eq!(report.diagnostics[0].problem.code, "E0505");
}
