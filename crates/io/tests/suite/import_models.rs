//! SDF: which links of which models touch each other, and which link carries the frames of a model.

use std::collections::BTreeSet;
use std::path::Path;

use carom_io::import::{self, Import, Options, SelfContact};

use crate::import_kit::*;
use crate::import_sdf::{body, hinge, sdf};

/// Names of bodies whose shapes may touch.
fn pairs(import: &Import) -> BTreeSet<[String; 2]> {
    let model = loaded(import).model;
    let ordered = |mut names: [String; 2]| {
        names.sort();
        names
    };
    let name = |body: usize| model.bodies[body].name.clone();
    model.pairs.iter().map(|p| ordered([name(p.a.body), name(p.b.body)])).collect()
}

fn wanted<const N: usize>(pairs: [[&str; 2]; N]) -> BTreeSet<[String; 2]> {
    pairs.map(|pair| pair.map(str::to_owned)).into()
}

/// A link with a ball at a height.
fn ball(name: &str, z: f64, more: &str) -> String {
    let sphere =
        "<collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";
    body(name, &format!("<pose>0 0 {z} 0 0 0</pose>{sphere}{more}"))
}

const GROUND: &str = "<model name=\"ground\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><plane/>\
    </geometry></collision></link></model>";
const TABLE: &str = "<model name=\"table\"><static>true</static><pose>0 0 0.5 0 0 0</pose><link name=\"l\"><collision name=\"c\">\
    <geometry><box><size>1 1 0.1</size></box></geometry></collision></link></model>";

fn with(text: &str, self_contact: SelfContact) -> Import {
    let text = format!("<sdf version=\"1.9\">{text}</sdf>");
    import::sdf(&text, Path::new("r.sdf"), &Options { self_contact, ..Options::default() })
}

/// Gazebo and Drake let things of a world touch each other: a can stands on the table, not in it.
#[test]
fn models_of_a_world_touch_each_other() {
    let can = format!("<model name=\"can\">{}</model>", ball("l", 0.7, ""));
    let cup = format!("<model name=\"cup\">{}</model>", ball("l", 1.0, ""));
    let text = format!("<world name=\"w\">{GROUND}{TABLE}{can}{cup}</world>");
    let import = sdf(&text);
    assert!(codes(&import).is_empty(), "{:?}", codes(&import));
    let floors = [["can__l", "ground__l"], ["cup__l", "ground__l"]];
    let [can, cup] = floors;
    let others = [["can__l", "table__l"], ["cup__l", "table__l"], ["can__l", "cup__l"]];
    assert_eq!(pairs(&import), wanted([can, cup, others[0], others[1], others[2]]));
    assert!(!choices(&import).contains("do not touch"), "{}", choices(&import));
    assert_eq!(pairs(&with(&text, SelfContact::None)), wanted(floors));
}

/// Of the format: two links of a model collide if either has `self_collide`, its own or that of its model; those that a joint connects
/// never do, not even where the joint closes a loop.
#[test]
fn links_of_one_model_touch_where_it_says_so() {
    let loop_of = |links: String, flag: &str| {
        let joints = hinge("ab", "a", "b", "") + &hinge("bc", "b", "c", "") + &hinge("cd", "c", "d", "");
        sdf(&format!("<model name=\"m\">{flag}{links}{joints}{}</model>", hinge("da", "d", "a", "")))
    };
    let on = "<self_collide>true</self_collide>";
    let off = "<self_collide>false</self_collide>";
    let chain = |more: [&str; 4]| -> String {
        ["a", "b", "c", "d"]
            .iter()
            .zip(more)
            .zip([1.0, 2.0, 3.0, 4.0])
            .map(|((l, more), z)| ball(l, z, more))
            .collect()
    };
    let across = |import: &Import| -> Vec<[String; 2]> {
        pairs(import).into_iter().filter(|pair| pair.iter().all(|name| name != "floor")).collect()
    };
    let none = loop_of(chain([""; 4]), "");
    assert_eq!(across(&none), [[""; 2]; 0]);
    let told = "links of one model do not touch each other (2 pairs of shapes)";
    assert!(choices(&none).contains(told), "{}", choices(&none));
    assert_eq!(across(&loop_of(chain([""; 4]), on)), [["a", "c"], ["b", "d"]]);
    // One link of its own will, against what its model says.
    assert_eq!(across(&loop_of(chain([on, "", "", ""]), "")), [["a", "c"]]);
    assert_eq!(across(&loop_of(chain([off, "", off, ""]), on)), [["b", "d"]]);
}

