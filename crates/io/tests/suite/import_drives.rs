//! Actuators, fixed tendons and keyframes of MJCF, against numbers of MuJoCo 4.0.0.

use carom_engine::analysis::{Dynamics, Loads};
use carom_engine::model::{ForceKind, Model};
use carom_engine::{Recorder, Simulation, System};
use carom_io::import::Options;

use crate::import_kit::*;

/// A trunk with a leg of two hinges and a slide, and a head on a ball joint; each kind of actuator, a tendon with a spring, and
/// a start. The torques below are what this prints:
///
/// ```python
/// m = mujoco.MjModel.from_xml_string(text); d = mujoco.MjData(m)
/// mujoco.mj_resetDataKeyframe(m, d, 0); mujoco.mj_forward(m, d)
/// print((d.qfrc_actuator + d.qfrc_passive)[6:9], d.body("foot").xpos, d.body("head").xquat)
/// mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_XBODY, m.body("foot").id, v, 0)
/// ```
const LEG: &str = r#"
  <compiler angle="radian"/>
  <default>
    <motor ctrlrange="-0.8 0.6"/>
    <default class="servo"><position kp="20" kv="1.5" forcerange="-4 7"/></default>
  </default>
  <worldbody>
    <body name="trunk" pos="0 0 1"><freejoint name="root"/><geom type="box" size="0.2 0.1 0.1" mass="3"/>
      <body name="upper" pos="0.2 0 0"><joint name="hip" axis="0 1 0" range="-2 1" ref="0.3" armature="0.02"/>
        <geom type="capsule" size="0.03 0.1" mass="0.7"/>
        <body name="lower" pos="0 0 -0.3"><joint name="knee" axis="0 1 0" range="-1 1.5" actuatorfrcrange="-2 9"/>
          <geom type="capsule" size="0.02 0.1" pos="0.02 0 -0.1" mass="0.4"/>
          <body name="foot" pos="0 0 -0.25"><joint name="ankle" type="slide" axis="0 0 1"/><geom size="0.04" mass="0.2"/></body>
        </body>
      </body>
      <body name="head" pos="-0.2 0 0.1"><joint name="neck" type="ball"/><geom size="0.05" mass="0.3" pos="0 0 0.1"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord" stiffness="3" damping="0.2"><joint joint="hip" coef="0.5"/><joint joint="knee" coef="-1.2"/></fixed></tendon>
  <actuator>
    <motor name="m" joint="hip" gear="-3"/>
    <position name="p" class="servo" joint="hip" gear="2"/>
    <position name="d" joint="knee" kp="9" dampratio="0.7" inheritrange="0.5"/>
    <velocity name="v" joint="ankle" kv="4" forcerange="-1 1"/>
    <general name="g" joint="ankle" gainprm="2.5" biastype="affine" biasprm="0.3 -4 -0.2" ctrllimited="false"/>
    <motor name="t" tendon="cord" gear="4"/>
  </actuator>
  <keyframe><key name="start" qpos="0.1 0.2 1.3 0.8 0.2 -0.4 0.4 -0.5 0.7 0.11 0.9 0.1 0.3 -0.3"
    qvel="0.1 -0.2 0.3 0.4 0.5 -0.6 1.1 -0.9 0.7 0.2 -0.3 0.4" ctrl="0.5 0.9 2 0.4 -0.3 -2"/></keyframe>
"#;

fn started() -> Options {
    Options { keyframe: Some("start".to_owned()), ..Options::default() }
}

/// Effort of all actuators on a joint of one coordinate at the start.
fn drive_at_start(model: &Model, joint: &str) -> f64 {
    let at_start = |joint: usize| {
        let value = |v: &Option<Vec<f64>>| v.as_ref().map_or(0.0, |v| v[0]);
        [value(&model.joints[joint].position), value(&model.joints[joint].velocity)]
    };
    let mut sum = 0.0;
    for force in &model.forces {
        let ForceKind::Actuator(actuator) = &force.kind else { continue };
        let motion = actuator.terms.iter().fold([0.0; 2], |sum, (at, factor)| {
            let [q, v] = at_start(at.joint);
            [sum[0] + factor * q, sum[1] + factor * v]
        });
        let (effort, _) = actuator.effort_at(actuator.within_range(actuator.control.value(0.0)), motion);
        let on = actuator.terms.iter().filter(|(at, _)| model.joints[at.joint].name == joint);
        sum += on.map(|(_, factor)| factor * effort).sum::<f64>();
    }
    sum
}

