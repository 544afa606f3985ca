//! The object of `carom run --json`: an acceptance contract.

use serde_json::Value;

use crate::kit::{DROP, Folder};

const ACCOUNTS: [&str; 13] = [
    "kinetic_j",
    "gravity_j",
    "springs_j",
    "contact_elastic_j",
    "work_motors_j",
    "work_external_j",
    "dissipated_normal_j",
    "dissipated_friction_j",
    "dissipated_viscous_j",
    "dissipated_impact_j",
    "projection_j",
    "model_defect_j",
    "residual_j",
];

#[track_caller]
fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let list = value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    list.try_into().unwrap()
}

#[test]
fn one_object_has_all_parts_with_units() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["run", "drop.toml", "--json"]).exits(0);
    assert_eq!(said.out.lines().count(), 1);
    let run = said.json();
    assert_eq!(run["schema"], 3);
    assert_eq!(run["end"]["reason"], "finished");
    assert_eq!(run["end"]["time_s"], 1.0);
    for count in ["steps", "rejected", "rhs", "events"] {
        assert!(run["statistics"][count].is_u64(), "{count}");
    }
    assert!(run["statistics"]["wall_s"].as_f64().unwrap() > 0.0);
    for account in ACCOUNTS.iter().chain(&["residual_relative"]) {
        assert!(run["energy"][account].as_f64().unwrap().is_finite(), "{account}");
    }
    let ball = &run["bodies"]["ball"];
    let position: [f64; 3] = numbers(&ball["position_m"]);
    let velocity: [f64; 3] = numbers(&ball["velocity_m_s"]);
    let quaternion: [f64; 4] = numbers(&ball["quaternion_wxyz"]);
    assert_eq!(numbers::<3>(&ball["angular_velocity_rad_s"]), [0.0; 3]);
    assert_eq!(quaternion, [1.0, 0.0, 0.0, 0.0]);
    // Two metres per second up to the first contact, then less: the energy books say the same.
    let energy = 9.81 * position[2] + 0.5 * velocity[2] * velocity[2];
    let booked = run["energy"]["kinetic_j"].as_f64().unwrap() + run["energy"]["gravity_j"].as_f64().unwrap();
    assert!((energy - booked).abs() < 1e-12 * energy);
    let floor = &run["contacts"]["floor"];
    assert!((1e-3..1e-2).contains(&floor["max_penetration_m"].as_f64().unwrap()));
    assert!(floor["impulse_n_s"].as_f64().unwrap() > 8.0);
    assert!(folder.path(run["run_dir"].as_str().unwrap()).is_dir());
    assert!(run.get("error").is_none() && run.get("expect").is_none());
}

#[test]
fn a_stored_run_gives_the_same_numbers() {
    let folder = Folder::with("drop.toml", DROP);
    let first = folder.carom(&["run", "drop.toml", "--json"]).exits(0);
    let second = folder.carom(&["run", "drop.toml", "--json"]).exits(0);
    assert!(second.err.contains("already there"), "{}", second.err);
    assert_eq!(first.json(), second.json());
}

#[test]
fn expectations_are_in_the_object() {
    let expect = "\n[expect]\n\"floor.begin[0].time\" = { value = \"0.4515236 s\", tol = \"1e-6 s\" }\n\"ball.z max\" = { below = \"1 m\" }\n";
    let folder = Folder::with("drop.toml", &format!("{DROP}{expect}"));
    let run = folder.carom(&["run", "drop.toml", "--json", "--expect"]).exits(1).json();
    let verdicts = run["expect"].as_array().unwrap();
    assert_eq!(verdicts.len(), 2);
    assert_eq!((&verdicts[0]["passed"], &verdicts[1]["passed"]), (&Value::Bool(true), &Value::Bool(false)));
    assert_eq!(verdicts[1]["measured"], 1.1);
}

#[test]
fn a_broken_model_is_an_object_too() {
    let folder = Folder::with("drop.toml", &DROP.replace("mass  = \"1 kg\"", "mass  = \"-1 kg\""));
    let said = folder.carom(&["run", "drop.toml", "--json"]).exits(2);
    let report = said.json();
    assert_eq!(report["errors"], 1);
    assert_eq!(report["diagnostics"][0]["code"], "E0311");
    assert!(said.err.contains("error[E0311]"));
}

#[test]
fn what_could_not_start_is_an_object_too() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["run", "drop.toml", "--json", "--resume"]).exits(2);
    assert_eq!(said.json()["error"]["code"], "E0701");
    let said = folder.carom(&["run", "none.toml", "--json"]).exits(2);
    assert_eq!(said.json()["diagnostics"][0]["code"], "E0204");
}
