//! `carom analyze`: answers against closed forms, and mistakes with their codes.

use serde_json::Value;

use crate::kit::{Folder, changed};

const MASS: f64 = 1.3;
const ARM: f64 = 0.7;
const G: f64 = 9.81;
/// About the hinge.
const INERTIA: f64 = 0.05 + MASS * ARM * ARM;

/// A pendulum on a spring that wants to hold it aside.
const PENDULUM: &str = r#"
format = 1
name   = "swing"

[params]
k = "3 N*m/rad"

[world]
gravity = [0, "-9.81 m/s^2", 0]

[body.bob]
mass    = "1.3 kg"
inertia = "0.05 kg*m^2"

[joint.hinge]
type     = "revolute"
a        = { body = "world" }
b        = { body = "bob", at = [0, "0.7 m", 0] }
position = "0.1 rad"
spring   = { stiffness = "k", damping = "0.2 N*m*s/rad", rest = "0.5 rad" }

[solver]
t_end = "1 s"
rtol  = 1e-10

[output]
every = "5 ms"
"#;

const SPRING: &str = r#"spring   = { stiffness = "k", damping = "0.2 N*m*s/rad", rest = "0.5 rad" }"#;

/// The pendulum driven on q = 0.8 sin 3t instead.
fn driven() -> String {
    let text = changed(PENDULUM, SPRING, r#"motor = { position = "0.8 rad*sin(3 rad/s*t)" }"#);
    changed(&text, "position = \"0.1 rad\"\n", "")
}

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

#[test]
fn an_equilibrium_balances() {
    let folder = Folder::with("swing.toml", PENDULUM);
    let answer = folder.carom(&["analyze", "equilibrium", "swing.toml", "--json"]).exits(0).json();
    assert_eq!((&answer["schema"], &answer["equilibrium"]["stable"]), (&1.into(), &true.into()));
    let hinge = &answer["joints"]["hinge"];
    let q = number(&hinge["position"][0]);
    let left = 3.0 * (q - 0.5) + MASS * G * ARM * q.sin();
    assert!(left.abs() < 1e-9 && (0.05..0.3).contains(&q), "{q}: {left}");
    assert!((number(&hinge["effort"][0]) + 3.0 * (q - 0.5)).abs() < 1e-9);
    let force = numbers(&hinge["force_n"]);
    assert!(force[0].abs() < 1e-9 && (force[1] - MASS * G).abs() < 1e-9, "{force:?}");
    let place = numbers(&answer["bodies"]["bob"]["position_m"]);
    assert!((place[0] - ARM * q.sin()).abs() < 1e-12 && (place[1] + ARM * q.cos()).abs() < 1e-12);
}

#[test]
fn answers_are_text_csv_or_json_and_values_can_be_set() {
    let folder = Folder::with("swing.toml", PENDULUM);
    let said = folder.carom(&["analyze", "equilibrium", "swing.toml"]).exits(0);
    for word in ["stable equilibrium", "x (m)", "bob", "hinge", " rad", "reaction (N)"] {
        assert!(said.out.contains(word), "{word} in {}", said.out);
    }
    let args =
        ["analyze", "equilibrium", "swing.toml", "--set", "params.k='0 N*m/rad'", "--csv", "--out", "a.json"];
    let csv = folder.carom(&args).exits(0);
    let lines: Vec<Vec<&str>> = csv.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 2);
    let at = lines[0].iter().position(|name| *name == "hinge.q_rad").unwrap();
    // Without a spring it hangs.
    assert!(lines[1][at].parse::<f64>().unwrap().abs() < 1e-9, "{}", lines[1][at]);
    let stored: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    assert_eq!(stored["joints"]["hinge"]["position"][0], lines[1][at].parse::<f64>().unwrap());
    let other = folder.carom(&["analyze", "modes", "swing.toml", "--out", "a.txt"]).exits(2);
    assert!(other.err.contains("FILE.json or FILE.csv") && other.out.is_empty(), "{}", other.err);
}