#[test]
fn actuators_and_tendons_pull_as_in_mujoco() {
    let import = mjcf_with(LEG, &started());
    // The range of the knee, on which the tendon pulls, too, is not reached.
    assert_eq!(codes(&import), [] as [&str; 0]);
    let model = loaded(&import).model;
    assert_eq!(
        model.joints.iter().find(|j| j.name == "knee").unwrap().elements[0].actuator_range,
        Some([-2.0, 9.0])
    );
    assert_eq!(model.forces.len(), 7);
    for (joint, effort) in [("hip", 10.9 + 1.472), ("knee", 5.662_769_509_963_677 - 3.5328), ("ankle", -2.03)]
    {
        let found = drive_at_start(&model, joint);
        assert!((found - effort).abs() < 1e-13, "{joint}: {found} {effort}");
    }
}

#[test]
fn a_keyframe_is_the_start_as_in_mujoco() {
    let loaded = loaded(&mjcf_with(LEG, &started()));
    let system = System::compile(&loaded.model).unwrap();
    let bodies = Dynamics::new(&system).bodies();
    let body = |name: &str| bodies[loaded.model.bodies.iter().position(|b| b.name == name).unwrap()];
    let near = |found: &[f64], wanted: &[f64]| {
        let miss = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(miss < 1e-14, "{found:?} {wanted:?}");
    };
    let (foot, head) = (body("foot"), body("head"));
    near(
        foot.position.as_slice(),
        &[0.421_696_108_068_823_9, 0.628_928_144_091_765_1, 1.434_359_246_914_486_1],
    );
    near(foot.angular_velocity.as_slice(), &[-0.128, 0.996, -0.04]);
    near(
        foot.velocity.as_slice(),
        &[-0.102_451_027_605_885, -0.666_909_811_779_543_8, 0.043_982_574_069_541_8],
    );
    let q = head.orientation;
    near(&[q.w, q.x, q.y, q.z], &[0.94, 0.26, -0.02, 0.22]);
    near(head.angular_velocity.as_slice(), &[0.3704, 0.5272, 0.192]);
    near(head.velocity.as_slice(), &[0.006, -0.192, 0.4]);
}

/// Without one the file's pose is the start; the keys that there are are named.
#[test]
fn keyframes_are_named_and_refused_by_name() {
    let import = mjcf(LEG);
    assert!(choices(&import).contains("--keyframe starts from one of the file's keyframes: start"));
    let position = loaded(&import).model.joints.iter().find(|j| j.name == "hip").unwrap().position.clone();
    assert_eq!(position, None);
    let by_number = mjcf_with(LEG, &Options { keyframe: Some("0".to_owned()), ..Options::default() });
    assert_eq!(by_number.toml, mjcf_with(LEG, &started()).toml);
    let missing = mjcf_with(LEG, &Options { keyframe: Some("stars".to_owned()), ..Options::default() });
    assert_eq!(codes(&missing)[0], "E0807");
    assert!(missing.problems[0].problem.help.as_ref().unwrap().contains("start"));
    let short = mjcf_with(&LEG.replace("ctrl=\"0.5 ", "ctrl=\""), &started());
    assert_eq!(codes(&short)[0], "E0805");
    let in_urdf = urdf_with(&link("a", ""), &started());
    assert_eq!(codes(&in_urdf), ["E0807"]);
}

