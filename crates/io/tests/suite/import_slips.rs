//! Slips of the pen that would move the robot otherwise: each is told at its place. What MuJoCo 4.0.0 refuses is an error here.

use carom_io::import::{Base, Import, Options};

use crate::import_kit::*;

/// What a finding points to, and its code.
fn told(import: &Import) -> Vec<(&'static str, String)> {
    let place = |p: &carom_io::Diagnostic| p.location.as_ref().map(|l| l.text.clone()).unwrap_or_default();
    import.problems.iter().map(|p| (p.problem.code, place(p))).collect()
}

/// A hinge with a geom, a site on its body and one in the world, and sections behind.
fn arm(geom: &str, site: &str, more: &str) -> String {
    format!(
        "<worldbody><body name=\"b\"><joint name=\"j\"/><geom name=\"g\" size=\"0.1\" {geom}/><site name=\"p\" {site}/></body>\
         <site name=\"q\" pos=\"1 0 0\"/></worldbody>{more}"
    )
}

fn tendon(attributes: &str) -> String {
    format!(
        "<tendon><spatial name=\"t\" {attributes}><site site=\"p\"/><site site=\"q\"/></spatial></tendon>"
    )
}

const CABLE: &str = "range=\"0 2\" limited=\"true\"";

#[test]
fn attributes_of_sites_are_known() {
    let right = "pos=\"0 0 0.1\" rgba=\"1 0 0 1\" type=\"box\" size=\"0.1 0.1 0.1\" group=\"3\"";
    assert_eq!(told(&mjcf(&arm("", right, &tendon(CABLE)))), []);
    let wrong = mjcf(&arm("", "poss=\"0 0 0.1\"", &tendon(CABLE)));
    assert_eq!(told(&wrong), [("W0801", "0 0 0.1".to_owned())]);
    assert!(wrong.problems[0].problem.message.contains("`poss` of <site>"), "{:?}", wrong.problems[0]);
}

/// Sites have the places of their class, and those between two points.
#[test]
fn sites_stand_where_mujoco_has_them() {
    let end = |default: &str, site: &str| {
        let text = format!("<default><site {default}/></default>{}", arm("", site, &tendon(CABLE)));
        let model = toml(&mjcf(&text));
        at(&model, "force.t").to_string()
    };
    let direct = end("", "pos=\"0 0.25 0.5\"");
    assert!(direct.contains("0.25"), "{direct}");
    assert_eq!(end("pos=\"0 0.25 0.5\"", ""), direct);
    assert_eq!(end("", "type=\"capsule\" size=\"0.1\" fromto=\"0 0 0.5 0 0.5 0.5\""), direct);
}

#[test]
fn names_are_there_once() {
    let geoms =
        arm("", "", "").replace("<site name=\"p\"", "<geom name=\"g\" size=\"0.2\"/><site name=\"p\"");
    assert_eq!(told(&mjcf(&geoms)), [("E0806", "g".to_owned())]);
    let sites = arm("", "", "").replace("\"q\"", "\"p\"");
    assert_eq!(told(&mjcf(&sites)), [("E0806", "p".to_owned())]);
    // A geom and a site may share one.
    assert_eq!(told(&mjcf(&arm("", "", "").replace("\"q\"", "\"g\""))), []);
}

#[test]
fn a_comma_is_no_decimal_point() {
    for wrong in ["0,8 0.01", "0,8", "0.8 0,01"] {
        let import = mjcf(&arm(&format!("friction=\"{wrong}\""), "", ""));
        assert_eq!(told(&import), [("E0805", wrong.to_owned())]);
    }
    // As separators they stand before blanks, or everywhere.
    for right in ["0.8, 0.01", "0.8,0.01,0.001", "0.8 , 0.01"] {
        let import = mjcf(&arm(&format!("friction=\"{right}\""), "", ""));
        assert_eq!(told(&import), [], "{right}");
        assert_eq!(numbers(&toml(&import), "law.floor.mu"), [0.8]);
    }
}

