//! `<attach>` of MJCF: parts of other models under names with a prefix. `mujoco_robots.py` holds M and h of the same files against MuJoCo's.

use std::path::Path;

use carom_engine::analysis::Dynamics;
use carom_io::import::{self, Base, Import, Options};
use carom_math::Vec3;

use crate::import_kit::*;

const FOLDER: &str = "tests/models/mjcf/attach";

fn import(text: &str, options: &Options) -> Import {
    import::mjcf(text, &Path::new(FOLDER).join("cell.xml"), options)
}

fn cell() -> Import {
    import(
        include_str!("../models/mjcf/attach/cell.xml"),
        &Options { base: Base::Fixed, ..Options::default() },
    )
}

/// A model that attaches what `attach` says.
fn scene(assets: &str, attach: &str) -> Import {
    import(
        &format!("<mujoco><asset>{assets}</asset><worldbody>{attach}</worldbody></mujoco>"),
        &Options::default(),
    )
}

/// Each model has its own angles, folders of meshes, bounds of masses and defaults, behind which there are none of the outer model. The
/// numbers are those of MuJoCo 4.0.0's compiled model.
#[test]
fn models_keep_their_compilers_and_defaults() {
    let import = cell();
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    let loaded = loaded(&import);
    let bodies: Vec<(&str, f64)> =
        loaded.model.bodies.iter().map(|body| (body.name.as_str(), body.mass)).collect();
    let wanted = [
        ("left_shoulder", 1.964_272_514_059_382),
        ("left_elbow", 0.24),
        ("left_tool_gripper", 0.5),
        ("left_tool_finger", 0.5),
        ("cart", 48.0),
        ("right_shoulder", 1.964_272_514_059_382),
        ("right_elbow", 0.24),
        ("right_tool_gripper", 0.5),
        ("right_tool_finger", 0.5),
        ("shelf_door", 2.0),
    ];
    for (name, mass) in wanted {
        let found =
            bodies.iter().find(|body| body.0 == name).unwrap_or_else(|| panic!("{name} in {bodies:?}"));
        assert!((found.1 / mass - 1.0).abs() < 1e-12, "{found:?} {mass}");
    }
    let table = toml(&import);
    for arm in ["left", "right"] {
        // A coordinate counts from the pose of the file, which `ref` names.
        assert_near(&table, &format!("joint.{arm}_lift.limit.lower"), &[-1.2 - 0.2]);
        assert_near(&table, &format!("joint.{arm}_tool_turn.limit.upper"), &[std::f64::consts::FRAC_PI_2]);
        assert_near(&table, &format!("joint.{arm}_lift.spring.damping"), &[0.3]);
        // Of the class `main` of its model, and of models without defaults.
        assert!(!has(&table, &format!("joint.{arm}_bend.spring.damping")));
        assert!(!has(&table, &format!("joint.{arm}_tool_grip.spring.damping")));
    }
    assert_near(&table, "joint.track.spring.damping", &[7.0]);
    let dynamics = Dynamics::new(&loaded.system);
    for (name, place) in [
        ("left_tool_finger", Vec3::new(-0.242_252_25, 0.737_177_08, 0.434_473_26)),
        ("right_elbow", Vec3::new(0.373_775_75, 2.345_306_23, 0.318_049_3)),
        ("shelf_door", Vec3::new(3.0, 0.5, 0.0)),
    ] {
        let number = loaded.model.bodies.iter().position(|body| body.name == name).unwrap();
        // Half of the last digit.
        assert!((dynamics.bodies()[number].position - place).amax() < 6e-9, "{name}");
    }
}