/// What acts in another way than it is taken over is told; what cannot be is left out.
#[test]
fn what_actuators_have_beyond_that_is_told() {
    let said = |actuator: &str| -> Vec<String> {
        let text = format!(
            "<worldbody><body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\"/></body></worldbody>\
             <actuator>{actuator}</actuator>"
        );
        mjcf(&text).problems.iter().map(|p| format!("{} {}", p.problem.code, p.problem.message)).collect()
    };
    for (actuator, wanted) in [
        ("<muscle joint=\"j\"/>", "W0801 <muscle> is not taken over"),
        ("<general joint=\"j\" dyntype=\"user\"/>", "W0801 the dynamics \"user\""),
        ("<general joint=\"j\" dyntype=\"filter\" dynprm=\"-1\"/>", "E0805 the time constant"),
        ("<intvelocity joint=\"j\" actrange=\"1 -1\"/>", "E0810 the actrange"),
        ("<general joint=\"j\" gaintype=\"affine\" gainprm=\"1 2 0\"/>", "W0801 a <general> whose gain"),
        ("<general joint=\"j\" gaintype=\"user\"/>", "W0801 a <general> with a gain"),
        ("<motor joint=\"k\"/>", "E0807 <motor>"),
        ("<motor site=\"s\"/>", "E0807 <motor>"),
        ("<motor joint=\"j\" ctrlrange=\"1 -1\"/>", "E0810 the ctrlrange"),
    ] {
        let all = said(actuator);
        assert!(all.len() == 1 && all[0].starts_with(wanted), "{actuator}: {all:?}");
    }
    assert_eq!(said("<motor joint=\"j\" forcerange=\"1 3\"/><position joint=\"j\"/>"), Vec::<String>::new());
    let ranged = |actuators: &str| {
        let both = "<joint name=\"j\" actuatorfrcrange=\"-1 1\"/>";
        codes(&mjcf(&format!(
            "<worldbody><body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>{both}</body></worldbody>\
             <actuator>{actuators}</actuator>"
        )))
    };
    assert_eq!(ranged("<motor joint=\"j\"/><motor joint=\"j\"/>"), [] as [&str; 0]);
    let bare = "<general joint=\"j\" gainprm=\"0\" biastype=\"affine\" biasprm=\"0 -3\"/>";
    assert_eq!(ranged(&format!("<motor joint=\"j\"/>{bare}")), ["W0801"]);
    assert_eq!(ranged(bare), [] as [&str; 0]);
    // What bears weights is part of what the range holds for: without a range, and where nothing is borne, it is all the same.
    for (range, gravcomp, wanted) in [
        ("actuatorfrcrange=\"-1 1\"", "0.5", &["W0801"][..]),
        ("", "0.5", &[]),
        ("actuatorfrcrange=\"-1 1\"", "0", &[]),
    ] {
        let text = format!(
            "<worldbody><body gravcomp=\"{gravcomp}\"><inertial pos=\"0 0 1\" mass=\"1\" diaginertia=\"1 1 1\"/>\
             <joint name=\"j\" actuatorgravcomp=\"true\" {range}/></body></worldbody><actuator><motor joint=\"j\"/></actuator>"
        );
        assert_eq!(codes(&mjcf(&text)), wanted, "{range} {gravcomp}");
    }
}

