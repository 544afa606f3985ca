//! What stands between controls and efforts of MJCF's actuators.

use carom_io::import::{Import, Options};
use toml::Table;

use crate::import_kit::*;

fn scene(actuators: &str, more: &str, act: &str, options: &Options) -> Import {
    let text = format!(
        "<compiler angle=\"radian\"/>{more}<worldbody><body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\
         <joint name=\"j\" range=\"-2 4\" limited=\"false\"/></body></worldbody><actuator>{actuators}</actuator>\
         <keyframe><key name=\"s\" ctrl=\"0 0.5\" act=\"{act}\"/></keyframe>"
    );
    mjcf_with(&text, options)
}

/// The model file of one actuator "a", of which nothing is told.
#[track_caller]
fn one(actuator: &str, more: &str) -> Table {
    let import = scene(actuator, more, "0.3", &Options::default());
    assert!(codes(&import).is_empty(), "{actuator}: {:?}", import.problems);
    loaded(&import);
    toml(&import)
}

fn word(table: &Table) -> Option<&str> {
    has(table, "force.a.activation").then(|| at(table, "force.a.activation").as_str().unwrap())
}

/// `actuator_dyntype`, the first `actuator_dynprm`, gain and biases of MuJoCo 4.0.0 for the same text.
#[test]
fn filters_have_the_time_constants_of_mujoco() {
    let lagged = "<default><general dyntype=\"filter\" dynprm=\"0.04\"/></default>";
    for (actuator, more, wanted) in [
        ("<general name=\"a\" joint=\"j\" dyntype=\"filter\" dynprm=\"0.2\"/>", "", Some(0.2)),
        ("<general name=\"a\" joint=\"j\" dyntype=\"filterexact\"/>", "", Some(1.0)),
        ("<general name=\"a\" joint=\"j\"/>", lagged, Some(0.04)),
        ("<general name=\"a\" joint=\"j\" dyntype=\"none\"/>", lagged, None),
        ("<motor name=\"a\" joint=\"j\"/>", lagged, None),
        ("<position name=\"a\" joint=\"j\" timeconst=\"0.1\"/>", "", Some(0.1)),
        ("<position name=\"a\" joint=\"j\" timeconst=\"0\"/>", "", None),
        ("<general name=\"a\" joint=\"j\" dyntype=\"filterexact\" dynprm=\"0\"/>", "", None),
        ("<cylinder name=\"a\" joint=\"j\" timeconst=\"0.3\" area=\"2\" bias=\"1 -2 -3\"/>", "", Some(0.3)),
    ] {
        let table = one(actuator, more);
        assert_eq!(word(&table), wanted.map(|_| "filter"), "{actuator}");
        if let Some(wanted) = wanted {
            assert_near(&table, "force.a.time_constant", &[wanted]);
        }
    }
    let cylinder = "<cylinder name=\"a\" joint=\"j\" diameter=\"2\" bias=\"1 -2 -3\"/>";
    let table = one(cylinder, "");
    for (key, wanted) in [("gain", std::f64::consts::PI), ("bias", 1.0), ("stiffness", 2.0), ("damping", 3.0)]
    {
        assert_near(&table, &format!("force.a.{key}"), &[wanted]);
    }
}

/// An integrator's place to go to is in the range of its activation, which may be that of the joint.
#[test]
fn integrators_stop_at_their_ranges() {
    let table =
        one("<intvelocity name=\"a\" joint=\"j\" kp=\"7\" actrange=\"-1 2\" ctrlrange=\"-3 3\"/>", "");
    assert_eq!(word(&table), Some("integrator"));
    assert_near(&table, "force.a.activation_range", &[-1.0, 2.0]);
    assert_near(&table, "force.a.control_range", &[-3.0, 3.0]);
    assert_near(&table, "force.a.stiffness", &[7.0]);
    let table = one("<intvelocity name=\"a\" joint=\"j\" inheritrange=\"0.5\"/>", "");
    assert_near(&table, "force.a.activation_range", &[-0.5, 2.5]);
    assert!(!has(&table, "force.a.control_range"));
    // It need not have one.
    assert!(!has(&one("<intvelocity name=\"a\" joint=\"j\"/>", ""), "force.a.activation_range"));
}

/// A keyframe has an activation for each actuator that has one; `--hold` starts with those that exert nothing.
#[test]
fn activations_start_where_the_keyframe_has_them() {
    let two = "<motor name=\"m\" joint=\"j\"/><general name=\"a\" joint=\"j\" dyntype=\"filter\"/>";
    let started = |text: &str, act: &str| {
        scene(text, "", act, &Options { keyframe: Some("s".to_owned()), ..Options::default() })
    };
    let import = started(two, "0.3");
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    assert_near(&toml(&import), "force.a.initial_activation", &[0.3]);
    // The first is a muscle's, which is not there.
    let import = started(&two.replace("<motor", "<muscle"), "0.3 0.4");
    assert_eq!(codes(&import), ["W0801", "W0801"]);
    assert!(!has(&toml(&import), "force.a.initial_activation"));
    let held = |kind: &str| {
        let text = format!(
            "<compiler angle=\"radian\"/><worldbody><body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\
             <joint name=\"j\" range=\"1 4\"/></body></worldbody><actuator>{kind}</actuator>"
        );
        toml(&mjcf_with(&text, &Options { hold: true, ..Options::default() }))
    };
    let filter = held("<position name=\"a\" joint=\"j\" kp=\"5\" timeconst=\"0.1\"/>");
    assert_near(&filter, "force.a.initial_activation", &[1.0]);
    assert_near(&filter, "force.a.control", &[1.0]);
    let integrator = held("<intvelocity name=\"a\" joint=\"j\" kp=\"5\"/>");
    assert_near(&integrator, "force.a.initial_activation", &[1.0]);
    assert!(!has(&integrator, "force.a.control"));
}
