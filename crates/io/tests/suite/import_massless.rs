//! Links that move and have no mass.

use crate::import_kit::*;

/// A link with mass 0 and an inertia about all axes.
fn rotor(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"0\"/><inertia ixx=\"0.2\" iyy=\"0.2\" izz=\"0.3\"/></inertial></link>"
    )
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