/// `actuatorfrcrange` of joints with two actuators, one of them with a tendon's, and springs of the tendon, which do not count. What acts at
/// the start is `qfrc_actuator + qfrc_passive` of MuJoCo 4.0.0; after half a second, in which two ranges are reached and left, coordinates are
/// those of its RK4 with steps of 10 µs, which agree to 3e-9 with those of 20 µs.
#[test]
fn ranges_of_joints_hold_for_all_of_their_actuators() {
    let text = r#"<compiler angle="radian"/>
<worldbody><body name="upper" pos="0 0 1"><joint name="hip" axis="0 1 0" actuatorfrcrange="-1.5 2.5"/>
<geom type="capsule" size="0.03 0.1" pos="0 0 -0.1" mass="0.7" contype="0" conaffinity="0"/>
<body name="lower" pos="0 0 -0.3"><joint name="knee" axis="0 1 0" actuatorfrcrange="-0.6 0.9"/>
<geom type="capsule" size="0.02 0.1" pos="0.02 0 -0.1" mass="0.4" contype="0" conaffinity="0"/>
<body name="foot" pos="0 0 -0.25"><joint name="ankle" type="slide" axis="0 0 1" actuatorfrcrange="-3 0.5"/>
<geom size="0.04" mass="0.2" contype="0" conaffinity="0"/></body></body></body></worldbody>
<tendon><fixed name="cord" stiffness="3" damping="0.2"><joint joint="hip" coef="0.5"/><joint joint="knee" coef="-1.2"/></fixed></tendon>
<actuator><motor name="m" joint="hip" gear="-3"/><position name="p" joint="hip" kp="20" kv="1.5" gear="2"/>
<position name="d" joint="knee" kp="9" kv="0.3"/><motor name="t" tendon="cord" gear="4"/>
<velocity name="v" joint="ankle" kv="4"/><general name="g" joint="ankle" gainprm="2.5" biastype="affine" biasprm="0.3 -40 -0.2"/></actuator>
<keyframe><key name="start" qpos="0.3 -0.3 0.1" qvel="0.7 0.2 -0.3" ctrl="0.5 0.9 2 0.4 -0.3 -2"/></keyframe>"#;
    let import = mjcf_with(text, &started());
    assert_eq!(codes(&import), [] as [&str; 0]);
    let mut model = loaded(&import).model;
    let system = System::compile(&model).unwrap();
    let dynamics = Dynamics::new(&system);
    let drives = dynamics.bias_forces(Loads::Gravity) - dynamics.bias_forces(Loads::All);
    let off = |found: &[f64], want: [f64; 3]| {
        found.iter().zip(want).map(|(found, want)| (found - want).abs()).fold(0.0, f64::max)
    };
    assert!(off(drives.as_slice(), [2.5 - 0.776, 0.9 + 1.8624, -3.0]) < 1e-12, "{drives}");
    model.solver.rtol = 1e-9;
    model.solver.t_end = 0.5;
    let found = at_the_end(&model);
    let want = [0.425_513_667_501_117_85, 0.248_022_910_350_918_92, -1.447_314_616_604_026_3];
    assert!(off(&found, want) < 1e-7, "{found:?}");
}

struct Nothing;

impl Recorder for Nothing {}

/// Coordinates of all joints of one coordinate at the end of a run.
fn at_the_end(model: &Model) -> Vec<f64> {
    let system = System::compile(model).unwrap();
    let mut run = Simulation::new(&system);
    run.advance_to(model.solver.t_end, &mut Nothing).unwrap();
    let mut dynamics = Dynamics::new(&system);
    dynamics.set_state(model.solver.t_end, run.state());
    (0..model.joints.len()).map(|joint| dynamics.joint_position(joint).unwrap()[0]).collect()
}