/// What acts on bodies that are attached comes with them, as often as they are; what names others does not.
#[test]
fn what_acts_on_attached_bodies_alone_comes_with_them() {
    let import = cell();
    let table = toml(&import);
    let actuators: Vec<&String> = at(&table, "force").as_table().unwrap().keys().collect();
    for name in ["drive", "left_pull", "left_hold", "right_pull", "right_hold"] {
        assert!(actuators.iter().any(|known| *known == name), "{name} in {actuators:?}");
    }
    assert_eq!(actuators.len(), 5);
    assert!(!import.toml.contains("pedestal") && !import.toml.contains("foot"));
    let notes = left_out(&import).join("\n");
    assert!(notes.contains("an equality that is not active (2 times)"), "{notes}");
    assert!(notes.contains("the <option> of an attached model"), "{notes}");
    assert_near(&table, "world.gravity", &[0.0, 0.0, -9.81]);
    // MuJoCo's order of controls: those of the main file first.
    let options = Options { keyframe: Some("start".to_owned()), base: Base::Fixed, ..Options::default() };
    let started = toml(&self::import(include_str!("../models/mjcf/attach/cell.xml"), &options));
    for (name, control) in [("drive", 1.0), ("left_pull", 2.0), ("left_hold", 3.0), ("right_hold", 5.0)] {
        assert_near(&started, &format!("force.{name}.control"), &[control]);
    }
}

/// Keyframes of what is attached are those of its own joints and actuators, however deep; all others are where the file has them, at rest.
/// The numbers are those of MuJoCo 4.0.0's compiled model.
#[test]
fn keyframes_of_attached_models_come_with_them() {
    let text = "<mujoco><asset><model name=\"hopper\" file=\"hoppers/hopper.xml\"/></asset><worldbody>\
                <body name=\"cart\"><joint name=\"track\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\"/></body>\
                <frame pos=\"0 2 0\"><attach model=\"hopper\" prefix=\"a_\"/></frame>\
                <frame pos=\"0 4 0\"><attach model=\"hopper\" prefix=\"b_\"/></frame></worldbody>\
                <actuator><motor name=\"drive\" joint=\"track\"/></actuator></mujoco>";
    let from = |key: &str| {
        let import = import(text, &Options { keyframe: Some(key.to_owned()), ..Options::default() });
        assert!(codes(&import).is_empty(), "{:?}", import.problems);
        toml(&import)
    };
    // Coordinates and velocity of the slide, of the claw's hinge, and both controls.
    let [still, crouched, shut] =
        [[0.0; 6], [-0.05, 0.5, 0.1, 0.2, 7.0, 0.1], [0.0, 0.0, 0.3, -1.0, 0.0, 0.25]];
    for (key, a, b) in [
        ("a_crouch", crouched, still),
        ("b_crouch", still, crouched),
        ("a_claw_shut", shut, still),
        ("b_claw_shut", still, shut),
    ] {
        let table = from(key);
        for (hopper, wanted) in [("a", a), ("b", b)] {
            let [slide, hinge] = [format!("joint.{hopper}_stretch"), format!("joint.{hopper}_claw_open")];
            let keys = [
                format!("{slide}.position"),
                format!("{slide}.velocity"),
                format!("{hinge}.position"),
                format!("{hinge}.velocity"),
                format!("force.{hopper}_push.control"),
                format!("force.{hopper}_claw_squeeze.control"),
            ];
            for (key, wanted) in keys.iter().zip(wanted) {
                if wanted != 0.0 || has(&table, key) {
                    assert_near(&table, key, &[wanted]);
                }
            }
        }
        assert!(!has(&table, "force.drive.control"));
    }
    // In world axes: the frame around it does not move what the keyframe has.
    let import = import(text, &Options { keyframe: Some("b_crouch".to_owned()), ..Options::default() });
    let loaded = loaded(&import);
    let trunk = loaded.model.bodies.iter().position(|body| body.name == "b_trunk").unwrap();
    let dynamics = Dynamics::new(&loaded.system);
    assert!((dynamics.bodies()[trunk].position - Vec3::new(0.0, 0.0, 0.8)).amax() < 1e-12);
}

