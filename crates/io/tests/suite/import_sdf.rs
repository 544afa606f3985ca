//! SDF: what becomes of each of its parts, and numbers of Drake's parser.

use std::f64::consts::TAU;
use std::path::Path;

use carom_engine::analysis::{Dynamics, Loads};
use carom_io::import::{self, Base, Import, Options, robot_file};
use carom_io::{Overrides, load_str};
use toml::Table;

use crate::import_kit::*;

/// Rounding of other orders of the same products.
const CLOSE: f64 = 1e-12;

pub(crate) fn sdf(inner: &str) -> Import {
    let text = format!("<sdf version=\"1.9\">\n{inner}\n</sdf>\n");
    import::sdf(&text, Path::new("r.sdf"), &Options::default())
}

pub(crate) fn body(name: &str, more: &str) -> String {
    let inertia = "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>";
    format!("<link name=\"{name}\"><inertial><mass>1</mass>{inertia}</inertial>{more}</link>\n")
}

pub(crate) fn hinge(name: &str, parent: &str, child: &str, more: &str) -> String {
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
    for (file, is_single, least) in [("arm", true, 6), ("cell", false, 6), ("press", true, 4)] {
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
        assert!(seen >= least, "{seen}");
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
    assert_eq!(codes(&model(&body("a", "<kinematic>1</kinematic>"))), ["W0801"]);
    assert!(codes(&model(&body("a", "<sensor name=\"s\" type=\"imu\"/><gravity>1</gravity>"))).is_empty());
    let start = "<initial_position>0.4</initial_position>";
    assert_eq!(codes(&model(&(body("a", "") + &body("b", "") + &hinge("j", "a", "b", start)))), ["W0801"]);
    let state = "<world name=\"w\"><state><model name=\"m\"/></state><model name=\"m\">";
    assert_eq!(codes(&sdf(&format!("{state}{}</model></world>", body("a", "")))), ["W0801"]);
    // What Drake adds, whether its prefix is declared or not.
    let planar = "<drake:joint name=\"p\" type=\"planar\"><drake:parent>a</drake:parent></drake:joint>";
    assert_eq!(codes(&model(&(body("a", "") + planar))), ["E0812"]);
    let declared = format!("<model name=\"m\" xmlns:drake=\"drake\">{}{planar}</model>", body("a", ""));
    assert_eq!(codes(&sdf(&declared)), ["E0812"]);
    assert_eq!(codes(&model(&(body("a", "") + "<drake:linear_bushing_rpy/>"))), ["W0801"]);
    assert!(codes(&model(&(body("a", "") + "<drake:perception_properties/>"))).is_empty());
    // An empty `frame`, which Gazebo writes, is that of the model.
    assert!(codes(&model(&body("a", "<pose frame=\"\">0 0 1 0 0 0</pose>"))).is_empty());
    assert_eq!(codes(&model(&body("a", "<pose frame=\"b\">0 0 1 0 0 0</pose>"))), ["W0804"]);
    assert_eq!(codes(&sdf("")), ["E0804"]);
}

fn joint(kind: &str, more: &str) -> String {
    format!("<joint name=\"j\" type=\"{kind}\"><parent>a</parent><child>b</child>{more}</joint>")
}

#[test]
fn pitches_of_screws_are_leads() {
    let lead = |pitch: &str| {
        let screw = joint("screw", &format!("<axis><xyz>0 0 1</xyz></axis>{pitch}"));
        let import = model(&(body("a", "") + &body("b", "") + &screw));
        loaded(&import);
        at(&toml(&import), "joint.j.lead").as_float().unwrap()
    };
    // A metre for each revolution, unless the file says so; the older key has radians per metre, left-handed.
    for (pitch, want) in [
        ("", 1.0 / TAU),
        ("<screw_thread_pitch>-0.002</screw_thread_pitch>", -0.002 / TAU),
        ("<thread_pitch>-3141.6</thread_pitch>", 1.0 / 3141.6),
        ("<thread_pitch>-5</thread_pitch><screw_thread_pitch>0.1</screw_thread_pitch>", 0.1 / TAU),
    ] {
        near(&[lead(pitch)], &[want], CLOSE, pitch);
    }
    for still in ["<thread_pitch>0</thread_pitch>", "<screw_thread_pitch>0</screw_thread_pitch>"] {
        let still = joint("screw", &format!("<axis/>{still}"));
        assert_eq!(codes(&model(&(body("a", "") + &body("b", "") + &still))), ["E0805"]);
    }
}

/// What turns on a thread rises with it: against its weight m g times the lead, and with m times the lead squared for its inertia.
#[test]
fn servos_of_screws_hold_what_rises() {
    let pitch = 1.0;
    let screw = joint("screw", &format!("<axis/><screw_thread_pitch>{pitch}</screw_thread_pitch>"));
    let held = "<joint name=\"h\" type=\"fixed\"><parent>world</parent><child>a</child></joint>";
    let model = format!("<model name=\"m\">{}{}{held}{screw}</model>", body("a", ""), body("b", ""));
    let text = format!("<sdf version=\"1.9\">\n{model}\n</sdf>\n");
    let options = Options { hold: true, ..Options::default() };
    let held = toml(&import::sdf(&text, Path::new("r.sdf"), &options));
    let servo = |key: &str| at(&held, &format!("joint.j.servo.{key}")).as_float().unwrap();
    let lead = pitch / TAU;
    let (inertia, stiffness) = (0.1 + lead * lead, 9.81 * lead / 0.02);
    near(&[servo("stiffness")], &[stiffness], CLOSE, "stiffness");
    near(&[servo("damping")], &[2.0 * (stiffness * inertia).sqrt()], CLOSE, "damping");
}

/// θ₂ = -3 θ₁, with the signs of hinges that turn the other way, and those whose child is the reference body.
#[test]
fn a_gearbox_couples_two_hinges() {
    let links = body("base", "") + &body("a", "") + &body("b", "");
    let about = |name: &str, parent: &str, child: &str, z: i32| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent>{parent}</parent><child>{child}</child>\
             <axis><xyz>0 0 {z}</xyz></axis></joint>"
        )
    };
    let gears = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2><gearbox_ratio>3</gearbox_ratio>\
                 <gearbox_reference_body>base</gearbox_reference_body>";
    let held = hinge("held", "world", "base", "");
    let factors = |first: String, second: String| {
        let import = model(&(links.clone() + &held + &first + &second + &joint("gearbox", gears)));
        loaded(&import);
        let terms = at(&toml(&import), "constraint.j.terms").clone();
        let factor = |name: &str| {
            let of = |term: &&toml::Value| term["joint"].as_str() == Some(name);
            let term = terms.as_array().unwrap().iter().find(of).unwrap();
            term.get("factor").map_or(1.0, |f| f.as_float().or(f.as_integer().map(|n| n as f64)).unwrap())
        };
        (factor("x"), factor("y"))
    };
    assert_eq!(factors(about("x", "base", "a", 1), about("y", "base", "b", 1)), (3.0, 1.0));
    assert_eq!(factors(about("x", "base", "a", -1), about("y", "base", "b", 1)), (-3.0, 1.0));
    assert_eq!(factors(about("x", "base", "a", 1), about("y", "b", "base", 1)), (3.0, -1.0));
    let locked = joint("gearbox", &gears.replace(">3<", ">0<"));
    let whole = links.clone() + &held + &about("x", "base", "a", 1) + &about("y", "base", "b", 1) + &locked;
    assert_eq!(codes(&model(&whole)), ["E0805"]);
    // Without such hinges there is nothing to couple.
    let alone = model(&(links.clone() + &held + &about("x", "base", "a", 1) + &joint("gearbox", gears)));
    assert_eq!(codes(&alone), ["E0812"]);
}

