//! Links that move and have no mass.

use carom_io::import::{Base, Import, Options};

use crate::import_kit::*;

/// A link with mass 0 and an inertia about all axes.
fn rotor(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"0\"/><inertia ixx=\"0.2\" iyy=\"0.2\" izz=\"0.3\"/></inertial></link>"
    )
}

/// A link of 2 kg with these moments.
fn thin(name: &str, [ixx, iyy, izz]: [&str; 3]) -> String {
    format!(
        "<link name=\"{name}\"><inertial><origin xyz=\"0.3 0 0\"/><mass value=\"2\"/>\
         <inertia ixx=\"{ixx}\" iyy=\"{iyy}\" izz=\"{izz}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
    )
}

/// An axis across the x on which the masses of [`thin`] are.
const ACROSS: &str = "<axis xyz=\"0 1 0\"/>";

/// Pinocchio takes them as they are. Each principal plane of a point has the mass at a mean distance of 0.2 µm: 2 kg (0.2 µm)² twice
/// about an axis; of a rod, at a millionth of its radius of gyration if that is more.
#[test]
fn mass_points_and_thin_rods_are_taken_as_they_are() {
    let carried = |moments: [&str; 3]| {
        urdf(&(link("a", "") + &thin("m", moments) + &joint("x", "continuous", "a", "m", ACROSS)))
    };
    let import = carried(["0", "0", "0"]);
    assert_eq!(codes(&import), ["W0803"]);
    assert_near(&toml(&import), "body.m.inertia", &[1.6e-13, 1.6e-13, 1.6e-13, 0.0, 0.0, 0.0]);
    loaded(&import);
    // What rounding leaves, and zero about one axis alone.
    assert_eq!(codes(&carried(["1e-20", "-1e-20", "9e-20"])), ["W0803"]);
    let rod = carried(["0", "0.5", "0.5"]);
    assert_eq!(codes(&rod), ["W0803"]);
    let inertia = numbers(&toml(&rod), "body.m.inertia");
    assert!((inertia[0] - 1e-12).abs() < 1e-15 && (inertia[1] - 0.5).abs() < 1e-11, "{inertia:?}");
    loaded(&rod);
    // A point that carries others turns with them.
    let base =
        floating(&(thin("m", ["0"; 3]) + &link("a", "") + &joint("x", "continuous", "m", "a", ACROSS)));
    assert_eq!(codes(&base), ["W0803"]);
    loaded(&base);
    // What no points make.
    assert_eq!(codes(&carried(["0.1", "0.1", "0.3"])), ["E0312"]);
    assert_eq!(codes(&carried(["-1e-6", "0", "0"])), ["E0312"]);
}

fn floating(inner: &str) -> Import {
    urdf_with(inner, &Options { base: Base::Floating, ..Options::default() })
}

/// What has the thickness of a mass point alone to resist it would turn at 1e11 rad/s: link and joint are named instead.
#[test]
fn mass_points_and_thin_rods_that_nothing_keeps_from_turning_are_refused() {
    let refused = |import: &Import, named: &str| {
        assert_eq!(codes(import), ["E0312"]);
        let message = &import.problems[0].problem.message;
        assert!(message.contains("\"m\"") && message.contains(named), "{message}");
    };
    let carried = |moments: [&str; 3], kind: &str, more: &str| {
        urdf(&(link("a", "") + &thin("m", moments) + &joint("x", kind, "a", "m", more)))
    };
    let along = "<axis xyz=\"1 0 0\"/>";
    refused(&carried(["0"; 3], "continuous", along), "revolute joint \"x\"");
    refused(&carried(["0", "0.5", "0.5"], "continuous", along), "revolute joint \"x\"");
    // A damper says how fast it turns.
    let damped = "<axis xyz=\"1 0 0\"/><dynamics damping=\"1\"/>";
    assert_eq!(codes(&carried(["0"; 3], "continuous", damped)), ["W0803"]);
    // Off the axis by rounding.
    refused(&carried(["0"; 3], "continuous", "<axis xyz=\"1 1e-9 0\"/>"), "revolute joint \"x\"");
    // At the end of a joint that lets it shift, too, it turns about itself.
    refused(&carried(["0"; 3], "floating", ""), "free joint \"x\"");
    refused(&carried(["0"; 3], "planar", ACROSS), "planar joint \"x\"");
    // Links without mass between do not resist either; what it carries does, where that turns with it.
    let on = |axis: &str, next: &str| {
        let text = link("a", "") + &thin("m", ["0"; 3]) + &link("b", "");
        urdf(&(text + &joint("x", "continuous", "a", "m", axis) + &joint("y", "continuous", "m", "b", next)))
    };
    refused(&on(along, along), "revolute joint \"x\"");
    assert_eq!(codes(&on(along, ACROSS)), ["W0803"]);
    let between = link("a", "") + "<link name=\"frame\"/>" + &thin("m", ["0"; 3]);
    let between = between
        + &joint("x", "continuous", "a", "frame", along)
        + &joint("y", "continuous", "frame", "m", ACROSS);
    refused(&urdf(&between), "revolute joint \"x\"");
    // Free alone, with what becomes part of it, and with what turns about the line that they are on.
    refused(&floating(&thin("m", ["0"; 3])), "where it is free");
    let frame = thin("m", ["0"; 3]) + "<link name=\"frame\"/>";
    let held = floating(&(frame + &joint("x", "continuous", "m", "frame", ACROSS)));
    assert_eq!(codes(&held), ["E0312", "W0805"]);
    assert!(held.problems[0].problem.message.contains("\"m\""));
    refused(
        &floating(&(thin("m", ["0"; 3]) + &link("a", "") + &joint("x", "continuous", "m", "a", along))),
        "free",
    );
}