/// A part of a model has not all the numbers of its keyframes: that is told.
#[test]
fn keyframes_of_a_model_of_which_a_part_is_attached_are_left_out() {
    let import = scene(
        "<model name=\"hopper\" file=\"hoppers/hopper.xml\"/>",
        "<body pos=\"0 0 1\"><joint/><geom size=\"0.1\"/><attach model=\"hopper\" body=\"leg\" prefix=\"a_\"/></body>",
    );
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    assert!(left_out(&import).join("\n").contains("of which a part is attached"));
}

/// Two parts of one model under one prefix share its meshes and classes.
#[test]
fn two_parts_of_a_model_may_have_one_prefix() {
    let import = scene(
        "<model name=\"arm\" file=\"arms/arm.xml\"/>",
        "<attach model=\"arm\" body=\"elbow\" prefix=\"a_\"/><body name=\"b\" pos=\"0 1 0\"><joint/><geom size=\"0.1\"/>\
         <attach model=\"arm\" body=\"tool_finger\" prefix=\"a_\"/></body>",
    );
    // The finger is in both.
    assert!(codes(&import).iter().all(|code| *code == "E0806"), "{:?}", import.problems);
    let import = scene(
        "<model name=\"arm\" file=\"arms/arm.xml\"/>",
        "<frame pos=\"0 0 1\"><attach model=\"arm\" body=\"shoulder\" prefix=\"a_\"/></frame>\
         <attach model=\"arm\" body=\"elbow\" prefix=\"b_\"/>",
    );
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    loaded(&import);
}

#[test]
fn mistakes_of_attached_models_are_told_where_they_are() {
    let arm = "<model name=\"arm\" file=\"arms/arm.xml\"/>";
    let of = |attach: &str| format!("<attach model=\"arm\" {attach}/>");
    for (assets, attach, code, word) in [
        (arm, of("body=\"shoulder\""), "E0804", "prefix"),
        (arm, of("body=\"sholder\" prefix=\"a\""), "E0807", "sholder"),
        (arm, of("frame=\"x\" prefix=\"a\""), "E0807", "frame"),
        (arm, "<attach model=\"leg\" prefix=\"a\"/>".to_owned(), "E0807", "leg"),
        (arm, "<attach body=\"b\" prefix=\"a\"/>".to_owned(), "E0812", "within one model"),
        ("<model name=\"arm\" file=\"arm.xml\"/>", of("prefix=\"a\""), "E0204", "arm.xml"),
        ("<model name=\"arm\" file=\"../../sdf/arm.sdf\"/>", of("prefix=\"a\""), "E0812", "no MJCF"),
        ("<model name=\"arm\" file=\"cell.xml\"/>", of("prefix=\"a\" pos=\"0 0 1\""), "W0804", "pos"),
    ] {
        let import = scene(assets, &attach);
        let told =
            import.problems.iter().filter(|p| p.problem.code.starts_with('E') || code.starts_with('W'));
        let told: Vec<_> = told.collect();
        assert_eq!(told.first().map(|p| p.problem.code), Some(code), "{attach}: {told:?}");
        assert!(told[0].problem.message.contains(word), "{attach}: {told:?}");
        assert!(told.len() == 1 || code.starts_with('W'), "{attach}: {told:?}");
    }
    // A model that attaches itself does so once, and is told of the second time.
    let import = scene("<model name=\"ring\" file=\"ring.xml\"/>", "<attach model=\"ring\" prefix=\"a\"/>");
    assert_eq!(codes(&import), ["E0205"], "{:?}", import.problems);
    // A mistake within the other file has its place there.
    let import =
        scene("<model name=\"broken\" file=\"broken.xml\"/>", "<attach model=\"broken\" prefix=\"a\"/>");
    assert_eq!(codes(&import), ["E0805"], "{:?}", import.problems);
    let place = import.problems[0].location.as_ref().unwrap();
    assert!(place.file.ends_with("broken.xml") && place.line == 4, "{place:?}");
}
