//! Motors of sites and free joints of MJCF, against numbers of MuJoCo 4.0.0.

use carom_engine::System;
use carom_engine::analysis::Dynamics;
use carom_engine::model::{Attachment, ForceAxes, ForceKind};
use carom_io::import::{Import, Options};
use carom_math::Vec3;

use crate::import_kit::*;

/// A drone with rotors on a turned boom, which becomes part of it; what the ranges and a bias leave of controls; and the six gears of a
/// free joint. The sums below are `qfrc_actuator` of the free joint there, its last three turned into world axes.
const DRONE: &str = r#"
  <default><default class="rotor"><motor ctrlrange="0 2" gear="0 0 3 0 0 -0.2"/></default></default>
  <worldbody><body name="drone" pos="0 0 1" euler="10 20 30"><freejoint name="fly"/><geom size="0.1" mass="1"/>
    <body name="boom" pos="0.3 0 0" euler="0 0 40"><geom size="0.05" mass="0.2"/>
      <site name="left" pos="0.1 0.2 0" euler="5 0 0"/><site name="right" pos="0.1 -0.2 0"/></body></body></worldbody>
  <actuator>
    <motor class="rotor" name="rotor" site="left"/>
    <motor class="rotor" name="capped" site="right"/>
    <general name="torquer" site="right" gear="0 0 0 1 2 0" gainprm="2" biastype="affine" biasprm="0.3 0 0" forcerange="-1 1.5"/>
    <motor name="tug" joint="fly" gear="1 2 3 4 5 6"/>
    <motor name="parental" jointinparent="fly" gear="0 0 0 0 0 7"/>
  </actuator>
  <keyframe><key name="hover" ctrl="0.5 5 9 0.1 0.2"/></keyframe>
"#;

fn hovering(inner: &str) -> Import {
    mjcf_with(inner, &Options { keyframe: Some("hover".to_owned()), ..Options::default() })
}

#[test]
fn loads_are_those_of_mujoco() {
    let import = hovering(DRONE);
    assert_eq!(import.counts.actuators, 5);
    let model = loaded(&import).model;
    let system = System::compile(&model).unwrap();
    let bodies = Dynamics::new(&system).bodies();
    let drone = model.bodies.iter().position(|b| b.name == "drone").unwrap();
    let rotation = bodies[drone].orientation.to_matrix();
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for load in &model.forces {
        let in_world = |on: &Attachment, own: Vec3, axes: ForceAxes| match axes {
            ForceAxes::World => own,
            ForceAxes::Body => rotation * (on.pose.rotation * own),
        };
        match &load.kind {
            ForceKind::Force { on, components, axes } => {
                let own = in_world(on, Vec3::from(components.each_ref().map(|f| f.value(0.0))), *axes);
                force += own;
                torque += (rotation * on.pose.translation).cross(&own);
            }
            ForceKind::Torque { on, components, axes } => {
                torque += in_world(on, Vec3::from(components.each_ref().map(|f| f.value(0.0))), *axes);
            }
            other => panic!("{other:?}"),
        }
    }
    // As many digits as were printed.
    let near = |found: Vec3, wanted: [f64; 3]| {
        assert!((found - Vec3::from(wanted)).amax() < 1e-8, "{found:?} {wanted:?}");
    };
    near(force, [2.778_639_53, -1.059_625_99, 7.186_199_04]);
    near(torque, [-0.636_000_08, -0.029_701_08, 1.691_696_94]);
}

#[test]
fn names_stay_those_of_the_actuators_and_without_a_keyframe_nothing_acts() {
    let table = toml(&mjcf(DRONE));
    for name in ["rotor", "rotor_torque", "tug", "tug_torque", "torquer", "parental"] {
        assert!(has(&table, &format!("force.{name}")), "{name}");
    }
    assert!(!has(&table, "force.torquer_torque") && !has(&table, "force.parental_torque"));
    assert_near(&table, "force.rotor.force", &[0.0, 0.0, 0.0]);
    // The bias does.
    assert_near(&table, "force.torquer.torque", &[0.3, 0.6, 0.0]);
    let off = hovering(&format!("<option><flag actuation=\"disable\"/></option>{DRONE}"));
    assert!(!has(&toml(&off), "force"));
    let free = hovering(&format!("<option><flag clampctrl=\"disable\"/></option>{DRONE}"));
    assert_near(&toml(&free), "force.capped.force", &[0.0, 0.0, 15.0]);
}

#[test]
fn what_depends_on_lengths_and_speeds_is_told() {
    for (motor, code) in [
        ("<velocity name=\"v\" site=\"left\"/>", "W0801"),
        ("<position name=\"p\" joint=\"fly\"/>", "W0801"),
        ("<motor name=\"m\" site=\"left\" refsite=\"right\"/>", "W0801"),
        ("<motor name=\"m\" site=\"middle\"/>", "E0807"),
    ] {
        let import = mjcf(&DRONE.replace("</actuator>", &format!("{motor}</actuator>")));
        assert_eq!(codes(&import).first(), Some(&code), "{motor}");
    }
}