/// M changes by a billionth at most: what stands between has the mass and inertia of what it carries, times that, where that is.
#[test]
fn what_carries_others_has_a_billionth_of_their_mass() {
    let text = link("a", "") + "<link name=\"m\"/>" + &link("b", "");
    let text = text
        + &joint("x", "continuous", "a", "m", "")
        + &joint("y", "continuous", "m", "b", "<origin xyz=\"0 0 0.5\"/>");
    let import = urdf(&text);
    let model = toml(&import);
    assert_near(&model, "body.m.mass", &[1e-9]);
    assert_near(&model, "body.m.com", &[0.0, 0.0, 0.5]);
    assert_near(&model, "body.m.inertia", &[1e-10, 1e-10, 1e-10, 0.0, 0.0, 0.0]);
    assert!(choices(&import).contains("billionth"), "{}", choices(&import));
    loaded(&import);
}

/// In a row of links without mass each has a billionth of what it carries, and not of the one before it: 1e-9, 1e-18, 1e-27 kg left the first without any.
#[test]
fn links_without_mass_in_a_row_stand_in_for_what_they_carry() {
    let mut text = link("a", "");
    for (name, before) in [("m", "a"), ("n", "m"), ("o", "n")] {
        text += &(format!("<link name=\"{name}\"/>")
            + &joint(&format!("j{name}"), "continuous", before, name, ""));
    }
    let import = urdf(&(text + &link("b", "") + &joint("x", "continuous", "o", "b", "")));
    let model = toml(&import);
    for name in ["m", "n", "o"] {
        assert_near(&model, &format!("body.{name}.mass"), &[1e-9]);
    }
    loaded(&import);
}

#[test]
fn a_rotor_keeps_its_inertia() {
    let text = link("a", "") + &rotor("m") + &link("b", "");
    let ends = text.clone() + &joint("x", "fixed", "a", "b", "") + &joint("y", "continuous", "b", "m", "");
    let model = toml(&urdf(&ends));
    assert_near(&model, "body.m.mass", &[2e-9]);
    assert_near(&model, "body.m.inertia", &[0.2, 0.2, 0.3, 0.0, 0.0, 0.0]);
    let between = text + &joint("x", "continuous", "a", "m", "") + &joint("y", "continuous", "m", "b", "");
    let model = toml(&urdf(&between));
    assert_near(&model, "body.m.inertia", &[0.2 + 1e-10, 0.2 + 1e-10, 0.3 + 1e-10, 0.0, 0.0, 0.0]);
}

/// Nothing else can tell how an end without mass moves: it is held, with what follows it, and said so.
#[test]
fn an_end_without_mass_is_held() {
    let room = "<limit lower=\"0.25\" upper=\"1\"/><axis xyz=\"0 0 1\"/>";
    let text = link("a", "") + &link("b", "") + "<link name=\"tip\"/><link name=\"twin\"/>";
    let text = text
        + &joint("x", "continuous", "a", "b", "")
        + &joint("y", "prismatic", "b", "tip", room)
        + &joint("z", "prismatic", "b", "twin", &(room.to_owned() + "<mimic joint=\"y\"/>"));
    let import = urdf(&text);
    assert_eq!(codes(&import), ["W0805"]);
    let model = toml(&import);
    assert!(has(&model, "joint.x") && !has(&model, "joint.y") && !has(&model, "joint.z"));
    assert!(!has(&model, "constraint"));
    assert!(import.toml.contains("tip") && import.toml.contains("0.25"), "{}", import.toml);
    loaded(&import);
}
