//! Broken robot files: each mistake has its code, its place and a remedy, and all come at once.

use crate::import_kit::*;
use carom_io::Location;
use carom_io::import::{self, Import, Options};

/// One error, with help or an expectation, whose place shows a text.
#[track_caller]
fn says(import: &Import, code: &str, at: &str) {
    let all: Vec<String> = import.problems.iter().map(|p| p.problem.to_string()).collect();
    assert_eq!(codes(import), [code], "{all:#?}");
    let problem = &import.problems[0];
    assert!(problem.problem.help.is_some() || problem.problem.expected.is_some(), "{problem:?}");
    let Location { text, .. } = problem.location.as_ref().expect("a place");
    assert_eq!(text, at);
    assert!(import.toml.is_empty());
    assert!(carom_io::codes::explain(code).is_ok());
}

#[test]
fn files_that_are_no_robots() {
    let read = |text: &str| import::urdf(text, "r.urdf".as_ref(), &Options::default());
    says(&read("<robot><link name=\"a\"></robot>"), "E0801", "<");
    says(&read("<robot name=a/>"), "E0801", "a");
    says(&read("<sdf/>"), "E0802", "sdf");
    says(&read("<mujoco/>"), "E0802", "mujoco");
    says(&read("<robot name=\"r\"/>"), "E0804", "robot");
    let deep = "<robot>".to_owned() + &"<a>".repeat(400) + &"</a>".repeat(400) + "</robot>";
    says(&read(&deep), "E0801", "a");
    says(&read("<!DOCTYPE r [<!ENTITY a \"b\">]><robot/>"), "E0801", "<");
}

#[test]
fn templates_are_to_be_expanded() {
    let text = "<robot name=\"r\" xmlns:xacro=\"http://x\"><xacro:property name=\"a\" value=\"1\"/></robot>";
    let import = import::urdf(text, "r.xacro".as_ref(), &Options::default());
    says(&import, "E0803", "xacro:property");
    assert!(import.problems[0].problem.help.as_ref().unwrap().contains("xacro robot.urdf.xacro"));
    says(&urdf("<link name=\"${prefix}arm\"/>"), "E0803", "${prefix}arm");
}

#[test]
fn trees_that_are_none() {
    let [a, b, c] = ["a", "b", "c"].map(|n| link(n, ""));
    let turn = |name: &str, from: &str, to: &str| joint(name, "continuous", from, to, "");
    let cycle =
        urdf(&format!("{a}{b}{c}{}{}{}", turn("x", "a", "b"), turn("y", "b", "c"), turn("z", "c", "a")));
    assert_eq!(codes(&cycle), ["E0808"]);
    assert!(
        cycle.problems[0].problem.message.contains("is its own ancestor: a -> b -> c -> a"),
        "{:?}",
        cycle.problems[0]
    );
    let itself = urdf(&format!("{a}{}", turn("x", "a", "a")));
    assert!(itself.problems[0].problem.message.contains("is its own ancestor: a -> a"));
    says(&urdf(&format!("{a}{b}{c}{}{}", turn("x", "a", "c"), turn("y", "b", "c"))), "E0808", "y");
    // Joints that mimic, and that are mimicked, in what is no tree: one mistake, not one for each that hangs on it.
    let mimic = |name: &str, from: &str, leader: &str| {
        joint(name, "continuous", from, "c", &format!("<mimic joint=\"{leader}\"/>"))
    };
    for (x, y) in [
        (turn("x", "a", "c"), mimic("y", "b", "x")),
        (mimic("x", "a", "y"), turn("y", "b", "c")),
        (mimic("x", "a", "y"), mimic("y", "b", "x")),
    ] {
        says(&urdf(&format!("{a}{b}{c}{x}{y}")), "E0808", "y");
    }
    let roots = urdf(&format!("{a}{b}{c}{}", turn("x", "a", "b")));
    says(&roots, "E0808", "c");
    assert!(roots.problems[0].problem.message.contains("\"a\", \"c\""));
}

