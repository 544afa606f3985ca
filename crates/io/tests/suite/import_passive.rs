//! What acts in MJCF without a control: springs and dampers of ball and free joints, borne weights; and what flags switch off.
//! Beside MuJoCo 4.0.0's RK4 such files move alike to 1e-11 m in 2 s, which is where these forms are from.

use carom_engine::model::JointKind;
use carom_io::import::{Base, Options};
use carom_math::Pose;

use crate::import_kit::*;

/// A free trunk with an arm on a ball joint in a part that is merged, and a pendulum with all that flags know.
const SCENE: &str = r#"
  <worldbody>
    <body name="trunk" pos="1 2 3" euler="0 0 90"><joint name="root" type="free" stiffness="5" damping="0.5"/>
      <geom size="0.1" mass="3"/>
      <body name="bracket" pos="0.2 0 0" gravcomp="0.5"><geom size="0.05" mass="0.4" pos="0 0.1 0"/>
        <body name="arm" pos="0.3 0 0" gravcomp="1"><joint name="neck" type="ball" damping="0.02" pos="0 0 0.1"/>
          <geom size="0.05" mass="0.7" pos="0.1 0 0"/></body></body></body>
    <body name="bob" pos="0 0 1"><joint name="hinge" axis="0 1 0" range="-30 30" stiffness="2" damping="0.3" frictionloss="0.1"/>
      <geom size="0.1" pos="0.5 0 0" mass="1"/></body>
  </worldbody>
  <tendon><fixed name="cord" stiffness="4" damping="0.2" springlength="0.1"><joint joint="hinge" coef="1"/></fixed></tendon>
  <equality><weld name="grip" body1="bob"/></equality>
  <actuator><motor name="drive" joint="hinge" ctrlrange="-1 1"/></actuator>
"#;

fn isotropic(table: &toml::Table, path: &str, [along, about]: [f64; 2]) {
    assert_near(table, path, &[along, along, along, about, about, about]);
}