/// A gripper on an arm is one mechanism with it, a thing that is merely nested in a model is none.
#[test]
fn models_that_a_joint_connects_are_one() {
    let nested = |joint: &str| {
        let inner = format!("<model name=\"n\">{}</model>", ball("c", 3.0, ""));
        let links = ball("a", 1.0, "") + &ball("b", 2.0, "") + &hinge("ab", "a", "b", "");
        sdf(&format!("<model name=\"m\">{links}{inner}{joint}</model>"))
    };
    let touch = |import: &Import| pairs(import).iter().filter(|p| !p.contains(&"floor".to_owned())).count();
    assert_eq!(touch(&nested("")), 2);
    assert_eq!(touch(&nested(&hinge("bc", "b", "n::c", ""))), 0);
}

/// Frames of a merged model are attached to its own canonical link (libsdformat: `_merged__grip__model__`), not to that of the
/// model that it is merged into.
#[test]
fn frames_of_a_merged_model_are_on_its_own_link() {
    let folder = std::env::temp_dir().join("carom-import-merged");
    std::fs::create_dir_all(&folder).unwrap();
    let grip = format!(
        "<sdf version=\"1.9\"><model name=\"grip\">{}<frame name=\"tip\"><pose>0 0 0.1 0 0 0</pose></frame></model></sdf>",
        body("palm", "")
    );
    std::fs::write(folder.join("grip.sdf"), grip).unwrap();
    let text = format!(
        "<sdf version=\"1.9\"><model name=\"arm\">{}<include merge=\"true\"><uri>grip.sdf</uri></include>{}{}{}</model></sdf>",
        body("base", ""),
        body("obj", ""),
        hinge("j1", "base", "palm", ""),
        hinge("j2", "tip", "obj", "")
    );
    let import = import::sdf(&text, &folder.join("arm.sdf"), &Options::default());
    assert_eq!(at(&toml(&import), "joint.j2.a.body").as_str(), Some("palm"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The first link that is the model's own; that of its first nested model only where it has none.
#[test]
fn the_canonical_link_is_a_models_own_first() {
    let holder = |inside: &str| {
        let import = sdf(&format!(
            "<model name=\"m\"><model name=\"n\">{inside}</model>{}{}{}</model>",
            body("w", ""),
            "<joint name=\"f\" type=\"fixed\"><parent>world</parent><child>w</child></joint>",
            hinge("j", "w", "n", "")
        ));
        at(&toml(&import), "joint.j.b.body").as_str().map(str::to_owned).unwrap()
    };
    let inner = format!("<model name=\"k\">{}</model>", body("inner", ""));
    assert_eq!(holder(&format!("{inner}{}", body("own", ""))), "n__own");
    assert_eq!(holder(&inner), "n__k__inner");
}

/// Each of these is refused by libsdformat, or leaves a joint no place to be.
#[test]
fn what_names_nothing_or_names_twice_is_told() {
    let frame = |to: &str, pose: &str| {
        sdf(&format!(
            "<model name=\"m\">{}<frame name=\"f\" attached_to=\"{to}\">{pose}</frame></model>",
            body("a", "")
        ))
    };
    assert_eq!(codes(&frame("a", "")), [""; 0]);
    for pose in ["", "<pose relative_to=\"a\">0 0 1 0 0 0</pose>"] {
        let import = frame("nonsense", pose);
        assert_eq!(codes(&import), ["E0807"]);
        assert_eq!(import.problems[0].location.as_ref().unwrap().text, "nonsense");
    }
    let twice =
        "<collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"
            .repeat(2);
    assert_eq!(codes(&sdf(&format!("<model name=\"m\">{}</model>", body("a", &twice)))), ["E0806"]);
    let limited = |limit: &str| {
        let joint = hinge("j", "a", "b", &format!("<limit>{limit}</limit>"));
        codes(&sdf(&format!("<model name=\"m\">{}{}{joint}</model>", body("a", ""), body("b", ""))))
    };
    assert_eq!(limited("<lower>-inf</lower><upper>inf</upper>"), [""; 0]);
    for wrong in [
        "<lower>inf</lower>",
        "<lower>1e16</lower><upper>inf</upper>",
        "<lower>-1</lower><upper>-inf</upper>",
    ] {
        assert_eq!(limited(wrong), ["E0810"], "{wrong}");
    }
}

/// What a plugin does is not known from here, but for those of every world.
#[test]
fn plugins_that_may_move_things_are_told() {
    let world = |file: &str| {
        let plugin = format!("<plugin filename=\"{file}\" name=\"p\"><x>1</x></plugin>");
        codes(&sdf(&format!("<world name=\"w\">{plugin}<model name=\"m\">{}</model></world>", body("a", ""))))
    };
    assert_eq!(world("gz-sim-physics-system"), [""; 0]);
    assert_eq!(world("libgazebo_ros_camera.so"), [""; 0]);
    assert_eq!(world("gz-sim-buoyancy-system"), ["W0801"]);
}

/// What Gazebo writes for no limit, and into each world that it saves, says nothing.
#[test]
fn what_holds_anyway_is_no_warning() {
    let limit = "<limit><lower>-1.79769e+308</lower><upper>1.79769e+308</upper><effort>1e16</effort>\
        <velocity>1.79769e+308</velocity><stiffness>1e8</stiffness><dissipation>1</dissipation></limit>";
    let surface = |inner: &str| {
        let collision = "<collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry>";
        let wheel = body("b", &format!("{collision}<surface>{inner}</surface></collision>"));
        sdf(&format!("<model name=\"m\">{}{wheel}{}</model>", body("a", ""), hinge("j", "a", "b", limit)))
    };
    let plain =
        surface("<contact><ode/></contact><bounce/><friction><ode/><torsional><ode/></torsional></friction>");
    assert_eq!(codes(&plain), [""; 0]);
    let model = toml(&plain);
    assert!(!has(&model, "joint.j.limit") && !has(&model, "joint.j.rating"), "{}", plain.toml);
    let soft = surface("<contact><ode><kp>1000</kp></ode></contact>");
    assert_eq!(codes(&soft), ["W0801"]);
}

/// A turn of 1.5708 rad is 3.7e-6 rad off a right angle: the second axis is put across the first. One of 1.57 rad, 8e-4 rad off, is not.
#[test]
fn axes_are_at_right_angles_to_the_digits_of_files() {
    let steering = |turn: &str| {
        let joint = format!(
            "<joint name=\"j\" type=\"universal\"><parent>a</parent><child>b</child><axis><xyz expressed_in=\"__model__\">0 0 1</xyz>\
             </axis><axis2><xyz>0 0 1</xyz></axis2></joint>{}{}",
            body("a", ""),
            body("b", &format!("<pose>0 0 0 {turn} 0 0</pose>"))
        );
        sdf(&format!("<model name=\"m\">{joint}</model>"))
    };
    let import = steering("1.5708");
    assert_eq!(codes(&import), [""; 0]);
    assert!(choices(&import).contains("is put across the first, by 3.7e-6 rad"), "{}", choices(&import));
    loaded(&import);
    let model = toml(&import);
    let axis = |k: usize| -> Vec<f64> {
        at(&model, "joint.j.axes")[k]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.to_string().parse().unwrap())
            .collect()
    };
    let dot: f64 = axis(0).iter().zip(axis(1)).map(|(x, y)| x * y).sum();
    assert!(dot.abs() < 1e-15, "{dot}");
    assert_eq!(codes(&steering("1.57")), ["E0805"]);
}
