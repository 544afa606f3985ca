//! After a kill: the rest of the run has the same bits, and what is there can be saved.
#![cfg(unix)]

use std::fs;

use crate::kit::{DROP, Folder, assert_same_tables, long, said_by, signal};

/// A run that was killed after a checkpoint.
fn killed(folder: &Folder, out: &str) {
    let mut child = folder.start(&["run", "long.toml", "--out", out, "--checkpoint-every", "0.02"]);
    folder.wait_for(&format!("{out}/checkpoint.bin"));
    assert_eq!(child.try_wait().unwrap(), None, "the run is longer than this");
    signal(&child, "-KILL");
    assert_eq!(said_by(child).code, None);
}

#[test]
fn a_killed_run_goes_on_with_the_same_bits() {
    let folder = Folder::with("long.toml", &long());
    let whole = folder.carom(&["run", "long.toml", "--out", "whole", "--json"]).exits(0).json();
    killed(&folder, "part");
    let rest = folder.carom(&["run", "long.toml", "--out", "part", "--json", "--resume"]).exits(0).json();
    for part in ["bodies", "contacts", "energy", "end"] {
        assert_eq!(whole[part], rest[part]);
    }
    assert_eq!(whole["statistics"]["steps"], rest["statistics"]["steps"]);
    assert_same_tables(&folder.path("whole"), &folder.path("part"));
}

#[test]
fn a_killed_run_can_be_recovered_then_resumed() {
    let folder = Folder::with("long.toml", &long());
    killed(&folder, "part");
    let said = folder.carom(&["recover", "part"]).exits(0);
    assert!(said.err.contains("states.parquet") && said.err.contains("--resume"), "{}", said.err);
    assert!(said.last_line().ends_with("report.html") && folder.path(said.last_line()).is_file());
    let info = folder.carom(&["info", "part", "--json"]).exits(0).json();
    assert_eq!(info["end"]["reason"], "killed");
    let again = folder.carom(&["recover", "part"]).exits(0);
    assert!(again.err.contains("nothing to recover"));
    folder.carom(&["run", "long.toml", "--out", "part", "--resume"]).exits(0);
}

#[test]
fn a_changed_model_is_refused() {
    let folder = Folder::with("long.toml", &long());
    killed(&folder, "part");
    let resume = |set: &str| folder.carom(&["run", "long.toml", "--out", "part", "--resume", "--set", set]);
    let other = resume("body.ball.mass=2 kg").exits(2);
    assert!(other.err.contains("error[E0702]"), "{}", other.err);
    let recording = resume("output.every=0.5 s").exits(2);
    assert!(recording.err.contains("records at other times"), "{}", recording.err);
    let shorter = resume("solver.t_end=1999 s").exits(0);
    assert!(shorter.err.contains("at t = 1999 s"), "{}", shorter.err);
}

#[test]
fn there_must_be_something_to_resume() {
    let folder = Folder::with("drop.toml", DROP);
    let none = folder.carom(&["run", "drop.toml", "--out", "out", "--resume"]).exits(2);
    assert!(none.err.contains("error[E0701]"), "{}", none.err);
    folder.carom(&["run", "drop.toml", "--out", "out"]).exits(0);
    let finished = folder.carom(&["run", "drop.toml", "--out", "out", "--resume"]).exits(2);
    assert!(finished.err.contains("error[E0703]"), "{}", finished.err);
    assert!(fs::metadata(folder.path("out/states.parquet")).is_ok());
}