/// Ranges of controls and forces that hold, of an actuator on a joint or a tendon with or without a range: `actuator_ctrlrange` of MuJoCo
/// 4.0.0 for the same text where its `actuator_ctrllimited` is set, or that it refuses the file.
#[test]
fn ranges_of_actuators_are_those_of_mujoco() {
    const REFUSED: Option<Option<[f64; 2]>> = None;
    let of = |low: f64, high: f64| Some(Some([low, high]));
    let none = Some(None);
    let (joint, tendon) = ("range=\"-0.3 1.2\"", "range=\"-1 3\"");
    let servo = "gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -3\"";
    let half = "<position inheritrange=\"0.5\"/>";
    for (of_joint, of_tendon, default, actuator, wanted) in [
        ("", "", "", "position joint=\"j\" inheritrange=\"1\"", REFUSED),
        ("range=\"0 0\"", "", "", "position joint=\"j\" inheritrange=\"1\"", REFUSED),
        ("", "", half, "position joint=\"j\"", REFUSED),
        ("", "", half, "position joint=\"j\" ctrllimited=\"false\"", REFUSED),
        ("", "", half, "general joint=\"j\"", REFUSED),
        ("", "", half, "general joint=\"j\" dyntype=\"integrator\"", REFUSED),
        ("", "", half, "general joint=\"j\" gainprm=\"3\"", none),
        ("", "", half, "motor joint=\"j\"", none),
        (joint, "", "", "position joint=\"j\" inheritrange=\"1\"", of(-0.3, 1.2)),
        (
            "range=\"-0.3 1.2\" limited=\"false\"",
            "",
            "",
            "position joint=\"j\" inheritrange=\"1\"",
            of(-0.3, 1.2),
        ),
        (joint, "", half, "general joint=\"j\" ctrlrange=\"-7 7\" dyntype=\"integrator\"", of(-7.0, 7.0)),
        ("", "", "", "position tendon=\"t\" inheritrange=\"1\"", REFUSED),
        (joint, "range=\"1 1\"", "", "position tendon=\"t\" inheritrange=\"1\"", REFUSED),
        ("", tendon, "", "position tendon=\"t\" inheritrange=\"1\"", of(-1.0, 3.0)),
        ("", tendon, "", "position tendon=\"t\" inheritrange=\"0.5\" gear=\"3\"", of(0.0, 2.0)),
        ("", "range=\"-1 3\" limited=\"false\"", half, "position tendon=\"t\"", of(0.0, 2.0)),
        ("", tendon, "", &format!("general tendon=\"t\" inheritrange=\"0.5\" {servo}"), of(0.0, 2.0)),
        ("", tendon, "", "general tendon=\"t\" inheritrange=\"0.5\" gainprm=\"3\"", none),
        (joint, "", "", "position joint=\"j\" inheritrange=\"1\" ctrlrange=\"-1 1\"", REFUSED),
        (joint, "", "", "position joint=\"j\" inheritrange=\"0\" ctrlrange=\"-1 1\"", of(-1.0, 1.0)),
        (joint, "", "<position inheritrange=\"0.5\" ctrlrange=\"-1 1\"/>", "position joint=\"j\"", REFUSED),
        (
            joint,
            "",
            "",
            &format!("general joint=\"j\" inheritrange=\"1\" ctrlrange=\"-1 1\" {servo}"),
            of(-0.3, 1.2),
        ),
        ("", "", "", "motor joint=\"j\" ctrlrange=\"1 1\"", none),
        ("", "", "", "position joint=\"j\" ctrlrange=\"0 0\"", none),
        ("", "", "", "motor joint=\"j\" ctrlrange=\"1 1\" ctrllimited=\"true\"", REFUSED),
        ("", "", "", "motor joint=\"j\" ctrllimited=\"true\"", REFUSED),
        ("", "", "", "motor joint=\"j\" forcelimited=\"true\"", REFUSED),
        ("", "", "", "motor joint=\"j\" forcerange=\"2 2\"", none),
    ] {
        let text = format!(
            "<compiler angle=\"radian\"/><default>{default}</default><worldbody><body>\
             <inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\" {of_joint} ref=\"0.1\"/></body></worldbody>\
             <tendon><fixed name=\"t\" {of_tendon}><joint joint=\"j\" coef=\"2\"/></fixed></tendon>\
             <actuator><{actuator}/></actuator>"
        );
        let import = mjcf(&text);
        let Some(wanted) = wanted else {
            let errors: Vec<_> = import.problems.iter().filter(|p| p.problem.code.starts_with('E')).collect();
            assert!(errors.len() == 1 && errors[0].problem.code == "E0810", "{actuator}: {errors:?}");
            assert!(errors[0].location.is_some(), "{actuator}");
            continue;
        };
        let model = loaded(&import).model;
        let ForceKind::Actuator(law) = &model.forces[0].kind else { panic!("{:?}", model.forces) };
        // Middles and halves are rounded.
        let off =
            |[low, high]: [f64; 2], [least, most]: [f64; 2]| (low - least).abs().max((high - most).abs());
        let is_near = match (law.control_range, wanted) {
            (Some(found), Some(wanted)) => off(found, wanted) < 1e-15,
            (found, wanted) => found == wanted,
        };
        assert!(is_near, "{actuator}: {:?} {wanted:?}", law.control_range);
        assert_eq!(law.effort_range, None, "{actuator}");
    }
}