/// At the line of the user's file, not of the model file that comes of it.
#[test]
fn what_must_not_be_negative_is_told_at_its_place() {
    let actuator = |attributes: &str| {
        told(&mjcf(&arm(
            "",
            "",
            &format!("<actuator><position name=\"a\" joint=\"j\" {attributes}/></actuator>"),
        )))
    };
    assert_eq!(actuator("kp=\"1\" kv=\"0.1\""), []);
    for key in ["kv", "dampratio", "timeconst"] {
        assert_eq!(actuator(&format!("kp=\"1\" {key}=\"-0.1\"")), [("E0805", "-0.1".to_owned())], "{key}");
    }
    assert_eq!(told(&mjcf(&arm("friction=\"-0.5\"", "", ""))), [("E0805", "-0.5".to_owned())]);
    let spring = |length: &str| {
        told(&mjcf(&arm("", "", &tendon(&format!("stiffness=\"5\" springlength=\"{length}\"")))))
    };
    assert_eq!(spring("0.5"), []);
    assert_eq!(spring("-1"), []);
    assert_eq!(spring("-0.5"), [("E0805", "-0.5".to_owned())]);
}

#[test]
fn a_gain_that_depends_on_length_is_called_so() {
    let gain = "<general name=\"a\" joint=\"j\" gaintype=\"affine\" gainprm=\"1 0.5 0\"/>";
    let import = mjcf(&arm("", "", &format!("<actuator>{gain}</actuator>")));
    assert_eq!(codes(&import), ["W0801"]);
    let message = &import.problems[0].problem.message;
    assert!(message.contains("whose gain depends on its length or velocity"), "{message}");
}

/// URDF and SDF have one of each; which of two is meant cannot be known.
#[test]
fn a_second_element_is_a_warning() {
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let two = ball.replace("</geometry>", "<box size=\"1 1 1\"/></geometry>");
    assert_eq!(codes(&urdf(&link("a", ball))), [""; 0]);
    assert_eq!(told(&urdf(&link("a", &two))), [("W0801", "box".to_owned())]);
    let mass = link("a", ball).replace("<mass value=\"1\"/>", "<mass value=\"1\"/><mass value=\"2\"/>");
    assert_eq!(told(&urdf(&mass)), [("W0801", "mass".to_owned())]);
    let limits = "<axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\"/><limit lower=\"-2\" upper=\"2\"/>";
    let text = link("a", "") + &link("b", "") + &joint("j", "revolute", "a", "b", limits);
    assert_eq!(told(&urdf(&text)), [("W0801", "limit".to_owned())]);
}

#[test]
fn what_an_srdf_says_and_is_not_read_is_told() {
    let path = std::env::temp_dir().join("carom-import-slips.srdf");
    let read = |inner: &str, base: Base| {
        std::fs::write(&path, format!("<robot name=\"r\">{inner}</robot>")).unwrap();
        let options = Options { srdf: Some(path.clone()), base, ..Options::default() };
        codes(&urdf_with(&link("a", ""), &options))
    };
    let fixed = "<virtual_joint name=\"v\" type=\"fixed\" parent_frame=\"world\" child_link=\"a\"/>";
    assert_eq!(read("<group name=\"arm\"/>", Base::Auto), [""; 0]);
    assert_eq!(read(fixed, Base::Auto), ["W0801"]);
    assert_eq!(read(fixed, Base::Fixed), [""; 0]);
    assert_eq!(read("<disable_default_collisions link=\"a\"/>", Base::Auto), ["W0801"]);
    assert_eq!(read("<disable_colisions link1=\"a\" link2=\"a\"/>", Base::Auto), ["W0804"]);
    assert_eq!(read("<disable_collisions link1=\"a\" link2=\"x\"/>", Base::Auto), ["W0801"]);
    std::fs::remove_file(&path).unwrap();
}

/// What PyBullet, Drake and others add would have things move otherwise, but limits that are none.
#[test]
fn what_other_programs_read_in_a_urdf_is_told() {
    let friction = "<contact><lateral_friction value=\"0.1\"/></contact>";
    assert_eq!(told(&urdf(&link("a", friction))), [("W0801", "contact".to_owned())]);
    let turning = |more: &str| {
        let text = link("a", "")
            + &link("b", "")
            + &joint("j", "revolute", "a", "b", &format!("<axis xyz=\"1 0 0\"/>{more}"));
        urdf(&text)
    };
    let spring = turning("<limit lower=\"-1\" upper=\"1\"/><dynamics spring_stiffness=\"3\"/>");
    assert_eq!(told(&spring), [("W0801", "3".to_owned())]);
    let import =
        turning("<limit lower=\"-1.79769e+308\" upper=\"2\" velocity=\"1.79769e+308\" effort=\"1e31\"/>");
    assert_eq!(told(&import), []);
    assert!(!has(&toml(&import), "joint.j.rating"), "{}", import.toml);
    let wrong = turning("<limit lower=\"1.79769e+308\" upper=\"2\"/>");
    assert_eq!(told(&wrong), [("E0810", "1.79769e+308".to_owned())]);
}
