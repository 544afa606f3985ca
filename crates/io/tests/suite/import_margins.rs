//! Margins of limits of MJCF: where MuJoCo 4.0.0 begins to push, `range` less `margin`. A hinge of `range="-1 0.8" margin="0.1"` rests there
//! in the same place, to the last bit, as one of `range="-1 0.7"`, and `jnt_margin` is in radians where angles are in degrees.

use carom_io::import::{Import, Options};

use crate::import_kit::{assert_near, codes, has, mjcf, mjcf_with, toml};

fn arm(joint: &str, more: &str) -> String {
    format!(
        "<worldbody><body name=\"b\"><inertial pos=\"0.1 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\
         <joint name=\"j\" axis=\"0 1 0\" {joint}/><site name=\"s\" pos=\"0.3 0 0\"/></body><site name=\"w\" pos=\"0.3 0 1\"/></worldbody>{more}"
    )
}

fn limits(import: &Import, path: &str, wanted: [f64; 2]) {
    let model = toml(import);
    assert_near(&model, &format!("{path}.lower"), &wanted[..1]);
    assert_near(&model, &format!("{path}.upper"), &wanted[1..]);
}

#[test]
fn limits_of_joints_act_before_the_ends_of_the_range() {
    let import = mjcf(&arm("range=\"-40 50\" margin=\"0.1\" ref=\"10\"", ""));
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    let degree = std::f64::consts::PI / 180.0;
    limits(&import, "joint.j.limit", [0.1 - 50.0 * degree, 40.0 * degree - 0.1]);
    // Wider by a negative one.
    limits(
        &mjcf(&arm("range=\"-40 50\" margin=\"-0.1\"", "")),
        "joint.j.limit",
        [-0.1 - 40.0 * degree, 50.0 * degree + 0.1],
    );
    // Where it leaves no room, and where nothing limits.
    let import = mjcf(&arm("range=\"0 10\" margin=\"0.1\"", ""));
    assert_eq!(codes(&import), ["W0801"]);
    limits(&import, "joint.j.limit", [0.0, 10.0 * degree]);
    let import = mjcf(&arm("margin=\"0.1\"", ""));
    assert!(codes(&import).is_empty() && !has(&toml(&import), "joint.j.limit"));
}

/// A joint that starts at an end without a keyframe starts where its limit is. A keyframe's has its limit where it starts: 3 mrad from the end
/// of 0 with a margin of 10 mrad.
#[test]
fn what_starts_within_a_margin_is_not_thrown() {
    let text = arm(
        "range=\"0 57.29577951308232\" margin=\"0.01\"",
        "<keyframe><key name=\"k\" qpos=\"0.003\"/></keyframe>",
    );
    let import = mjcf(&text);
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    limits(&import, "joint.j.limit", [0.01, 0.99]);
    assert_near(&toml(&import), "joint.j.position", &[0.01]);
    let import = mjcf_with(&text, &Options { keyframe: Some("k".to_owned()), ..Options::default() });
    assert_eq!(codes(&import), ["W0801"]);
    limits(&import, "joint.j.limit", [0.003, 0.99]);
    assert_near(&toml(&import), "joint.j.position", &[0.003]);
}

#[test]
fn limits_of_tendons_act_before_the_ends_of_the_range() {
    let fixed = "<tendon><fixed name=\"t\" range=\"-1 1\" margin=\"0.2\"><joint joint=\"j\" coef=\"2\"/></fixed></tendon>";
    let import = mjcf(&arm("", fixed));
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    limits(&import, "joint.j.limit", [-0.4, 0.4]);
    let spatial = "<tendon><spatial name=\"t\" range=\"0 1.5\" margin=\"0.2\"><site site=\"w\"/><site site=\"s\"/></spatial></tendon>";
    let import = mjcf(&arm("", spatial));
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    assert_near(&toml(&import), "force.t.length", &[1.3]);
}