#[test]
fn ball_and_free_joints_have_springs_and_dampers_that_relax_where_the_file_shows_them() {
    let import = mjcf(SCENE);
    let table = toml(&import);
    isotropic(&table, "force.root_spring.stiffness", [5.0, 5.0]);
    isotropic(&table, "force.root_spring.damping", [0.5, 0.5]);
    // About the world, at the pose of the file; the body's own frame is the other.
    assert_eq!(at(&table, "force.root_spring.a.body").as_str(), Some("world"));
    assert_near(&table, "force.root_spring.a.at", &[1.0, 2.0, 3.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_near(&table, "force.root_spring.a.rot.quat", &[half, 0.0, 0.0, half]);
    assert!(!has(&table, "force.root_spring.b.at"));
    // A ball joint's is about its centre, and the parent became part of the trunk.
    isotropic(&table, "force.neck_damper.stiffness", [0.0, 0.0]);
    isotropic(&table, "force.neck_damper.damping", [0.0, 0.02]);
    assert_eq!(at(&table, "force.neck_damper.a.body").as_str(), Some("trunk"));
    assert_near(&table, "force.neck_damper.a.at", &[0.5, 0.0, 0.1]);
    assert_near(&table, "force.neck_damper.b.at", &[0.0, 0.0, 0.1]);
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    loaded(&import);
    // Its spring is none along the axes either.
    let table = toml(&mjcf(&SCENE.replace("damping=\"0.02\"", "stiffness=\"1.5\"")));
    isotropic(&table, "force.neck_spring.stiffness", [0.0, 1.5]);
    isotropic(&table, "force.neck_spring.damping", [0.0, 0.0]);
}

/// One number along all freedoms, which a free joint of its own has in the model file, about the body's frame.
#[test]
fn ball_and_free_joints_have_armature_and_friction_along_every_freedom() {
    let scene = SCENE
        .replace("stiffness=\"5\" damping=\"0.5\"", "armature=\"0.3\" frictionloss=\"0.2\"")
        .replace("damping=\"0.02\"", "armature=\"0.05\"");
    let import = mjcf(&scene);
    assert!(codes(&import).is_empty(), "{:?}", import.problems);
    let table = toml(&import);
    assert!(has(&table, "joint.root.friction") && !has(&table, "joint.neck.friction"));
    let model = loaded(&import).model;
    let joint = |name: &str| model.joints.iter().find(|joint| joint.name == name).unwrap();
    let (root, neck) = (joint("root"), joint("neck"));
    assert_eq!((root.kind, neck.kind), (JointKind::Free, JointKind::Spherical));
    assert!(root.elements.iter().all(|e| e.armature == 0.3 && e.friction.is_some_and(|f| f.force == 0.2)));
    assert!(neck.elements.iter().all(|e| e.armature == 0.05 && e.friction.is_none()));
    // MuJoCo's freedoms are those of the body's origin in world axes, and of its turning in its own.
    assert_eq!((root.a.pose, root.b.pose), (Pose::identity(), Pose::identity()));
    assert_eq!(
        (model.bodies[root.a.body].name.as_str(), model.bodies[root.b.body].name.as_str()),
        ("world", "trunk")
    );
    let off = format!("<option><flag frictionloss=\"disable\"/></option>{scene}");
    assert!(!has(&toml(&mjcf(&off)), "joint.root.friction"));
    // A base that is held has no freedoms.
    let fixed = Options { base: Base::Fixed, ..Options::default() };
    assert!(!has(&toml(&mjcf_with(&scene, &fixed)), "joint.root"));
    assert_eq!(codes(&mjcf(&scene.replace("armature=\"0.05\"", "armature=\"-0.05\""))), ["E0805"]);
}

/// A slide between 1 kg and 1 kg with 2 kg of armature feels m (M + A)/(m + M + A) = 3/4 kg: k = 3/4 kg/(1 s)², c = 2 · 3/4 kg/(1 s).
#[test]
fn springs_by_time_constants_feel_the_armature_of_free_joints() {
    let sphere = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>";
    let import = mjcf(&format!(
        "<worldbody><body name=\"a\"><joint type=\"free\" armature=\"2\"/>{sphere}<body name=\"b\">\
         <joint name=\"j\" type=\"slide\" springdamper=\"1 1\"/>{sphere}</body></body></worldbody>"
    ));
    let table = toml(&import);
    assert_near(&table, "joint.j.spring.stiffness", &[0.75]);
    assert_near(&table, "joint.j.spring.damping", &[1.5]);
}

#[test]
fn weights_are_borne_at_the_centre_of_what_they_are_of() {
    let table = toml(&mjcf(SCENE));
    assert_near(&table, "force.arm_gravcomp.force", &[0.0, 0.0, 0.7 * 9.81]);
    assert_near(&table, "force.arm_gravcomp.on.at", &[0.1, 0.0, 0.0]);
    // Of a body that became part of another one, its own share of its own mass.
    assert_near(&table, "force.bracket_gravcomp.force", &[0.0, 0.0, 0.5 * 0.4 * 9.81]);
    assert_eq!(at(&table, "force.bracket_gravcomp.on.body").as_str(), Some("trunk"));
    assert_near(&table, "force.bracket_gravcomp.on.at", &[0.2, 0.1, 0.0]);
    // Without weight nothing bears it, and what does not move needs no force.
    let weightless = format!("<option><flag gravity=\"disable\"/></option>{SCENE}");
    assert!(!has(&toml(&mjcf(&weightless)), "force.arm_gravcomp"));
    let held = SCENE.replace("<joint name=\"root\" type=\"free\" stiffness=\"5\" damping=\"0.5\"/>", "");
    let table = toml(&mjcf(&held));
    assert!(has(&table, "force.arm_gravcomp") && !has(&table, "force.bracket_gravcomp"));
}

#[test]
fn other_elements_of_ball_joints_are_told() {
    for attribute in ["range=\"0 60\"", "springdamper=\"0.1 1\""] {
        let import = mjcf(&SCENE.replace("damping=\"0.02\"", attribute));
        assert_eq!(codes(&import), ["W0801"], "{attribute}");
        assert!(!has(&toml(&import), "force.neck_damper"));
    }
    let negative = mjcf(&SCENE.replace("damping=\"0.02\"", "damping=\"-0.02\""));
    assert_eq!(codes(&negative), ["E0805"]);
}

#[test]
fn flags_switch_off_what_they_name() {
    // What is there, by path, and the words that switch it off.
    let parts: [(&str, &[&str]); 9] = [
        ("joint.hinge.limit", &["limit", "constraint"]),
        ("joint.hinge.friction", &["frictionloss", "constraint"]),
        ("force.grip", &["equality", "constraint"]),
        ("contact", &["contact", "constraint"]),
        ("joint.hinge.spring.stiffness", &["spring", "passive"]),
        ("joint.hinge.spring.damping", &["damper", "passive"]),
        ("force.neck_damper", &["damper", "passive"]),
        ("force.drive", &["actuation"]),
        ("force.drive.control_range", &["clampctrl", "actuation"]),
    ];
    let all = ["limit", "constraint", "frictionloss", "equality", "contact", "spring", "passive", "damper"];
    for word in all.into_iter().chain(["actuation", "clampctrl"]) {
        let import =
            mjcf(&format!("<option><flag {word}=\"disable\" eulerdamp=\"disable\"/></option>{SCENE}"));
        let table = toml(&import);
        for (path, words) in &parts {
            assert_eq!(has(&table, path), !words.contains(&word), "{path} without {word}");
        }
        let cord = ["spring", "damper"].map(|own| word != own && word != "passive");
        let found = ["stiffness", "damping"].map(|key| has(&table, &format!("force.cord.{key}")));
        assert_eq!(found, cord, "{word}");
        assert_eq!(has(&table, "force.cord.bias"), cord[0], "{word}");
        assert!(codes(&import).iter().all(|code| code.starts_with('W') && *code != "W0801"), "{word}");
        loaded(&import);
    }
    // The last word counts.
    let again = "<option><flag limit=\"disable\"/></option><option><flag limit=\"enable\"/></option>";
    assert!(has(&toml(&mjcf(&format!("{again}{SCENE}"))), "joint.hinge.limit"));
    assert_eq!(codes(&mjcf(&format!("<option><flag limit=\"off\"/></option>{SCENE}"))), ["E0805"]);
}