#[test]
fn a_mode_has_frequency_and_damping() {
    let folder = Folder::with("swing.toml", &changed(PENDULUM, ", rest = \"0.5 rad\"", ""));
    let answer = folder.carom(&["analyze", "modes", "swing.toml", "--json"]).exits(0).json();
    let modes = answer["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 1);
    let stiffness = 3.0 + MASS * G * ARM;
    let omega = (stiffness / INERTIA).sqrt();
    let ratio = 0.2 / (2.0 * (stiffness * INERTIA).sqrt());
    let turn = std::f64::consts::TAU;
    assert!((number(&modes[0]["undamped_frequency_hz"]) - omega / turn).abs() < 1e-8);
    assert!((number(&modes[0]["damping_ratio"]) - ratio).abs() < 1e-8);
    let wanted = omega * (1.0 - ratio * ratio).sqrt() / turn;
    assert!((number(&modes[0]["frequency_hz"]) - wanted).abs() < 1e-8);
    // Hanging, the bob moves by the arm times the angle.
    let bob = &modes[0]["bodies"]["bob"];
    let (shift, angle) = (number(&bob["translation_m"]["re"][0]), number(&bob["rotation_rad"]["re"][2]));
    assert!((shift - ARM * angle).abs() < 1e-9 && angle == 1.0, "{bob}");
    let said = folder.carom(&["analyze", "modes", "swing.toml", "--shapes"]).exits(0);
    assert!(said.out.contains("frequency (Hz)") && said.out.contains("about z (rad)"), "{}", said.out);
    let at_start =
        folder.carom(&["analyze", "modes", "swing.toml", "--at", "start", "--json"]).exits(0).json();
    let torque = 3.0 * 0.1 + MASS * G * ARM * 0.1_f64.sin();
    assert!((number(&at_start["unbalanced"]) - torque).abs() < 1e-9 && at_start["equilibrium"].is_null());
}

/// Ropes that do not stretch: one that would push is slack, one that was slack catches what falls, and of two the shorter one carries.
#[test]
fn ropes_pull_and_do_not_push() {
    let rope = |name: &str, length: &str| {
        format!(
            "[force.{name}]\ntype = \"cable\"\nideal = true\nlength = \"{length}\"\npath = [{{ body = \"world\" }}, {{ body = \"b\" }}]\n"
        )
    };
    let scene = |height: f64, spring: &str, ropes: &str| {
        format!(
            "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[body.b]\nmass = 1\ninertia = 0.01\npos = [0, 0, {height}]\n[joint.j]\ntype = \"prismatic\"\naxis = \"z\"\na = {{ body = \"world\" }}\nb = {{ body = \"b\" }}\n{spring}\n{ropes}[solver]\nt_end = 1\n"
        )
    };
    let spring = "spring = { stiffness = 100, rest = -0.5 }";
    let both = rope("long", "1.2 m") + &rope("short", "1 m");
    for (text, height, held) in [
        (scene(-0.8, spring, &rope("r", "0.8 m")), -0.5 - 9.81 / 100.0, 0.0),
        (scene(-0.5, "", &rope("r", "1 m")), -1.0, 9.81),
        (scene(-0.4, "", &both), -1.0, 9.81),
        (scene(-0.4, spring, &rope("r", "0.55 m")), -0.55, 9.81 - 5.0),
    ] {
        let folder = Folder::with("rope.toml", &text);
        let answer = folder.carom(&["analyze", "equilibrium", "rope.toml", "--json"]).exits(0).json();
        let place = numbers(&answer["bodies"]["b"]["position_m"]);
        assert!((place[2] - height).abs() < 1e-8, "{place:?} for {height}");
        let effort = numbers(&answer["joints"]["j"]["effort"]);
        assert!((effort[0] - (9.81 - held)).abs() < 1e-6, "{effort:?} for {held}");
    }
}

#[test]
fn what_is_not_held_has_no_equilibrium() {
    let free = changed(PENDULUM, "type     = \"revolute\"", "type     = \"prismatic\"\naxis = \"y\"");
    let free = changed(&changed(&free, SPRING, ""), "position = \"0.1 rad\"\n", "");
    let folder = Folder::with("falls.toml", &free);
    let said =
        folder.carom(&["analyze", "equilibrium", "falls.toml", "--max-iterations", "5", "--json"]).exits(3);
    assert_eq!(said.json()["error"]["code"], "E0607");
    assert!(said.err.contains("error[E0607]") && said.err.contains("hinge.displacement"), "{}", said.err);
    folder.carom(&["analyze", "equilibrium", "nowhere.toml"]).exits(2);
    folder.carom(&["analyze", "equilibrium", "falls.toml", "--tolerance", "2"]).exits(2);
}

/// The effort that a run records for a prescribed motor, and τ = J q̈ + m g s sin q.
#[test]
fn a_run_gives_the_efforts_that_drove_it() {
    let folder = Folder::with("swing.toml", &driven());
    folder.carom(&["run", "swing.toml", "--out", "run", "--no-report"]).exits(0);
    let answer =
        folder.carom(&["analyze", "inverse-dynamics", "swing.toml", "run", "--json"]).exits(0).json();
    let (times, efforts) = (numbers(&answer["time_s"]), numbers(&answer["efforts"]["hinge.effort_n_m"]));
    let recorded = folder.carom(&["plot", "run", "hinge.effort", "--csv"]).exits(0).out;
    let recorded: Vec<f64> =
        recorded.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(times.len() == 201 && recorded.len() == 201);
    for ((t, effort), recorded) in times.iter().zip(&efforts).zip(&recorded) {
        let q = 0.8 * (3.0 * t).sin();
        let wanted = INERTIA * -9.0 * q + MASS * G * ARM * q.sin();
        // Splines through velocities at 5 ms: h³/12 times the fourth derivative at the ends.
        assert!((effort - wanted).abs() < 2e-5 && (recorded - wanted).abs() < 1e-7, "{t}: {effort} {wanted}");
    }
    let missing = numbers(&answer["missing"]["missing_torque_n_m"]);
    assert!(missing.iter().all(|m| *m < 1e-12));
    let said = folder.carom(&["analyze", "inverse-dynamics", "swing.toml", "run"]).exits(0);
    assert!(said.out.contains("hinge.effort_n_m") && said.out.contains("rms"), "{}", said.out);
}

#[test]
fn a_csv_file_may_leave_velocities_out() {
    let folder = Folder::with("swing.toml", &driven());
    let mut text = String::from("time_s,hinge.q_rad\n");
    for k in 0..401 {
        let t = f64::from(k) * 2.5e-3;
        text.push_str(&format!("{t:?},{:?}\n", 0.8 * (3.0 * t).sin()));
    }
    folder.write("motion.csv", &text);
    let args = ["analyze", "inverse-dynamics", "swing.toml", "motion.csv", "--csv", "--loads", "none"];
    let said = folder.carom(&args).exits(0);
    assert!(said.err.contains("velocities are derivatives of the coordinates: hinge"), "{}", said.err);
    let mut lines = said.out.lines();
    assert_eq!(lines.next(), Some("time_s,hinge.effort_n_m,missing_force_n,missing_torque_n_m"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 401);
    // Away from the ends, where the derivative of a derivative is of second order only.
    for row in &rows[10..391] {
        let wanted = INERTIA * -9.0 * 0.8 * (3.0 * row[0]).sin();
        assert!((row[1] - wanted).abs() < 1e-5, "{row:?} {wanted}");
    }
}

#[test]
fn mistakes_in_motions_have_codes() {
    let folder = Folder::with("swing.toml", &driven());
    let with = |text: &str, more: &[&str], code: &str, part: &str| {
        folder.write("motion.csv", text);
        let args = [&["analyze", "inverse-dynamics", "swing.toml", "motion.csv", "--json"], more].concat();
        let said = folder.carom(&args).exits(2);
        assert_eq!(said.json()["error"]["code"], code, "{}", said.err);
        assert!(said.err.contains(part), "{part} in {}", said.err);
    };
    with("time_s,elbow.q_rad\n0,0\n", &[], "E0609", "no column hinge.q_rad");
    with("time_s,hinge.q_rad\n", &[], "E0609", "no rows");
    with("time_s,hinge.q_rad\n0,0\n0,1\n", &[], "E0609", "do not ascend");
    with("time_s,hinge.q_rad\n0,0\n1,x\n", &[], "E0710", "row 3");
    with("time_s,hinge.q_rad\n0,0\n1\n", &[], "E0710", "row 3 has 1 cells");
    with("time_s,hinge.q_rad\n0,0\n", &["--drive", "hing"], "E0611", "hinge.angle");
    let said = folder.carom(&["analyze", "inverse-dynamics", "swing.toml", "nowhere"]).exits(2);
    assert!(said.err.contains("error[E0701]"), "{}", said.err);
}

/// Two links of a double pendulum about y on a base that is free; the base comes last in the file.
const ARMS: &str = r#"<robot name="arms">
  <link name="lower"><inertial><origin xyz="0 0 -0.15"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.012" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="base"><inertial><mass value="5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/><dynamics damping="3"/></joint>
</robot>
"#;

#[test]
fn a_robot_has_its_equations_of_motion() {
    let folder = Folder::with("arms.urdf", ARMS);
    let (q1, q2, v1, v2) = (0.4_f64, -1.1_f64, 0.7, 1.9);
    let state = format!(
        r#"{{"q": {{"shoulder": {q1}, "elbow": [{q2}]}}, "v": {{"shoulder": {v1}, "elbow": {v2}}}}}"#
    );
    folder
        .write("states.json", &format!(r#"{{"joints": ["elbow", "shoulder"], "states": [{{}}, {state}]}}"#));
    let args = ["analyze", "dynamics", "arms.urdf", "--states", "states.json"];
    let answer = folder.carom(&[&args[..], &["--json"]].concat()).exits(0).json();
    assert_eq!(answer["joints"], serde_json::json!(["elbow", "shoulder"]));
    assert_eq!(answer["states"].as_array().unwrap().len(), 2);
    let state = &answer["states"][1];
    let (m1, c1, i1, l) = (2.0, 0.2, 0.03, 0.4);
    let (m2, c2, i2) = (1.0, 0.15, 0.012);
    let lower = i2 + m2 * c2 * c2;
    let both = lower + m2 * l * c2 * q2.cos();
    let upper = i1 + m1 * c1 * c1 + lower + m2 * l * (l + 2.0 * c2 * q2.cos());
    let (weight, swirl) = (m2 * c2 * G * (q1 + q2).sin(), m2 * l * c2 * q2.sin());
    let bias = [
        swirl * v1 * v1 + weight,
        -swirl * v2 * (2.0 * v1 + v2) + (m1 * c1 + m2 * l) * G * q1.sin() + weight,
    ];
    for (row, wanted) in [[lower, both], [both, upper]].iter().enumerate() {
        for (column, wanted) in wanted.iter().enumerate() {
            assert!((number(&state["mass_matrix"][row][column]) - wanted).abs() < 1e-14);
        }
        assert!((number(&state["bias"][row]) - bias[row]).abs() < 1e-13, "{state} {bias:?}");
    }
    // Without a choice of joints the base has rows too: its mass is that of all.
    let all = folder.carom(&["analyze", "dynamics", "arms.urdf", "--json"]).exits(0).json();
    assert_eq!((&all["freedoms"][0], all["freedoms"].as_array().unwrap().len()), (&"base.x".into(), 8));
    assert!((number(&all["states"][0]["mass_matrix"][0][0]) - 8.0).abs() < 1e-14);
    let said = folder.carom(&[&args[..], &["--loads", "all"]].concat()).exits(0);
    assert!(said.out.contains("elbow.angle") && said.out.contains("mass matrix"), "{}", said.out);
}

#[test]
fn mistakes_in_states_have_a_code() {
    let folder = Folder::with("arms.urdf", ARMS);
    for (text, part) in [
        ("{", "is not JSON"),
        (r#"{"joints": ["elbow"]}"#, "no list \"states\""),
        (r#"{"joints": ["knee"], "states": []}"#, "there are: shoulder, elbow"),
        (r#"{"states": [{"q": {"knee": 1}}]}"#, "there is no joint \"knee\""),
        (r#"{"states": [{"q": {"elbow": [1, 2]}}]}"#, "states[0].q.elbow: expected 1 numbers, got 2"),
        (r#"{"states": [{"v": {"elbow": "1"}}]}"#, "states[0].v.elbow"),
        (r#"{"states": [{"v": 3}]}"#, "states[0].v must be an object"),
    ] {
        folder.write("states.json", text);
        let args = ["analyze", "dynamics", "arms.urdf", "--states", "states.json", "--json"];
        let said = folder.carom(&args).exits(2);
        assert_eq!(said.json()["error"]["code"], "E0610");
        assert!(said.err.contains(part), "{part} in {}", said.err);
    }
}

/// A kilogram on a vertical slide, held by what is filled in.
fn on_slide(joint: &str, rest: &str) -> String {
    format!(
        r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[body.b]
mass = 1
inertia = 0.01
pos = [0, 0, -1]
[joint.j]
type = "prismatic"
axis = "z"
a = {{ body = "world", at = [0, 0, -1] }}
b = {{ body = "b" }}
{joint}
{rest}
[solver]
t_end = 1
"#
    )
}

/// An elastic cable stretched by a tenth of a millimetre, or a stop that is as near: forces have kinks there, and the frequency is
/// √(k/m) of what acts at the state, to the eighth digit.
#[test]
fn cables_and_stops_near_their_kinks_have_their_own_stiffness() {
    let cable = |stiffness: f64| {
        let length = 1.0 - G / stiffness;
        let force = format!(
            "[force.c]\ntype = \"cable\"\npath = [{{ body = \"world\" }}, {{ body = \"b\" }}]\nstiffness = {stiffness}\nlength = {length:.17}"
        );
        (on_slide("", &force), stiffness)
    };
    let stop = |gap: f64| {
        // At rest on its spring, 98.1 mm below the place where that is relaxed.
        let joint = format!("spring = {{ stiffness = 100, rest = 0.0981 }}\nlimit = {{ lower = {} }}", -gap);
        (on_slide(&joint, ""), 100.0)
    };
    for (text, stiffness) in [cable(1e4), cable(1e6), stop(1e-3), stop(1e-4), stop(1e-6), stop(0.0)] {
        let folder = Folder::with("m.toml", &text);
        let answer: Value = folder.carom(&["analyze", "modes", "m.toml", "--json"]).exits(0).json();
        let found = number(&answer["modes"][0]["frequency_hz"]);
        let want = f64::sqrt(stiffness) / std::f64::consts::TAU;
        assert!((found / want - 1.0).abs() < 1e-8, "{found} {want}: {text}");
    }
}

/// Stops that do not give carry nothing in an equilibrium: it is refused, by name.
#[test]
fn what_does_not_give_is_no_place_for_an_equilibrium() {
    let stop = "limit = { lower = -0.1, nonsmooth = { e_n = 0.3 } }";
    for (joint, words) in [
        (format!("spring = {{ stiffness = 50 }}\n{stop}"), "9.620e-2 m or rad inside"),
        (stop.to_owned(), "does not give, and carries nothing"),
    ] {
        let folder = Folder::with("m.toml", &on_slide(&joint, ""));
        let said = folder.carom(&["analyze", "equilibrium", "m.toml"]).exits(3);
        assert!(said.err.contains("E0607") && said.err.contains(words), "{}", said.err);
    }
}
