//! SDF: what becomes of each of its parts, and numbers of Drake's parser.

use std::path::Path;

use carom_engine::analysis::{Dynamics, Loads};
use carom_io::import::{self, Base, Import, Options, robot_file};
use carom_io::{Overrides, load_str};
use toml::Table;

use crate::import_kit::*;

/// Rounding of other orders of the same products.
const CLOSE: f64 = 1e-12;

fn sdf(inner: &str) -> Import {
    let text = format!("<sdf version=\"1.9\">\n{inner}\n</sdf>\n");
    import::sdf(&text, Path::new("r.sdf"), &Options::default())
}

fn body(name: &str, more: &str) -> String {
    let inertia = "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>";
    format!("<link name=\"{name}\"><inertial><mass>1</mass>{inertia}</inertial>{more}</link>\n")
}

fn hinge(name: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"revolute\"><parent>{parent}</parent><child>{child}</child>\
         <axis><xyz>0 0 1</xyz>{more}</axis></joint>\n"
    )
}

fn model(inner: &str) -> Import {
    sdf(&format!("<model name=\"m\">{inner}</model>"))
}

/// `arm::beam` of `machine` is `machine__arm__beam`; the name of a model that is alone is left out.
fn own_name(whole: &str, is_single: bool) -> String {
    let name = if is_single { whole.split_once("::").unwrap().1 } else { whole };
    name.replace(':', "_")
}

/// Poses, masses, M and h at a state, as tests/python/drake_sdf.py wrote them.
#[test]
fn models_are_those_of_drakes_parser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/sdf");
    let drake: Table = std::fs::read_to_string(folder.join("drake.toml")).unwrap().parse().unwrap();
    for (file, is_single) in [("arm", true), ("cell", false)] {
        let want = drake[file].as_table().unwrap();
        let options = Options { base: Base::Fixed, floor: false, ..Options::default() };
        let import = robot_file(&folder.join(format!("{file}.sdf")), &options).unwrap();
        toml(&import);
        let loaded = load_str("r.toml", &import.toml, &folder, &Overrides::default()).unwrap();
        let mut dynamics = Dynamics::new(&loaded.system);
        let bodies = dynamics.bodies();
        let find = |name: &str| loaded.model.bodies.iter().position(|b| b.name == name);
        let mut seen = 0;
        for (whole, pose) in want["pose"].as_table().unwrap() {
            let pose: Vec<f64> = pose.as_array().unwrap().iter().map(|x| x.as_float().unwrap()).collect();
            let Some(k) = find(&own_name(whole, is_single)) else { continue };
            seen += 1;
            let rotation = bodies[k].orientation.to_matrix().transpose();
            let found: Vec<f64> = bodies[k].position.iter().chain(rotation.iter()).copied().collect();
            near(&found, &pose, CLOSE, whole);
            if !loaded.model.bodies[k].fixed {
                near(&[loaded.model.bodies[k].mass], &[want["mass"][whole].as_float().unwrap()], 0.0, whole);
            }
        }
        assert!(seen >= 6, "{seen}");
        let list = |key: &str| -> Vec<f64> {
            want[key].as_array().unwrap().iter().map(|x| x.as_float().unwrap()).collect()
        };
        let (q, v) = (list("q"), list("v"));
        let mut state = dynamics.state().to_vec();
        let (mut rows, mut next) = (Vec::new(), 0);
        for whole in want["joints"].as_array().unwrap() {
            // Drake puts a joint into the model of its child, SDF into that which it is written in.
            let name = whole.as_str().unwrap();
            let is_it = |other: &str| other == name || other.ends_with(&format!("__{name}"));
            let found = loaded.model.joints.iter().position(|j| is_it(&j.name));
            let joint = found.unwrap_or_else(|| panic!("{name}"));
            let count = loaded.model.joints[joint].kind.axes().len();
            assert!(dynamics.write_joint(&mut state, joint, &q[next..next + count], &v[next..next + count]));
            rows.extend(
                (0..dynamics.freedoms().len()).filter(|&k| dynamics.freedoms()[k].joint == Some(joint)),
            );
            next += count;
        }
        dynamics.set_state(0.0, &state);
        let (mass, bias) = (dynamics.mass_matrix(), dynamics.bias_forces(Loads::Gravity));
        let found: Vec<f64> =
            rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j))).map(|at| mass[at]).collect();
        near(&found, &list("mass_matrix"), CLOSE, file);
        near(&rows.iter().map(|&i| bias[i]).collect::<Vec<_>>(), &list("bias"), CLOSE, file);
    }
}

#[track_caller]
fn near(found: &[f64], want: &[f64], share: f64, what: &str) {
    assert_eq!(found.len(), want.len(), "{what}");
    let scale = want.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let worst = found.iter().zip(want).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    assert!(worst <= share * scale, "{what}: {worst:e} of {scale}\n{found:?}\n{want:?}");
}