#[test]
fn names_that_are_twice_or_not_there() {
    let [a, b] = ["a", "b"].map(|n| link(n, ""));
    let two = urdf(&format!("{a}{a}"));
    says(&two, "E0806", "a");
    assert!(two.problems[0].related.is_some());
    let c = link("c", "");
    let same = |to: &str| joint("j", "fixed", "a", to, "");
    says(&urdf(&format!("{a}{b}{c}{}{}", same("b"), same("c"))), "E0806", "j");
}

#[test]
fn links_and_joints_that_are_not_there() {
    let [a, b] = ["thigh", "shank"].map(|n| link(n, ""));
    let wrong = urdf(&format!("{a}{b}{}", joint("j", "fixed", "tigh", "shank", "")));
    assert_eq!(wrong.problems[0].problem.code, "E0807");
    assert_eq!(wrong.problems[0].problem.help.as_deref(), Some("did you mean \"thigh\"?"));
    says(
        &urdf(&format!("{a}{b}{}", joint("j", "continuous", "thigh", "shank", "<mimic joint=\"k\"/>"))),
        "E0807",
        "k",
    );
}

#[test]
fn joints_that_lack_something() {
    let [a, b] = ["a", "b"].map(|n| link(n, ""));
    let with = |kind: &str, more: &str| urdf(&format!("{a}{b}{}", joint("j", kind, "a", "b", more)));
    says(&with("revolute", ""), "E0804", "joint");
    says(&with("continuous", "<axis xyz=\"0 0 0\"/>"), "E0315", "0 0 0");
    says(&with("hinge", ""), "E0805", "hinge");
    says(&with("prismatic", "<limit lower=\"1\" upper=\"0\"/>"), "E0810", "1");
    says(&with("continuous", "<origin xyz=\"0 0,5 x\"/>"), "E0805", "0 0,5 x");
    says(&with("continuous", "<origin xyz=\"0 0\"/>"), "E0805", "0 0");
    says(&with("continuous", "<origin xyz=\"0 0 inf\"/>"), "E0805", "0 0 inf");
    says(&with("continuous", "<dynamics damping=\"-1\"/>"), "E0805", "-1");
    says(
        &urdf(&format!("{a}<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>")),
        "E0804",
        "joint",
    );
}

/// Whatever is wrong before them, the mistakes of a joint are all told: here its type, axis, limits, damping, leader, and links.
#[test]
fn every_mistake_of_a_joint_is_told_at_once() {
    let inner =
        "<axis xyz=\"0 0 0\"/><limit lower=\"1\" upper=\"0\"/><dynamics damping=\"-1\" friction=\"x\"/>";
    let text = joint("j", "hinge", "a", "b", &(inner.to_owned() + "<mimic joint=\"k\" multiplier=\"y\"/>"));
    let mistakes = ["E0805", "E0315", "E0810", "E0805", "E0805", "E0805", "E0807"];
    let sorted = |mut codes: Vec<&'static str>| {
        codes.sort_unstable();
        codes
    };
    let found = urdf(&format!("{}{}{text}", link("a", ""), link("b", "")));
    assert_eq!(sorted(codes(&found)), sorted(mistakes.to_vec()), "{:#?}", found.problems);
    // Without its links, and beside a second tree.
    let found = urdf(&format!("{}{text}", link("a", "")));
    assert_eq!(sorted(codes(&found)).len(), mistakes.len(), "{:#?}", found.problems);
    let found = mjcf(
        "<worldbody><body name=\"a\"><joint name=\"j\" type=\"hing\" axis=\"0 0 0\" range=\"1 0\" limited=\"true\" damping=\"-1\"/>\
         <geom size=\"0\"/></body></worldbody><actuator><motor joint=\"k\" ctrlrange=\"1 0\" ctrllimited=\"true\" forcerange=\"2 1\" \
         forcelimited=\"true\"/></actuator>",
    );
    let expected = ["E0805", "E0315", "E0810", "E0805", "E0314", "E0807", "E0810", "E0810"];
    let mut all = sorted(codes(&found));
    all.retain(|code| *code != "E0809");
    assert_eq!(all, sorted(expected.to_vec()), "{:#?}", found.problems);
}

