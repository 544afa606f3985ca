//! Where runs go and what they leave.

use crate::kit::{DROP, Folder, assert_same_tables, changed};

#[test]
fn the_last_line_is_the_path_of_the_report() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["run", "drop.toml"]).exits(0);
    assert!(said.last_line().ends_with("report.html"), "{}", said.out);
    assert!(folder.path(said.last_line()).is_file());
    assert!(said.last_line().starts_with("runs/drop-"));
    for word in ["finished at t = 1 s", "residual", "deepest", "solve"] {
        assert!(said.err.contains(word), "{word} in {}", said.err);
    }
}

#[test]
fn the_same_run_is_not_repeated_unless_forced() {
    let folder = Folder::with("drop.toml", DROP);
    let first = folder.carom(&["run", "drop.toml"]).exits(0);
    let second = folder.carom(&["run", "drop.toml"]).exits(0);
    assert!(second.err.contains("already there"));
    assert_eq!(first.last_line(), second.last_line());
    let forced = folder.carom(&["run", "drop.toml", "--force"]).exits(0);
    assert!(!forced.err.contains("already there"));
    assert_eq!(folder.list("runs").len(), 1);
}

#[test]
fn another_output_interval_is_another_run() {
    let folder = Folder::with("drop.toml", DROP);
    let first = folder.carom(&["run", "drop.toml"]).exits(0);
    let finer = folder.carom(&["run", "drop.toml", "--set", "output.every=1 ms"]).exits(0);
    assert!(!finer.err.contains("already there"));
    assert_eq!(first.last_line(), finer.last_line());
}

#[test]
fn out_is_exactly_that_folder_and_never_a_stored_run() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "--out", "here/it is"]).exits(0);
    let files = folder.list("here/it is");
    for file in ["run.json", "model.toml", "resolved.json", "states.parquet", "energy.parquet", "report.html"]
    {
        assert!(files.iter().any(|f| f == file), "{file} in {files:?}");
    }
    folder.write("here/it is/mine.txt", "not the program's");
    let again = folder.carom(&["run", "drop.toml", "-o", "here/it is"]).exits(0);
    assert!(!again.err.contains("already there"));
    assert_eq!(folder.read("here/it is/mine.txt"), "not the program's");
    assert!(!folder.path("runs").exists());
    assert_eq!(folder.read("here/it is/model.toml"), DROP);
}

#[test]
fn set_changes_the_model_and_the_folder() {
    let folder = Folder::with("drop.toml", DROP);
    let run = folder.carom(&["run", "drop.toml", "--json", "--set", "body.ball.mass=2 kg"]).exits(0).json();
    let plain = folder.carom(&["run", "drop.toml", "--json"]).exits(0).json();
    assert_ne!(run["run_dir"], plain["run_dir"]);
    let gravity = |run: &serde_json::Value| {
        run["energy"]["gravity_j"].as_f64().unwrap()
            / run["bodies"]["ball"]["position_m"][2].as_f64().unwrap()
    };
    assert!((gravity(&run) - 2.0 * 9.81).abs() < 1e-9);
    assert!((gravity(&plain) - 9.81).abs() < 1e-9);
    let unknown = folder.carom(&["run", "drop.toml", "--set", "body.bal.mass=2"]).exits(2);
    assert!(unknown.err.contains("did you mean \"ball\"?"), "{}", unknown.err);
}

#[test]
fn t_end_and_method_override_the_file() {
    let folder = Folder::with("drop.toml", DROP);
    let run = folder.carom(&["run", "drop.toml", "--json", "--t-end", "0.25 s"]).exits(0).json();
    assert_eq!(run["end"]["time_s"], 0.25);
    folder.carom(&["run", "drop.toml", "--method", "floor=analytic"]).exits(0);
    let said = folder.carom(&["run", "drop.toml", "--method", "pcm"]).exits(2);
    assert!(said.err.contains("pcm"), "{}", said.err);
}

#[test]
fn expectations_decide_the_exit_code() {
    let expect = |limit: &str| format!("{DROP}\n[expect]\n\"ball.z max\" = {{ below = \"{limit}\" }}\n");
    let folder = Folder::with("good.toml", &expect("1.2 m"));
    folder.write("bad.toml", &expect("1 m"));
    let good = folder.carom(&["run", "good.toml", "--expect", "--out", "good"]).exits(0);
    assert!(good.err.contains("met       ball.z max"), "{}", good.err);
    let bad = folder.carom(&["run", "bad.toml", "--expect", "--out", "bad"]).exits(1);
    assert!(bad.err.contains("FAILED    ball.z max"), "{}", bad.err);
    folder.carom(&["run", "bad.toml", "--out", "bad"]).exits(0);
}