/// Defaults of all kinds write into the numbers of one actuator. Gain, and the three biases, are `actuator_gainprm` and
/// `actuator_biasprm` of MuJoCo 4.0.0 for the same text; where its `actuator_biastype` is none, the latter are 0.
#[test]
fn defaults_of_all_kinds_make_an_actuator() {
    let one = |kind: &str| match kind {
        "pos" => "<position kp=\"5\" kv=\"2\"/>",
        "vel" => "<velocity kv=\"3\"/>",
        "gen" => "<general gainprm=\"7\" biastype=\"affine\" biasprm=\"1 -2 -3\"/>",
        "bare" => "<general gainprm=\"7\" biasprm=\"1 -2 -3\"/>",
        "affine" => "<general gaintype=\"affine\" gainprm=\"7 8\"/>",
        "range" => "<general ctrlrange=\"-2 2\"/>",
        _ => "<motor/>",
    };
    let all = |kinds: &str| kinds.split_whitespace().map(one).collect::<String>();
    for (outer, inner, kind, wanted) in [
        ("pos", "", "position", [5.0, 0.0, -5.0, -2.0]),
        ("pos", "", "general", [5.0, 0.0, -5.0, -2.0]),
        ("pos", "", "velocity", [1.0, 0.0, 0.0, -1.0]),
        ("pos", "", "motor", [1.0, 0.0, 0.0, 0.0]),
        ("gen", "", "position", [7.0, 0.0, -7.0, -3.0]),
        ("gen", "", "general", [7.0, 1.0, -2.0, -3.0]),
        ("bare", "", "general", [7.0, 0.0, 0.0, 0.0]),
        ("bare", "", "position", [7.0, 0.0, -7.0, -3.0]),
        ("affine", "", "position", [1.0, 0.0, -1.0, 0.0]),
        ("pos vel", "", "position", [1.0, 0.0, -1.0, 0.0]),
        ("pos range", "", "velocity", [5.0, 0.0, 0.0, -5.0]),
        ("vel", "pos", "velocity", [3.0, 0.0, 0.0, -3.0]),
        ("vel gen", "pos", "velocity", [7.0, 0.0, 0.0, -7.0]),
        ("gen", "motor", "position", [7.0, 0.0, -7.0, -3.0]),
        ("gen", "motor", "general", [1.0, 0.0, 0.0, 0.0]),
        ("gen", "motor range", "position", [1.0, 0.0, -1.0, 0.0]),
        ("pos", "affine", "velocity", [1.0, 0.0, 0.0, -1.0]),
    ] {
        let text = format!(
            "<default>{}<default class=\"c\">{}</default></default><worldbody><body>\
             <inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\"/></body></worldbody>\
             <actuator><{kind} name=\"a\" class=\"c\" joint=\"j\"/></actuator>",
            all(outer),
            all(inner)
        );
        let model = loaded(&mjcf(&text)).model;
        let ForceKind::Actuator(law) = &model.forces[0].kind else { panic!("{:?}", model.forces) };
        let found = [law.gain, law.bias, -law.stiffness, -law.damping];
        assert_eq!(found, wanted, "{outer}, {inner}, {kind}");
    }
}