#[test]
fn what_is_not_stated_is_what_the_format_says() {
    let import = model("<link name=\"a\"/>");
    let text = toml(&import);
    assert_near(&text, "body.a.mass", &[1.0]);
    assert_near(&text, "body.a.inertia", &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(choices(&import).contains("1 kg"), "{}", choices(&import));
}

#[test]
fn limits_springs_damping_friction_and_gravity() {
    let more = "<limit><lower>-0.4</lower><upper>1e16</upper><velocity>3</velocity></limit>\
        <dynamics><damping>0.2</damping><friction>0.1</friction><spring_stiffness>7</spring_stiffness>\
        <spring_reference>0.3</spring_reference></dynamics>";
    let inner = body("a", "") + &body("b", "<pose>0 0 1 0 0 0</pose>") + &hinge("j", "a", "b", more);
    let import = sdf(&format!(
        "<world name=\"w\"><gravity>0 0 -1.62</gravity><model name=\"m\">{inner}</model></world>"
    ));
    let text = toml(&import);
    assert!(import.toml.contains("gravity = [0, 0, -1.62]"), "{}", import.toml);
    let joint = at(&text, "joint.j").to_string();
    for part in ["-0.4", "0.2", "0.1", "7", "0.3", "speed = 3"] {
        assert!(joint.contains(part), "{part} in {joint}");
    }
    loaded(&import);
}

#[test]
fn joints_turn_round_and_close_loops() {
    let links =
        body("a", "") + &body("b", "<pose>1 0 0 0 0 0</pose>") + &body("c", "<pose>0 1 0 0 0 0</pose>");
    let joints = hinge("held", "world", "a", "") + &hinge("round", "b", "a", "") + &hinge("x", "b", "c", "");
    let import = model(&(links.clone() + &joints));
    assert!(choices(&import).contains("turned round"), "{}", choices(&import));
    assert!(!import.toml.contains("cut = true"));
    let closed = model(&(links + &joints + &hinge("loop", "c", "a", "")));
    assert!(closed.toml.contains("cut = true"), "{}", closed.toml);
    loaded(&closed);
}

#[test]
fn a_mimicking_joint_is_a_coupling() {
    let follow =
        "<mimic joint=\"x\"><multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic>";
    let links = body("a", "") + &body("b", "") + &body("c", "");
    let import = model(&(links + &hinge("x", "a", "b", "") + &hinge("y", "a", "c", follow)));
    let text = toml(&import);
    // q = 2 (x - 0.3) + 0.1 = 2 x - 0.5, and it starts there.
    let coupling = at(&text, "constraint.y").to_string();
    assert!(coupling.contains("-2") && coupling.contains("-0.5"), "{coupling}");
    loaded(&import);
}

#[test]
fn a_folder_of_a_model_names_its_newest_file() {
    let folder = std::env::temp_dir().join("carom-import-sdf");
    let inside = folder.join("hand");
    std::fs::create_dir_all(&inside).unwrap();
    let config = "<model><sdf version=\"1.4\">old.sdf</sdf><sdf version=\"1.10\">new.sdf</sdf></model>";
    std::fs::write(inside.join("model.config"), config).unwrap();
    std::fs::write(inside.join("old.sdf"), "<sdf version=\"1.4\"/>").unwrap();
    let new = format!("<sdf version=\"1.10\"><model name=\"hand\">{}</model></sdf>", body("palm", ""));
    std::fs::write(inside.join("new.sdf"), new).unwrap();
    let main = folder.join("r.sdf");
    let include = "<include><uri>model://hand</uri><name>left</name></include><include><uri>model://hand</uri><name>right</name></include>";
    std::fs::write(&main, format!("<sdf version=\"1.9\"><model name=\"m\">{include}</model></sdf>")).unwrap();
    let import = robot_file(&main, &Options::default()).unwrap();
    let text = toml(&import);
    assert!(has(&text, "body.left__palm") && has(&text, "body.right__palm"), "{}", import.toml);
    std::fs::write(
        &main,
        "<sdf version=\"1.9\"><model name=\"m\"><include><uri>r.sdf</uri></include></model></sdf>",
    )
    .unwrap();
    assert!(codes(&robot_file(&main, &Options::default()).unwrap()).contains(&"E0205"));
}

#[test]
fn all_mistakes_come_at_once() {
    let links = body("a", "<pose relative_to=\"nowhere\">0 0 0 0 0 0</pose>")
        + &body(
            "b",
            "<collision name=\"c\"><geometry><sphere><radius>-1</radius></sphere></geometry></collision>",
        )
        + "<link name=\"c\"><inertial><mass>-2</mass></inertial></link>"
        + &body("a", "");
    let joints = hinge("j", "a", "none", "")
        + "<joint name=\"k\" type=\"hinge\"><parent>a</parent><child>b</child></joint>"
        + &hinge("l", "a", "c", "<limit><lower>1</lower><upper>-1</upper></limit>")
        + &hinge("n", "a", "b", "<dynamics><damping>much</damping></dynamics>");
    let loops = "<frame name=\"p\"><pose relative_to=\"q\"/></frame><frame name=\"q\"><pose relative_to=\"p\"/></frame>";
    let import = model(&(links + &joints + loops));
    let mut found = codes(&import);
    found.sort_unstable();
    assert_eq!(found, ["E0311", "E0314", "E0805", "E0805", "E0806", "E0807", "E0807", "E0808", "E0810"]);
    assert!(import.problems.iter().all(|p| p.location.is_some()));
}

#[test]
fn what_is_not_read_is_told() {
    let moved = "<collision name=\"c\"><geometry><heightmap><uri>x</uri></heightmap></geometry></collision>";
    assert_eq!(codes(&model(&body("a", moved))), ["W0801"]);
    assert_eq!(codes(&model(&body("a", "<inertal/>"))), ["W0804"]);
    assert_eq!(codes(&model(&body("a", "<gravity>0</gravity>"))), ["W0801"]);
    assert!(codes(&model(&body("a", "<sensor name=\"s\" type=\"imu\"/><gravity>1</gravity>"))).is_empty());
    let screw = "<joint name=\"j\" type=\"screw\"><parent>a</parent><child>b</child></joint>";
    assert_eq!(codes(&model(&(body("a", "") + &body("b", "") + screw))), ["E0812"]);
    assert_eq!(codes(&sdf("")), ["E0804"]);
}
