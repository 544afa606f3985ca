//! `connect` and `weld` of MJCF that hold two sites together, and equalities that are not active.

use carom_engine::analysis::Dynamics;
use carom_engine::{Recorder, Simulation, System};
use carom_io::import::{Import, Options};
use carom_math::{Pose, Quaternion, Vec3};

use crate::import_kit::*;

struct Nothing;

impl Recorder for Nothing {}

fn without_floor(text: &str) -> Import {
    mjcf_with(text, &Options { floor: false, ..Options::default() })
}

/// First coordinates of some joints after 0.3 s.
fn motion(import: &Import, joints: &[&str]) -> Vec<f64> {
    assert!(codes(import).is_empty(), "{:?}", import.problems);
    let mut model = loaded(import).model;
    model.solver.rtol = 1e-11;
    let system = System::compile(&model).unwrap();
    let mut run = Simulation::new(&system);
    run.advance_to(0.3, &mut Nothing).unwrap();
    let mut dynamics = Dynamics::new(&system);
    dynamics.set_state(0.3, run.state());
    let number = |name: &str| model.joints.iter().position(|joint| joint.name == name).unwrap();
    joints.iter().map(|name| dynamics.joint_position(number(name)).unwrap()[0]).collect()
}

const GEOM: &str = "contype=\"0\" conaffinity=\"0\"";

/// A crank, a coupler and a rocker, whose pin is where two sites are, one within a frame. `MuJoCo` 4.0.0's RK4 with steps of 5 and 20 µs and
/// `solref` of 25 and 100 µs agrees with itself to 2e-9 rad.
#[test]
fn a_loop_that_sites_close_moves_as_in_mujoco() {
    let bar = |ends: &str, mass: &str| {
        format!("<geom type=\"capsule\" fromto=\"{ends}\" size=\"0.01\" mass=\"{mass}\" {GEOM}/>")
    };
    let import = without_floor(&format!(
        "<worldbody><body name=\"crank\" pos=\"0 0 1\"><joint name=\"c\" axis=\"0 1 0\"/>{}\
           <body name=\"coupler\" pos=\"0.1 0 0\"><joint name=\"p\" axis=\"0 1 0\"/>{}<site name=\"tip\" pos=\"0.3 0 0.05\"/></body></body>\
         <body name=\"rocker\" pos=\"0.4 0 0.85\"><joint name=\"r\" axis=\"0 1 0\"/>{}\
           <frame pos=\"0 0 0.1\"><site name=\"eye\" pos=\"0 0 0.1\"/></frame></body></worldbody>\
         <equality><connect name=\"pin\" site1=\"tip\" site2=\"eye\"/></equality>",
        bar("0 0 0 0.1 0 0", "0.2"),
        bar("0 0 0 0.3 0 0.05", "0.5"),
        bar("0 0 0 0 0 0.2", "0.3"),
    ));
    let found = motion(&import, &["c", "p", "r"]);
    let wanted = [2.694_888_451, -2.235_285_438, -1.477_992_273];
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() < 2e-8, "{found:?}");
    }
}

/// An arm with a swinging part that holds a free block, of which the sites' frames become one.
fn grasp(block: &str, equality: &str) -> Import {
    without_floor(&format!(
        "<compiler angle=\"degree\"/><worldbody>\
         <body name=\"arm\" pos=\"0 0 1\"><joint name=\"a\" axis=\"0 1 0\"/>\
           <geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.01\" mass=\"0.2\" {GEOM}/>\
           <site name=\"hand\" pos=\"0.3 0 0.02\" euler=\"0 30 0\"/>\
           <body name=\"twist\" pos=\"0.1 0 0\"><joint name=\"t\" axis=\"1 0 0\"/>\
             <geom type=\"box\" size=\"0.02 0.05 0.03\" pos=\"0 0.1 0\" mass=\"0.4\" {GEOM}/></body></body>\
         <body name=\"block\" {block}><freejoint name=\"f\"/>\
           <geom type=\"box\" size=\"0.03 0.04 0.05\" pos=\"0.05 0.02 0\" mass=\"0.6\" {GEOM}/>\
           <site name=\"grip\" pos=\"0.01 0.02 -0.05\" euler=\"10 0 20\"/></body></worldbody>\
         <equality>{equality}</equality>"
    ))
}

const WELD: &str = "<weld name=\"grasp\" site1=\"hand\" site2=\"grip\"/>";