/// Which actuators have the range of their joint for their control, by `inheritrange` of their own or of their class:
/// `actuator_ctrlrange` of MuJoCo 4.0.0 for the same text, where its `actuator_ctrllimited` is set.
#[test]
fn positions_inherit_the_range_of_their_joint() {
    let (half, servo) =
        ("<position kp=\"5\" inheritrange=\"0.5\"/>", "gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -3\"");
    let wide = "<position kp=\"5\" ctrlrange=\"-9 9\"/>";
    let (of_joint, of_half) = (Some([-0.3, 1.2]), Some([0.075, 0.825]));
    for (outer, inner, actuator, wanted) in [
        (half, "", "motor", None),
        (half, "", "motor ctrlrange=\"-7 7\"", Some([-7.0, 7.0])),
        ("<motor ctrlrange=\"-9 9\"/>", half, "motor", None),
        (half, "", "velocity kv=\"2\"", None),
        (half, "", "velocity kv=\"2\" ctrlrange=\"-7 7\"", Some([-7.0, 7.0])),
        (half, "", "general gainprm=\"3\"", None),
        (half, "", "general", of_half),
        (half, "", "general ctrlrange=\"-7 7\"", of_half),
        (half, "", "general ctrlrange=\"-7 7\" inheritrange=\"0\"", Some([-7.0, 7.0])),
        (half, "", "general dyntype=\"integrator\"", None),
        ("", "", &format!("general {servo} inheritrange=\"1\""), of_joint),
        ("", "", "general gainprm=\"3\" inheritrange=\"0.5\"", None),
        (half, "", "position", of_half),
        (half, "", "position kp=\"3\" gear=\"2\"", of_half),
        (half, "", "position timeconst=\"1\"", of_half),
        (half, "", "position ctrllimited=\"false\"", None),
        (half, "", "position ctrlrange=\"-7 7\"", Some([-7.0, 7.0])),
        (half, "", "position inheritrange=\"0\"", None),
        (half, wide, "position", Some([-9.0, 9.0])),
        (half, wide, "position inheritrange=\"1\"", of_joint),
        (half, wide, "general", Some([-9.0, 9.0])),
        (half, "<motor gear=\"2\"/>", "position", of_half),
        (wide, half, "position", of_half),
        (wide, half, "position inheritrange=\"0\"", None),
        (wide, "<position inheritrange=\"0\"/>", "position", Some([-9.0, 9.0])),
    ] {
        let text = format!(
            "<compiler angle=\"radian\"/><default>{outer}<default class=\"c\">{inner}</default></default><worldbody><body>\
             <inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\" range=\"-0.3 1.2\" ref=\"0.1\"/></body>\
             </worldbody><actuator><{actuator} class=\"c\" joint=\"j\"/></actuator>"
        );
        let model = loaded(&mjcf(&text)).model;
        let law = model.forces.iter().find_map(|force| match &force.kind {
            ForceKind::Actuator(law) => Some(law),
            _ => None,
        });
        match (law.expect("an actuator").control_range, wanted) {
            (None, None) => {}
            (Some([low, high]), Some([least, most])) => {
                assert!(
                    (low - least).abs() < 1e-15 && (high - most).abs() < 1e-15,
                    "{actuator}: {low} {high}"
                );
            }
            (found, _) => panic!("{outer}, {inner}, {actuator}: {found:?}"),
        }
    }
}

/// A servo on a tendon is damped for the inertia that the tendon feels: `actuator_biasprm[0][2]` of MuJoCo 4.0.0.
#[test]
fn servos_on_tendons_feel_all_their_joints() {
    let text = "<compiler angle=\"radian\"/><worldbody><body><joint name=\"a\" axis=\"0 1 0\" ref=\"0.2\"/>\
        <geom type=\"capsule\" size=\"0.03 0.1\" mass=\"0.7\"/><body pos=\"0 0 -0.3\">\
        <joint name=\"b\" axis=\"0 1 0\" pos=\"0 0 .1\"/>\
        <geom type=\"capsule\" size=\"0.02 0.1\" pos=\"0.02 0 -0.1\" mass=\"0.4\"/></body></body></worldbody>\
        <tendon><fixed name=\"t\"><joint joint=\"a\" coef=\"0.5\"/><joint joint=\"b\" coef=\"-1.2\"/></fixed></tendon>\
        <actuator><position name=\"p\" tendon=\"t\" gear=\"3\" kp=\"9\" dampratio=\"0.7\"/></actuator>";
    let model = loaded(&mjcf(text)).model;
    let ForceKind::Actuator(law) = &model.forces[0].kind else { panic!("{:?}", model.forces) };
    assert!((law.damping / 0.035_673_748_588_614_54 - 1.0).abs() < 1e-12, "{}", law.damping);
}

/// `--hold`: a position servo of the file holds the start by its control, which its range bounds; a motor's joint gets a servo.
#[test]
fn hold_uses_the_servos_of_the_file() {
    let text = "<compiler angle=\"radian\"/><worldbody>\
        <body><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\" axis=\"0 1 0\" range=\"0.2 2\" ref=\"0.1\"/>\
        <body><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"k\" axis=\"0 1 0\"/></body></body></worldbody>\
        <actuator><position name=\"p\" joint=\"j\" kp=\"40\" gear=\"3\"/><motor name=\"m\" joint=\"k\"/></actuator>";
    let model = toml(&mjcf_with(text, &Options { hold: true, ..Options::default() }));
    // The start is at the limit, 0.2 in MuJoCo's coordinate: control = gear · 0.2.
    assert_near(&model, "force.p.control", &[0.6]);
    assert!(!has(&model, "joint.j.servo") && has(&model, "joint.k.servo") && !has(&model, "force.m.control"));
}