/// What leaves a joint no room is a warning: programs do not agree on whether it moves. MuJoCo has none of such limits, or refuses them.
#[test]
fn limits_that_leave_no_room_are_told() {
    let [a, b] = ["a", "b"].map(|n| link(n, ""));
    let stuck =
        urdf(&format!("{a}{b}{}", joint("j", "revolute", "a", "b", "<limit lower=\"0.5\" upper=\"0.5\"/>")));
    assert_eq!(codes(&stuck), ["W0801"]);
    assert!(stuck.problems[0].problem.message.contains("joint \"j\" leave no room (both are 0.5)"));
    assert!(!has(&toml(&stuck), "joint.j.limit"));
    let of = |more: &str| {
        let geom = "<geom size=\"0.1\"/>";
        mjcf(&format!(
            "<compiler autolimits=\"true\"/><worldbody><body><joint range=\"1 1\" {more}/>{geom}</body></worldbody>"
        ))
    };
    assert!(codes(&of("")).is_empty() && choices(&of("")).contains("has none, as in MuJoCo"));
    assert_eq!(codes(&of("limited=\"true\"")), ["E0810"]);
}

#[test]
fn masses_that_no_body_has() {
    let with = |mass: &str, ixx: &str| {
        urdf(&format!(
            "<link name=\"a\"><inertial><mass value=\"{mass}\"/><inertia ixx=\"{ixx}\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        ))
    };
    says(&with("-1", "1"), "E0311", "-1");
    says(&with("1", "3"), "E0312", "inertia");
    says(&with("1", "-0.5"), "E0312", "inertia");
    says(&with("1", "0"), "E0312", "inertia");
    says(&with("one", "1"), "E0805", "one");
    says(&urdf("<link name=\"a\"><inertial><mass value=\"1\"/></inertial></link>"), "E0804", "inertial");
}

#[test]
fn a_point_mass_may_be_part_of_a_body() {
    let point = "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";
    let import = urdf(&(link("a", "") + point + &joint("j", "fixed", "a", "b", "<origin xyz=\"0 0 1\"/>")));
    assert_eq!(codes(&import), ["W0803"]);
    assert_near(&toml(&import), "body.a.mass", &[2.0]);
}

#[test]
fn massless_links_on_moving_joints() {
    // Something with mass follows it: it cannot be held still, and nothing says how it moves.
    let mimic = "<limit lower=\"-1\" upper=\"1\"/><mimic joint=\"x\"/>";
    let text = link("a", "") + "<link name=\"m\"/>" + &link("b", "");
    let text = text + &joint("x", "continuous", "a", "m", "") + &joint("y", "revolute", "a", "b", mimic);
    let import = urdf(&text);
    says(&import, "E0809", "m");
    assert_eq!(import.problems[0].related.as_ref().unwrap().0.text, "x");
}

#[test]
fn a_robot_of_kinematics_alone() {
    let text = "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>".to_owned()
        + &joint("x", "continuous", "a", "b", "")
        + &joint("y", "continuous", "b", "c", "");
    says(&urdf(&text), "E0809", "robot");
}

#[test]
fn shapes_without_size() {
    let with =
        |shape: &str| urdf(&link("a", &format!("<collision><geometry>{shape}</geometry></collision>")));
    says(&with("<sphere radius=\"-0.5\"/>"), "E0314", "-0.5");
    says(&with("<box size=\"1 -1 1\"/>"), "E0314", "1 -1 1");
    says(&with("<cone radius=\"1\"/>"), "E0303", "cone");
    says(&with("<cylinder radius=\"1\"/>"), "E0804", "cylinder");
    says(&with(""), "E0804", "geometry");
    let missing = with("<mesh filename=\"package://nowhere/a.stl\"/>");
    assert_eq!(codes(&missing), ["W0802"]);
    toml(&missing);
    assert_eq!(codes(&with("<mesh filename=\"a.dae\" scale=\"1 1 -1\"/>")), ["W0802"]);
}

/// What other programs read and has no size touches nothing: it is left out with a word, and the link keeps its other shapes.
#[test]
fn shapes_of_size_zero_are_left_out() {
    let of = |shape: &str| format!("<collision><geometry>{shape}</geometry></collision>");
    for nothing in
        ["<sphere radius=\"0.00\"/>", "<cylinder radius=\"0\" length=\"1\"/>", "<box size=\"1 0 1\"/>"]
    {
        let import = urdf(&link("a", &(of(nothing) + &of("<sphere radius=\"0.3\"/>"))));
        assert_eq!(codes(&import), ["W0801"], "{nothing}");
        assert!(import.problems[0].problem.message.contains("left out"), "{nothing}");
        assert!(import.problems[0].location.is_some(), "{nothing}");
        let text = toml(&import);
        assert_eq!(text["body"]["a"]["shape"]["radius"].as_float(), Some(0.3), "{nothing}");
    }
}

#[test]
fn slips_of_the_pen_are_noticed() {
    let import = urdf(&link("a", "<colision/>"));
    assert_eq!(codes(&import), ["W0804"]);
    assert_eq!(codes(&urdf(&(link("a", "") + "<link nmae=\"b\"/>"))), ["E0804", "W0804"]);
}

#[test]
fn all_mistakes_come_at_once() {
    let text = link("a", "<collision><geometry><sphere radius=\"-1\"/></geometry></collision>")
        + "<link name=\"b\"><inertial><mass value=\"-2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        + &joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>")
        + &joint("k", "revolute", "a", "c", "");
    let mut found = codes(&urdf(&text));
    found.sort_unstable();
    // Neither joint has a limit.
    assert_eq!(found, ["E0311", "E0314", "E0315", "E0804", "E0804", "E0807"]);
}

#[test]
fn broken_mjcf() {
    let world = |inner: &str| mjcf(&format!("<worldbody>{inner}</worldbody>"));
    let inertial = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
    says(&world(&format!("<body name=\"a\">{inertial}<joint axis=\"0 0 0\"/></body>")), "E0315", "0 0 0");
    says(&world(&format!("<body name=\"a\">{inertial}<joint type=\"screw\"/></body>")), "E0805", "screw");
    says(&world(&format!("<body name=\"a\">{inertial}<joint range=\"1 0\"/></body>")), "E0810", "1 0");
    says(&world("<body name=\"a\"><joint/></body>"), "E0809", "a");
    says(
        &world(&format!("<body name=\"a\">{inertial}</body><body name=\"a\">{inertial}</body>")),
        "E0806",
        "a",
    );
    says(&world("<composite type=\"grid\"/>"), "E0812", "composite");
    says(
        &world(&format!("<body name=\"a\">{inertial}<freejoint/><geom type=\"plane\"/></body>")),
        "E0812",
        "geom",
    );
    says(&world(&format!("<body name=\"a\">{inertial}<freejoint/><geom/></body>")), "E0314", "geom");
    says(
        &world(&format!("<body name=\"a\">{inertial}<freejoint/><geom size=\"1\" class=\"x\"/></body>")),
        "E0807",
        "x",
    );
    says(&world(&format!("<body name=\"a\">{inertial}<freejoint/><geom mesh=\"x\"/></body>")), "E0807", "x");
    says(
        &world("<body name=\"a\"><inertial pos=\"0 0 0\" mass=\"1\"/><freejoint/></body>"),
        "E0804",
        "inertial",
    );
    says(&mjcf("<include file=\"no.xml\"/>"), "E0204", "no.xml");
    let two = format!(
        "<body name=\"a\">{inertial}<joint name=\"y\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"x\" type=\"free\"/></body>"
    );
    says(&world(&two), "E0811", "x");
    let motor = format!(
        "<worldbody><body name=\"a\">{inertial}<joint name=\"x\"/></body></worldbody><actuator><motor joint=\"y\"/></actuator>"
    );
    says(&mjcf(&motor), "E0807", "y");
}

/// What one mistake used to hide: other parts that are missing, an inertia beside a mass that is no number, an effort, a class, a word.
#[test]
fn no_mistake_hides_another() {
    let import = urdf(
        "<link name=\"a\"/><link name=\"b\"><inertial><mass value=\"x\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"5\" ixy=\"0\" \
         ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"x\"/>\
         <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><limit effort=\"y\"/></joint>",
    );
    let said: Vec<&str> = import.problems.iter().map(|p| p.problem.message.as_str()).collect();
    for part in ["<parent>", "<child>", "attribute `type`", "\"x\", not a number", "\"y\", not a number"] {
        assert!(said.iter().any(|message| message.contains(part)), "{part} in {said:#?}");
    }
    let world = |inner: &str| mjcf(&format!("<worldbody>{inner}</worldbody>"));
    let import = world(
        "<body name=\"a\" childclass=\"k\"><joint range=\"0 1\" limited=\"maybe\"/>\
         <geom size=\"-1\" mass=\"q\" friction=\"z\"/></body>",
    );
    let said: Vec<&str> = import.problems.iter().map(|p| p.problem.message.as_str()).collect();
    for part in ["class \"k\"", "\"maybe\"", "[-1.0]", "\"q\", not a number", "\"z\", not a number"] {
        assert!(said.iter().any(|message| message.contains(part)), "{part} in {said:#?}");
    }
}

/// Products of inertia that are taken for 0, what Gazebo is told beside the links, bounces and soft limits of SDF, a slip of the pen
/// in a name with an underscore.
#[test]
fn what_changes_the_motion_is_a_warning() {
    let gazebo = "<gazebo reference=\"a\"><kp>1e6</kp><turnGravityOff>false</turnGravityOff><selfCollide>1</selfCollide></gazebo>";
    let link = "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>";
    let import = urdf(&format!("{link}{gazebo}"));
    let said: Vec<&str> = import.problems.iter().map(|p| p.problem.message.as_str()).collect();
    assert_eq!(codes(&import), ["W0801"; 3], "{said:#?}");
    for part in ["no `ixy`", "<kp>", "<selfCollide>"] {
        assert!(said.iter().any(|message| message.contains(part)), "{part} in {said:#?}");
    }
    let sdf = "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"><collision name=\"c\"><geometry><sphere><radius>1</radius></sphere>\
               </geometry><surface><bounce><restitution_coefficient>0.5</restitution_coefficient></bounce></surface></collision></link><link name=\"b\"/><joint name=\"j\" type=\"revolute\">\
               <parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><stiffness>1</stiffness></limit>\
               <dynamics><spring_stifness>1</spring_stifness></dynamics></axis></joint></model></sdf>";
    let import = import::sdf(sdf, "m.sdf".as_ref(), &Options::default());
    let said: Vec<&str> = import.problems.iter().map(|p| p.problem.message.as_str()).collect();
    for part in ["<bounce>", "<stiffness>", "<spring_stifness>"] {
        assert!(said.iter().any(|message| message.contains(part)), "{part} in {said:#?}");
    }
}

#[test]
fn no_cut_of_a_robot_file_breaks_the_reader() {
    let text = "<robot name=\"r\">".to_owned()
        + &link("a", "")
        + &link("b", "")
        + &joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 1\"/>")
        + "</robot>";
    for end in 0..text.len() {
        let import = import::urdf(&text[..end], "r.urdf".as_ref(), &Options::default());
        assert!(import.has_errors());
    }
    for (k, _) in text.match_indices('"') {
        let import = import::urdf(
            &text.replacen(&text[k..k + 2], "\"\u{e9}", 1),
            "r.urdf".as_ref(),
            &Options::default(),
        );
        assert!(import.toml.is_empty() || import.toml.parse::<toml::Table>().is_ok());
    }
}
