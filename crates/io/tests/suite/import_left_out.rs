//! What is told of MJCF that is not taken over: nothing where that changes nothing.

use carom_io::import::Import;

use crate::import_kit::*;

fn text() -> String {
    let file = include_str!("../models/mjcf/defaults.xml");
    let start = file.find("<compiler").unwrap();
    file[start..file.find("</mujoco>").unwrap()].to_owned()
}

fn messages(import: &Import) -> Vec<&str> {
    import.problems.iter().map(|p| p.problem.message.as_str()).collect()
}

/// A file that states MuJoCo's own defaults, as what `mj_saveLastXML` writes does, moves as one that states none of them.
#[test]
fn attributes_that_say_what_holds_without_them_are_no_warnings() {
    let import = mjcf(&text());
    assert!(messages(&import).is_empty(), "{:?}", messages(&import));
    loaded(&import);
}

/// The same attributes with other values change the motion, and are told.
#[test]
fn attributes_that_say_something_else_are_told() {
    for (element, default, other) in [
        ("joint", "solref=\"0.02 1\" solimp=\"0.9 0.95 0.001 0.5 2\"", "solref=\"0.02 2\" solimp=\"0.9\""),
        ("geom", "shellinertia=\"false\"", "shellinertia=\"true\""),
        ("geom", "fluidshape=\"none\"", "fluidshape=\"ellipsoid\""),
        ("geom", "adhesion=\"0\"", "adhesion=\"0.1\""),
        ("geom", "surfacevel=\"0 0 0 0 0 0\"", "surfacevel=\"0 1 0\""),
        ("joint", "springyield=\"0\"", "springyield=\"0.1\""),
        ("fixed", "springyield=\"0\"", "springyield=\"0.1\""),
        ("weld", "torquescale=\"1\"", "torquescale=\"2\""),
        ("general", "delay=\"0\"", "delay=\"0.1\""),
        ("general", "armature=\"0\"", "armature=\"0.1\""),
        ("general", "damping=\"0\"", "damping=\"0 1\""),
        ("option", "density=\"0\"", "density=\"1.2\""),
        ("flag", "override=\"disable\"", "override=\"enable\""),
    ] {
        let text = text();
        // The last element of that kind that has it.
        let at = text
            .match_indices(default)
            .map(|(at, _)| at)
            .filter(|&at| text[..at].rfind('<').is_some_and(|tag| text[tag + 1..].starts_with(element)))
            .last()
            .unwrap_or_else(|| panic!("{default} of {element}"));
        let changed = format!("{}{other}{}", &text[..at], &text[at + default.len()..]);
        let name = other.split('=').next().unwrap();
        let import = mjcf(&changed);
        let told = format!("`{name}` of <{element}> is not taken over");
        assert!(messages(&import).iter().any(|m| m.starts_with(&told)), "{told}: {:?}", messages(&import));
    }
}

/// How friction gives where there is none, what blows without a medium: the motion does not depend on it.
#[test]
fn attributes_that_others_would_need_are_no_warnings() {
    let of = |option: &str, joint: &str| {
        let text = format!(
            "<option {option}/><worldbody><body fuse=\"false\" simple=\"false\"><joint {joint}/><geom size=\"0.1\"/></body></worldbody>"
        );
        messages(&mjcf(&text)).iter().map(|message| (*message).to_owned()).collect::<Vec<_>>()
    };
    let friction = "solreffriction=\"0.1 1\" solimpfriction=\"0.5 0.9\"";
    assert!(of("wind=\"0 1 0\"", friction).is_empty());
    assert_eq!(of("wind=\"0 1 0\" viscosity=\"0.1\"", "").len(), 2);
    assert_eq!(of("", &format!("frictionloss=\"1\" {friction}")).len(), 2, "with friction");
}