/// A motor, a position and a velocity servo on a ball joint, whose length is a component of its rotation vector: `qfrc_actuator` and
/// `actuator_biasprm[1][2]` of MuJoCo 4.0.0 at the keyframe.
#[test]
fn actuators_turn_balls_as_in_mujoco() {
    let text = |actuators: &str| {
        mjcf_with(
            &format!(
                "<compiler angle=\"radian\"/><worldbody><body pos=\"0 0 1\"><joint name=\"j\" axis=\"0 1 0\"/>\
                 <geom type=\"capsule\" size=\"0.03 0.1\" mass=\"0.7\"/>\
                 <body name=\"b\" pos=\"0 0 -0.3\" quat=\"0.8 0.36 0 0.48\"><joint name=\"ball\" type=\"ball\" pos=\"0.02 0 0.1\"/>\
                 <geom type=\"box\" size=\"0.02 0.05 0.1\" pos=\"0.02 0 -0.1\" mass=\"0.4\"/></body></body></worldbody>\
                 <actuator>{actuators}</actuator><keyframe><key name=\"start\" qpos=\"0.3 0.8 0.36 -0.48 0\" \
                 qvel=\"0.4 0.7 -1.1 0.5\" ctrl=\"0.9 0.2 -0.6\"/></keyframe>"
            ),
            &started(),
        )
    };
    let import = text(
        "<motor name=\"m\" joint=\"ball\" gear=\"0.3 0 -0.2\"/>\
         <position name=\"p\" joint=\"ball\" gear=\"0.5 -1.2 0.7\" kp=\"9\" dampratio=\"0.7\"/>\
         <velocity name=\"v\" joint=\"ball\" kv=\"0.4\"/>",
    );
    assert_eq!(codes(&import), [] as [&str; 0]);
    let model = loaded(&import).model;
    let ForceKind::Actuator(law) = &model.forces[1].kind else { panic!("{:?}", model.forces) };
    // Of one joint after another, by factors of M.
    assert!((law.damping / 0.111_223_872_914_017_39 - 1.0).abs() < 1e-12, "{}", law.damping);
    let system = System::compile(&model).unwrap();
    let dynamics = Dynamics::new(&system);
    let drives = dynamics.bias_forces(Loads::Gravity) - dynamics.bias_forces(Loads::All);
    let want = [0.0, -6.759_638_685_359_002, 15.623_132_844_861_606, -9.293_494_159_502_604];
    let off = drives.iter().zip(want).map(|(found, want)| (found - want).abs()).fold(0.0, f64::max);
    assert!(drives.len() == 4 && off < 1e-12, "{drives}");
    let in_parent = text("<motor jointinparent=\"ball\"/><motor joint=\"j\"/><motor joint=\"j\"/>");
    assert!(codes(&in_parent).contains(&"W0801"));
    assert_eq!(loaded(&in_parent).model.forces.len(), 2);
}

/// `--hold` of a ball's servo: where it starts it exerts nothing.
#[test]
fn hold_leaves_servos_of_balls() {
    let text = "<worldbody><body><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1 1 1\"/><joint name=\"j\" type=\"ball\"/></body>\
        </worldbody><actuator><position name=\"p\" joint=\"j\" kp=\"40\" gear=\"3\"/></actuator>";
    let model = toml(&mjcf_with(text, &Options { hold: true, ..Options::default() }));
    assert!(has(&model, "force.p.terms") && !has(&model, "force.p.control"));
    // A bias of 5 N m takes 40 u = -5 N m, whatever it acts along; a motor holds nothing.
    let own = "<general joint=\"j\" gainprm=\"40\" biastype=\"affine\" biasprm=\"5 -40 -1\" gear=\"1 2 0\"/>";
    let hold = |own: &str| {
        let text = text.replace("<position name=\"p\" joint=\"j\" kp=\"40\" gear=\"3\"/>", own);
        mjcf_with(&text, &Options { hold: true, ..Options::default() })
    };
    let model = toml(&hold(&own.replace("<general", "<general name=\"p\"")));
    assert_near(&model, "force.p.control", &[-0.125]);
    assert!(!codes(&hold(own)).contains(&"W0801"));
    assert!(codes(&hold("<motor joint=\"j\"/>")).contains(&"W0801"));
}