#[test]
fn collisions_weigh_what_their_volumes_do() {
    let cube = |more: &str| {
        format!(
            "<collision name=\"c\"><pose>0.5 0 0 0 0 0</pose>{more}<geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>"
        )
    };
    let link = |inertial: &str, shapes: &str| {
        model(&format!("<link name=\"a\"><inertial auto=\"true\">{inertial}</inertial>{shapes}</link>"))
    };
    let inertia = |import: &Import| {
        let loaded = loaded(import);
        let a = loaded.model.bodies.iter().find(|b| b.name == "a").unwrap();
        [a.mass, a.com.x, a.inertia[(0, 0)], a.inertia[(1, 1)], a.inertia[(2, 2)]]
    };
    // Of 0.006 m³: m (b² + c²)/12 about each axis through the middle.
    let of = |m: f64| [m, 0.5, m * 0.13 / 12.0, m * 0.1 / 12.0, m * 0.05 / 12.0];
    for (inertial, more, mass) in [
        ("", "", 6.0),
        ("<density>500</density>", "", 3.0),
        ("<density>500</density>", "<density>2000</density>", 12.0),
        ("<mass>0.7</mass>", "<density>2000</density>", 0.7),
    ] {
        near(&inertia(&link(inertial, &cube(more))), &of(mass), CLOSE, inertial);
    }
    let cone = "<collision name=\"k\"><geometry><cone><radius>1</radius><length>1</length></cone></geometry></collision>";
    let mesh = "<collision name=\"m\"><geometry><mesh><uri>m.stl</uri></mesh></geometry></collision>";
    for (inertial, shapes, want) in [
        ("", String::new(), "E0812"),
        ("<density>-1</density>", cube(""), "E0311"),
        ("", mesh.to_owned(), "E0812"),
        // Without it the box would have the mass of both.
        ("<mass>2</mass>", cube("") + cone, "E0812"),
    ] {
        assert!(codes(&link(inertial, &shapes)).contains(&want), "{inertial} {shapes}");
    }
}