/// `MuJoCo`'s motion as above (to 1e-10 rad), from the pose where it is closed.
#[test]
fn a_weld_of_sites_moves_as_in_mujoco() {
    let pose = "pos=\"0.3149564477365653 -0.006929334576383036 1.072233025888148\" \
                quat=\"0.943714364147489 -0.1276794406957807 0.2685358227515691 -0.1448781254173692\"";
    let found = motion(&grasp(pose, WELD), &["a", "t"]);
    for (a, b) in found.iter().zip([1.259_902_089_7, -2.330_717_866_6]) {
        assert!((a - b).abs() < 2e-8, "{found:?}");
    }
}

/// Sites that the file shows apart are together at the start: the pose of the block in the arm is that of one frame in the other, whose
/// angles are stated about axes that move along.
#[test]
fn sites_that_are_apart_in_the_file_are_welded_together() {
    let import = grasp("pos=\"0.35 0.01 1.1\"", WELD);
    let model = loaded(&import).model;
    let system = System::compile(&model).unwrap();
    let bodies = Dynamics::new(&system).bodies();
    let pose =
        |k: usize| Pose { rotation: bodies[k].orientation.to_matrix(), translation: bodies[k].position };
    let turn =
        |axis: Vec3, degrees: f64| Quaternion::from_axis_angle(&axis, degrees.to_radians()).to_matrix();
    let hand = Pose { rotation: turn(Vec3::y(), 30.0), translation: Vec3::new(0.3, 0.0, 0.02) };
    let grip = Pose {
        rotation: turn(Vec3::x(), 10.0) * turn(Vec3::z(), 20.0),
        translation: Vec3::new(0.01, 0.02, -0.05),
    };
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    let number = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let [a, b] = [pose(number("arm")).compose(&hand), pose(number("block")).compose(&grip)];
    assert!((a.translation - b.translation).amax() < 1e-9 && (a.rotation - b.rotation).amax() < 1e-9);
}

/// To what does not move, a weld gives: it pulls what the file shows apart, as `MuJoCo`'s does, and is not where that is.
#[test]
fn a_weld_of_sites_to_the_world_pulls_what_is_apart() {
    let scene = |equality: &str| {
        without_floor(&format!(
            "<worldbody><site name=\"hook\" pos=\"0 0 2\" euler=\"0 0 90\"/><body name=\"m\" pos=\"0 0 1.9\"><freejoint/>\
             <geom size=\"0.1\" mass=\"1\"/><site name=\"eye\"/></body></worldbody><equality>{equality}</equality>"
        ))
    };
    for sites in ["site1=\"hook\" site2=\"eye\"", "site1=\"eye\" site2=\"hook\""] {
        let import = scene(&format!("<weld name=\"w\" {sites}/>"));
        assert!(codes(&import).is_empty(), "{:?}", import.problems);
        let table = toml(&import);
        let (world, other) =
            if at(&table, "force.w.a.body").as_str() == Some("world") { ("a", "b") } else { ("b", "a") };
        assert_near(&table, &format!("force.w.{world}.at"), &[0.0, 0.0, 2.0]);
        assert!(!has(&table, &format!("force.w.{other}.at")));
        loaded(&import);
    }
}

#[test]
fn equalities_that_are_not_active_are_left_out_with_a_note() {
    for equality in [
        "<connect site1=\"hand\" site2=\"grip\" active=\"false\"/>",
        "<weld body1=\"arm\" body2=\"block\" active=\"false\"/>",
        "<flex flex=\"cloth\" active=\"false\"/>",
    ] {
        let import = grasp("", equality);
        assert!(codes(&import).is_empty(), "{:?}", import.problems);
        assert!(left_out(&import).iter().any(|note| note.starts_with("an equality that is not active")));
        assert!(!import.toml.contains("[constraint") && !import.toml.contains("cut ="));
    }
}

/// What `MuJoCo` refuses as well: one site alone, neither sites nor bodies, both.
#[test]
fn ends_that_say_too_little_or_too_much_are_refused() {
    for (equality, code, word) in [
        ("<connect site1=\"hand\"/>", "E0804", "one site alone"),
        ("<weld site2=\"grip\"/>", "E0804", "one site alone"),
        ("<connect/>", "E0804", "body1"),
        ("<weld/>", "E0804", "body1"),
        ("<connect body1=\"arm\"/>", "E0804", "anchor"),
        ("<connect site1=\"hand\" site2=\"grip\" anchor=\"0 0 0\"/>", "E0805", "anchor"),
        ("<weld site1=\"hand\" site2=\"grip\" body1=\"arm\"/>", "E0805", "body1"),
        ("<weld site1=\"hand\" site2=\"grab\"/>", "E0807", "grab"),
    ] {
        let import = grasp("", equality);
        assert_eq!(codes(&import), [code], "{equality}: {:?}", import.problems);
        assert!(import.problems[0].problem.message.contains(word), "{equality}: {:?}", import.problems);
    }
}
