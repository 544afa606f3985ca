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
        ("<cylinder name=\"a\" joint=\"j\"/>", "<default><cylinder timeconst=\"0.3\"/></default>", Some(0.3)),
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

/// `actuator_actrange` and `actuator_ctrlrange` of MuJoCo 4.0.0 for the same text, where the one and the other are limited.
#[test]
fn ranges_of_integrators_are_those_of_mujoco() {
    let half = "<default><intvelocity inheritrange=\"0.5\"/></default>";
    let wide = "<default><intvelocity actrange=\"-7 7\"/></default>";
    let twice = "<default><intvelocity actrange=\"-7 7\"/><default class=\"c\"><intvelocity inheritrange=\"0.5\"/></default></default>";
    let of_position = "<default><position inheritrange=\"0.5\"/></default>";
    let servo = "general dyntype=\"integrator\" gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -3\"";
    let (of_half, stated, of_control) = (Some([-0.5, 2.5]), Some([-7.0, 7.0]), Some([-3.0, 3.0]));
    for (more, kind, attributes, activation, control) in [
        ("", "intvelocity", "actrange=\"-7 7\" actlimited=\"false\"", stated, None),
        ("<compiler autolimits=\"false\"/>", "intvelocity", "actrange=\"-7 7\"", stated, None),
        (half, "intvelocity", "", of_half, None),
        (half, "intvelocity", "actlimited=\"false\"", of_half, None),
        (half, "intvelocity", "ctrlrange=\"-3 3\"", of_half, of_control),
        ("", "intvelocity", "ctrlrange=\"-3 3\" inheritrange=\"0.5\"", of_half, of_control),
        (half, "intvelocity", "actrange=\"-7 7\"", stated, None),
        (half, "intvelocity", "inheritrange=\"0\"", None, None),
        (wide, "intvelocity", "", stated, None),
        (wide, "intvelocity", "inheritrange=\"0.5\"", of_half, None),
        (twice, "intvelocity class=\"c\"", "inheritrange=\"0\"", None, None),
        (of_position, "intvelocity", "ctrlrange=\"-3 3\"", None, of_control),
        ("", servo, "inheritrange=\"0.5\" actrange=\"-7 7\"", of_half, None),
        ("", servo, "inheritrange=\"0.5\" actlimited=\"false\"", None, None),
        ("", servo, "actrange=\"-7 7\" actlimited=\"false\"", None, None),
    ] {
        let actuator = format!("<{kind} name=\"a\" joint=\"j\" {attributes}/>");
        let table = one(&actuator, more);
        for (key, wanted) in [("activation_range", activation), ("control_range", control)] {
            let key = format!("force.a.{key}");
            assert_eq!(has(&table, &key), wanted.is_some(), "{more} {actuator}: {key}");
            wanted.inspect(|wanted| assert_near(&table, &key, wanted));
        }
    }
    for attributes in ["inheritrange=\"0.5\" actrange=\"-7 7\"", "actrange=\"7 -7\" actlimited=\"false\""] {
        let import =
            scene(&format!("<intvelocity joint=\"j\" {attributes}/>"), "", "0.3", &Options::default());
        assert_eq!(codes(&import), ["E0810"], "{attributes}: {:?}", import.problems);
    }
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
    // Of a range, what is beyond it starts at its end.
    let import = started(&two.replace("dyntype", "actrange=\"-0.2 0.2\" dyntype"), "0.3");
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    assert_near(&toml(&import), "force.a.initial_activation", &[0.2]);
    assert!(choices(&import).contains("activations that the keyframe has beyond"));
    let away = one("<general name=\"a\" joint=\"j\" dyntype=\"filter\" actrange=\"1 2\"/>", "");
    assert_near(&away, "force.a.initial_activation", &[1.0]);
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
