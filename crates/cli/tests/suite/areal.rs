//! Areal contact by the program: what `check`, `run` and `analyze` say of it.

use std::f64::consts::{PI, TAU};

use serde_json::Value;

use crate::kit::{Folder, changed};

/// c of 10 mm with E = 1 MPa and ν = 0.3: E (1 − ν)/((1 + ν)(1 − 2ν))/b.
const STIFFNESS: f64 = 1e6 * 0.7 / (1.3 * 0.4) / 0.01;
const G: f64 = 9.81;

/// A ball of 1 kg and 0.1 m, half a millimetre deep in a plate.
const BALL: &str = r#"
format = 1
name   = "layer"

[params]
z = "99.5 mm"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.foam]
E = "1 MPa"
nu = 0.3
pcm = { layer = "10 mm" }

[body.plate]
fixed = true
pos   = [0, 0, "-50 mm"]
shape = { type = "box", size = ["1 m", "1 m", "100 mm"] }

[body.ball]
mass  = "1 kg"
pos   = ["13 mm", "7 mm", "z"]
shape = { type = "sphere", radius = "0.1 m", facets = 80000 }

[contact]
drop = { a = "plate", b = "ball", method = "pcm", law = "foam" }

[solver]
t_end = "0.6 s"

[output]
every = "10 ms"
"#;

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// c π R δ² = m g; ω² = 2 c π R δ/m. Facets cut off 7 µm, and elements are good for some per cent of the force.
#[test]
fn a_ball_on_a_layer_is_analysed() {
    let scale = STIFFNESS * PI * 0.1;
    let depth = (G / scale).sqrt();
    let folder = Folder::with("layer.toml", BALL);
    let args = ["analyze", "equilibrium", "layer.toml", "--set", "params.z='99.4 mm'", "--json"];
    let answer = folder.carom(&args).exits(0).json();
    let found = 0.1 - number(&answer["bodies"]["ball"]["position_m"][2]);
    assert!((found / depth - 1.0).abs() < 0.03, "{found} {depth}");
    let answer = folder.carom(&["analyze", "modes", "layer.toml", "--json"]).exits(0).json();
    let modes = answer["modes"].as_array().unwrap();
    let upwards = |mode: &&Value| number(&mode["bodies"]["ball"]["translation_m"]["re"][2]).abs() > 0.9;
    let vertical = modes.iter().filter(upwards).map(|m| number(&m["frequency_hz"])).fold(0.0, f64::max);
    let wanted = (2.0 * scale * depth).sqrt() / TAU;
    assert!((vertical / wanted - 1.0).abs() < 0.03, "{vertical} {wanted}");
}

/// `check` says the estimate with digits enough to copy it, and the fall ends well with it. What is too small is told
/// with what would have done, which does.
#[test]
fn a_largest_penetration_is_estimated_and_asked_for() {
    let high = changed(BALL, "z = \"99.5 mm\"", "z = \"1.1 m\"");
    let folder = Folder::with("fall.toml", &high);
    let said = folder.carom(&["check", "fall.toml"]).exits(0);
    let law = said.out.split("u_max = ").nth(1).expect("u_max");
    let estimated: f64 = law.split(' ').next().unwrap().parse().expect("a number");
    // m g (h + u) = c π R u³/3, and half as much again.
    let exact = 1.5 * (3.0 * G / (STIFFNESS * PI * 0.1)).cbrt();
    assert!((estimated / exact - 1.0).abs() < 0.1, "{estimated} {exact}");
    folder.carom(&["run", "fall.toml", "--progress", "none"]).exits(0);

    let small = changed(&high, "layer = \"10 mm\"", "layer = \"10 mm\", u_max = \"2 mm\"");
    let folder = Folder::with("fall.toml", &small);
    let said = folder.carom(&["run", "fall.toml", "--progress", "none"]).exits(3);
    assert!(said.err.contains("E0614"), "{}", said.err);
    let needed =
        said.err.split("u_max = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a number");
    let enough = changed(&small, "u_max = \"2 mm\"", &format!("u_max = \"{needed}\""));
    Folder::with("fall.toml", &enough).carom(&["run", "fall.toml", "--progress", "none"]).exits(0);
}

/// Overlap at the start is the same word in `check` and `run`, in run.json and in the report; so are notes.
#[test]
fn check_and_run_say_the_same() {
    let deep = changed(BALL, "z = \"99.5 mm\"", "z = \"80 mm\"");
    let idle = r#"
[body.idle]
mass  = "1 kg"
pos   = ["5 m", 0, "1 m"]
shape = { type = "sphere", radius = "0.1 m" }
"#;
    let line = "drop = {";
    let both = changed(
        &deep,
        line,
        "aside = { a = \"idle\", b = \"ball\", method = \"pcm\", law = \"foam\" }\ndrop = {",
    );
    let both =
        changed(&both, "pcm = { layer = \"10 mm\" }", "pcm = { layer = \"10 mm\", u_max = \"30 mm\" }");
    let both = changed(&both, "t_end = \"0.6 s\"", "t_end = \"20 ms\"");
    let folder = Folder::with("deep.toml", &changed(&both, "[contact]", &format!("{idle}\n[contact]")));
    let check = folder.carom(&["check", "deep.toml", "--json"]).exits(0).json();
    let warnings = check["diagnostics"].as_array().unwrap();
    let overlap = warnings.iter().find(|w| w["code"] == "W0401").expect("W0401");
    assert!(overlap["help"].as_str().unwrap().contains("move ball by [0, 0, 0.02"), "{overlap}");
    let said = folder.carom(&["run", "deep.toml", "--progress", "none", "--json", "--out", "r"]).exits(0);
    let run = said.json();
    let told: Vec<&str> = run["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
    let report = folder.read("r/report.html");
    for code in ["W0401", "N0601"] {
        assert!(told.iter().any(|w| w.starts_with(code)), "{code} in {told:?}");
        assert!(report.contains(code), "{code} in the report");
        assert!(said.err.contains(code), "{code} in {}", said.err);
    }
    let notes = check["models"][0]["notes"].as_array().unwrap();
    assert!(notes.iter().all(|note| told.contains(&note.as_str().unwrap())), "{notes:?} {told:?}");
}

/// A motor presses a block with sharp edges, tilted a little, through a plate: it stops at three quarters of that. Deeper than 0.68 of it the way to the far side counted as the
/// depth, the force fell, and the block came out behind.
#[test]
fn a_block_does_not_go_through_a_plate() {
    let folder = Folder::with(
        "press.toml",
        r#"format = 1
[world]
gravity = [0, 0, 0]
[law.l]
E = "320 MPa"
nu = 0.3
pcm = { layer = "1 mm" }
[body.plate]
fixed = true
shape = { type = "box", size = ["30 mm", "100 mm", "1.4 mm"] }
[body.punch]
mass = "10 g"
inertia = "1e-6 kg*m^2"
shape = { type = "box", size = ["21.5 mm", "15 mm", "10.8 mm"] }
[joint.guide]
type = "prismatic"
axis = "z"
a = { body = "world" }
b = { body = "punch", rot = { rpy = ["0.02 rad", 0, 0] } }
motor = { position = "6.25 mm - 1 m/s*t" }
[contact]
press = { a = "plate", b = "punch", method = "pcm", law = "l" }
[solver]
t_end = "8.4 ms"
"#,
    );
    let said = folder.carom(&["run", "press.toml"]).exits(3);
    assert!(said.err.contains("E0614") && said.err.contains("wall of 1.400e-3 m"), "{}", said.err);
}
