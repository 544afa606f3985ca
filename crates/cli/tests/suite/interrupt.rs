//! Ctrl-C.
#![cfg(unix)]

use std::thread;
use std::time::Duration;

use crate::kit::{DROP, Folder, changed, said_by, signal};

/// A run that would take minutes.
fn endless() -> String {
    changed(&changed(DROP, "restitution = 0.8", "restitution = 1"), "\"1 s\"", "\"1e6 s\"")
}

#[test]
fn a_stop_is_clean_and_says_how_to_go_on() {
    let folder = Folder::with("drop.toml", &endless());
    let args = ["run", "drop.toml", "--out", "out", "--json", "--set", "output.every=1 s"];
    let child = folder.start(&args);
    folder.wait_for("out/states.arrows");
    thread::sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    let said = said_by(child).exits(130);
    let run = said.json();
    assert_eq!(run["end"]["reason"], "interrupted");
    let time = run["end"]["time_s"].as_f64().unwrap();
    assert!(time < 1e6);
    assert!(
        said.err.contains("carom run drop.toml --out out --json --set 'output.every=1 s' --resume"),
        "{}",
        said.err
    );
    assert!(folder.path("out/checkpoint.bin").is_file() && folder.path("out/states.parquet").is_file());
    let mut again: Vec<&str> = args.to_vec();
    again.push("--resume");
    let child = folder.start(&again);
    folder.wait_for("out/states.arrows");
    thread::sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    let later = said_by(child).exits(130).json()["end"]["time_s"].as_f64().unwrap();
    assert!(later > time, "{later} after {time}");
}
