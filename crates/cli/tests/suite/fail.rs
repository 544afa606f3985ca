//! Runs that cannot go on: exit code 3, names, rows kept.

use serde_json::Value;

use crate::kit::{DROP, Folder, changed};

/// Runs a model that fails and returns its JSON and what was said.
#[track_caller]
fn fails(model: &str, code: &str) -> (Value, String) {
    let folder = Folder::with("drop.toml", model);
    let said = folder.carom(&["run", "drop.toml", "--json", "--out", "out"]).exits(3);
    let run = said.json();
    assert_eq!(run["end"]["reason"], "failed");
    assert_eq!(run["error"]["code"], code);
    assert_eq!(run["error"]["time_s"], run["end"]["time_s"]);
    assert!(said.err.contains(&format!("error[{code}]: ")), "{}", said.err);
    assert!(said.err.contains("= help: "), "{}", said.err);
    let rows = folder.carom(&["info", "out", "--json"]).exits(0).json()["tables"][0].clone();
    assert_eq!(rows["name"], "states");
    let kept = (run["end"]["time_s"].as_f64().unwrap() / 0.01).floor();
    assert!(rows["rows"].as_u64().unwrap() as f64 >= kept, "{rows} of {kept}");
    assert!(folder.path("out/report.html").is_file());
    (run, said.err)
}

#[test]
fn a_force_that_is_not_finite_names_its_pair() {
    let model = changed(DROP, "stiffness = \"1e7 N/m^1.5\"", "stiffness = \"1e308 N/m^1.5\"");
    let model = changed(&model, "\"1.1 m\"", "\"2000 m\"");
    let model = changed(&model, "\"1 s\"", "\"30 s\"");
    let (run, err) = fails(&model, "E0601");
    assert_eq!(run["error"]["pair"], "floor");
    assert!((run["end"]["time_s"].as_f64().unwrap() - 20.19).abs() < 0.1, "{err}");
    assert!(err.contains("\"floor\""));
}

#[test]
fn a_step_under_its_limit_names_its_body() {
    let model = changed(DROP, "rtol  = 1e-9", "rtol  = 1e-9\nh_min = \"0.1 ms\"\nh_max = \"1 ms\"");
    let (run, err) = fails(&model, "E0602");
    assert_eq!(run["error"]["body"], "ball");
    assert!((run["end"]["time_s"].as_f64().unwrap() - 0.4515).abs() < 1e-2);
    assert!(err.contains("\"ball\"") && err.contains("t = 0.45"), "{err}");
}

#[test]
fn too_many_events_name_their_pair() {
    let model = changed(DROP, "rtol  = 1e-9", "rtol  = 1e-9\nmax_events = 1");
    let (run, err) = fails(&model, "E0603");
    assert_eq!(run["error"]["pair"], "floor");
    assert!(err.contains("\"floor\""));
}

#[test]
fn too_many_steps_stop() {
    let model = changed(DROP, "rtol  = 1e-9", "rtol  = 1e-9\nmax_steps = 20");
    fails(&model, "E0604");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = Folder::with("drop.toml", DROP);
    folder.write("file", "");
    let said = folder.carom(&["run", "drop.toml", "--out", "file/run"]).exits(2);
    assert!(said.err.contains("error[E0705]") && said.err.contains("file/run"), "{}", said.err);
}