/// A door slams into its stop between two output times: the rows know nothing of a torque of I ω √(K/I).
#[test]
fn the_torque_of_a_stop_cannot_hide_between_rows() {
    let model = r#"
format = 1
name   = "door"

[world]
gravity = [0, 0, 0]

[body.frame]
fixed = true

[body.door]
mass    = "40 kg"
inertia = ["13 kg*m^2", "3 kg*m^2", "10 kg*m^2"]

[joint.hinge]
type     = "revolute"
a        = { body = "frame" }
b        = { body = "door" }
velocity = "2 rad/s"
limit    = { upper = "1.007 rad", stiffness = "8.1e6 N*m/rad", exponent = 1, restitution = 1 }

[solver]
t_end = "1 s"
rtol  = 1e-9

[output]
every = "0.25 s"

[expect]
"hinge.limit.fn max" = { LIMIT }
"#;
    let folder = Folder::with("bad.toml", &model.replace("LIMIT", "below = \"5 kN*m\""));
    folder.write("good.toml", &model.replace("LIMIT", "value = \"18 kN*m\", tol = \"0.02 N*m\""));
    let bad = folder.carom(&["run", "bad.toml", "--expect", "--out", "bad"]).exits(1);
    assert!(bad.err.contains("FAILED    hinge.limit.fn max"), "{}", bad.err);
    let good = folder.carom(&["run", "good.toml", "--expect", "--json", "--out", "good"]).exits(0).json();
    let totals = &good["contacts"]["hinge.limit"];
    let peak = totals["max_fn_n"].as_f64().unwrap();
    assert!((peak / 18e3 - 1.0).abs() < 1e-6, "{peak}");
    assert_eq!(good["lines"][0]["greatest_fn_n"]["value"].as_f64(), Some(peak));
    let info = folder.carom(&["info", "good"]).exits(0);
    assert!(info.out.contains("1.800000e4 N m"), "{}", info.out);
    let page = folder.read("good/report.html");
    assert!(page.contains("Torque at limits"), "the point of a chart without a curve");
}

#[test]
fn an_event_that_did_not_happen_fails_its_expectation() {
    let model = format!("{DROP}\n[expect]\n\"floor.begin[7].time\" = {{ below = \"1 s\" }}\n");
    let folder = Folder::with("drop.toml", &model);
    let said = folder.carom(&["run", "drop.toml", "--expect"]).exits(1);
    assert!(said.err.contains("FAILED    floor.begin[7].time"), "{}", said.err);
}

#[test]
fn a_misspelt_expectation_costs_no_run() {
    let model = format!("{DROP}\n[expect]\n\"floor.fnn max\" = {{ below = \"1 N\" }}\n");
    let folder = Folder::with("drop.toml", &model);
    let said = folder.carom(&["run", "drop.toml"]).exits(2);
    assert!(said.err.contains("--> drop.toml:") && said.err.contains("did you mean"), "{}", said.err);
    assert!(!folder.path("runs").exists());
}

#[test]
fn two_runs_of_a_model_have_the_same_bits() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "--out", "a"]).exits(0);
    folder.carom(&["run", "drop.toml", "--out", "b"]).exits(0);
    assert_same_tables(&folder.path("a"), &folder.path("b"));
}

#[test]
fn events_are_shown_as_they_come() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["run", "drop.toml", "--log-events", "--no-report"]).exits(0);
    let line = said.err.lines().find(|l| l.contains("contact_begin")).unwrap();
    assert!(line.starts_with("t = 0.4515236") && line.contains("floor"), "{line}");
    assert!(said.err.contains("contact_end"));
    assert!(said.last_line().starts_with("runs/drop-") && !said.last_line().ends_with(".html"));
}

#[test]
fn a_warning_of_the_model_is_in_the_results() {
    let model = changed(DROP, "restitution = 0.8", "restitution = 0.001, normal = \"exact\"");
    let model = changed(&model, "normal = \"hunt-crossley\", ", "");
    let folder = Folder::with("drop.toml", &model);
    let run = folder.carom(&["run", "drop.toml", "--json"]).exits(0).json();
    assert!(!run["warnings"].as_array().unwrap().is_empty());
}