#[test]
fn shapes_stand_in_the_frames_that_they_name() {
    let shape = "<collision name=\"c\"><pose relative_to=\"f\">0 0.25 0 0 0 0</pose>\
        <geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";
    let frame = "<frame name=\"f\"><pose>1 0 2 0 0 1.5707963267948966</pose></frame>";
    let import = model(&(body("a", &format!("<pose>0.5 0 0 0 0 0</pose>{shape}")) + frame));
    let text = toml(&import);
    let place: Vec<f64> = numbers(&text, "body.a.shape.at");
    near(&place, &[0.25, 0.0, 2.0], CLOSE, "(1, 0, 2) - 0.25 x - (0.5, 0, 0)");
    let lost = model(&body("a", &shape.replace("\"f\"", "\"g\"")));
    assert_eq!(codes(&lost), ["E0807"]);
}

#[test]
fn a_link_without_gravity_is_borne() {
    let import = model(&body("a", "<gravity>false</gravity>"));
    let text = toml(&import);
    near(&numbers(&text, "force.a_gravity.force"), &[0.0, 0.0, 9.81], CLOSE, "1 kg");
    assert!(choices(&import).contains("constant force"), "{}", choices(&import));
    loaded(&import);
}

#[test]
fn worlds_have_the_gravity_of_the_format() {
    let import = sdf(&format!("<world name=\"w\"><model name=\"m\">{}</model></world>", body("a", "")));
    assert!(import.toml.contains("gravity = [0, 0, -9.8]"), "{}", import.toml);
    assert!(model(&body("a", "")).toml.contains("gravity = [0, 0, -9.81]"));
}

#[test]
fn infinite_limits_are_none() {
    let limit =
        "<limit><lower>-inf</lower><upper>inf</upper><effort>inf</effort><velocity>inf</velocity></limit>";
    let import = model(&(body("a", "") + &body("b", "") + &hinge("j", "a", "b", limit)));
    let text = toml(&import);
    assert!(!has(&text, "joint.j.limit") && !has(&text, "joint.j.rating"), "{}", import.toml);
}

/// I N²; a joint whose effort is limited to 0 has no drive, and no rotor.
#[test]
fn rotors_behind_gears_are_armature() {
    let inertia = |limit: &str| {
        let rotor = format!(
            "<axis>{limit}</axis><drake:rotor_inertia>0.002</drake:rotor_inertia><drake:gear_ratio>7</drake:gear_ratio>"
        );
        let import = model(&(body("a", "") + &body("b", "") + &joint("revolute", &rotor)));
        assert!(codes(&import).is_empty(), "{:?}", codes(&import));
        toml(&import)["joint"]["j"].get("armature").map(|a| a["inertia"].as_float().unwrap())
    };
    near(&[inertia("").unwrap()], &[0.002 * 49.0], CLOSE, "I N^2");
    assert_eq!(inertia("<limit><effort>0</effort></limit>"), None);
}

#[test]
fn a_damped_ball_has_a_bushing() {
    let damped = "<axis><dynamics><damping>0.2</damping></dynamics></axis>";
    let import = model(&(body("a", "") + &body("b", "") + &joint("ball", damped)));
    let text = toml(&import);
    let bushing = at(&text, "force.j_damper").to_string();
    assert!(bushing.contains("bushing") && bushing.contains("0.2"), "{bushing}");
    loaded(&import);
}

/// Of two surfaces the less counts, as in Gazebo, whose own ground has 100; one that states none has 1.
#[test]
fn the_lesser_friction_counts() {
    let surface = |mu: &str| match mu {
        "" => String::new(),
        mu => format!("<surface><friction><ode><mu>{mu}</mu><mu2>{mu}</mu2></ode></friction></surface>"),
    };
    let friction = |ground: &str, ball: &str| {
        let plane = format!(
            "<model name=\"ground\"><static>1</static><link name=\"l\"><collision name=\"c\">\
             <geometry><plane/></geometry>{}</collision></link></model>",
            surface(ground)
        );
        let round = format!(
            "<pose>0 0 1 0 0 0</pose><collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry>{}</collision>",
            surface(ball)
        );
        let import =
            sdf(&format!("<world name=\"w\">{plane}<model name=\"m\">{}</model></world>", body("a", &round)));
        assert!(codes(&import).is_empty(), "{:?}", codes(&import));
        numbers(&toml(&import), "law.floor.mu")
    };
    for (ground, ball, want) in [("100", "", 1.0), ("100", "0", 0.0), ("0.3", "0.5", 0.3), ("", "", 1.0)] {
        assert_eq!(friction(ground, ball), [want], "{ground} {ball}");
    }
    // Another friction across is told.
    let across = "<collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry>\
        <surface><friction><ode><mu>0.5</mu><mu2>0.1</mu2></ode></friction></surface></collision>";
    assert_eq!(codes(&model(&body("a", across))), ["W0801"]);
}
