//! What a run may write into, and that one at a time does.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::{env, fs};

use crate::kit::{DROP, Folder, assert_same_tables, long, said_by, signal};

#[test]
fn a_folder_with_other_files_is_refused_and_left_alone() {
    let folder = Folder::with("variant.toml", DROP);
    folder.write("model.toml", "my model");
    for force in [&[][..], &["--force"]] {
        let said = folder.carom(&[&["run", "variant.toml", "-o", "."], force].concat()).exits(2);
        assert!(said.err.contains("error[E0711]") && said.err.contains("model.toml"), "{}", said.err);
    }
    assert_eq!(folder.list("."), ["model.toml", "variant.toml"]);
    assert_eq!(folder.read("model.toml"), "my model");
    // Resuming writes too.
    let said = folder.carom(&["run", "variant.toml", "-o", ".", "--resume"]).exits(2);
    assert!(said.err.contains("error[E0701]"), "{}", said.err);
    assert_eq!(folder.list("."), ["model.toml", "variant.toml"]);
}

#[test]
fn a_model_file_that_was_changed_in_a_runs_folder_is_kept_unless_told() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "-o", "out"]).exits(0);
    folder.write("out/model.toml", "my work");
    let said = folder.carom(&["run", "drop.toml", "-o", "out"]).exits(2);
    assert!(said.err.contains("error[E0713]") && said.err.contains("--force"), "{}", said.err);
    assert_eq!(folder.read("out/model.toml"), "my work");
    // It is no longer what the run was made of.
    let said = folder.carom(&["info", "out"]).exits(2);
    assert!(said.err.contains("error[E0704]") && said.err.contains("model.toml"), "{}", said.err);
    folder.carom(&["run", "drop.toml", "-o", "out", "--force"]).exits(0);
    assert_eq!(folder.read("out/model.toml"), DROP);
}

/// Every name that a run writes, as a link to a file of the user.
#[test]
fn links_in_a_runs_folder_lead_nowhere() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "-o", "out"]).exits(0);
    folder.write("mine", "mine");
    for name in folder
        .list("out")
        .into_iter()
        .chain(["states.arrows", "checkpoint.bin", "reserve.bin"].map(str::to_owned))
    {
        if name == "run.json" {
            continue;
        }
        let _ = fs::remove_file(folder.path(&format!("out/{name}")));
        symlink(folder.path("mine"), folder.path(&format!("out/{name}"))).unwrap();
    }
    folder.carom(&["run", "drop.toml", "-o", "out", "--force"]).exits(0);
    folder.carom(&["report", "out"]).exits(0);
    assert_eq!(folder.read("mine"), "mine");
    folder.carom(&["info", "out"]).exits(0);
}

#[test]
fn commands_that_write_a_file_replace_it_only_when_told() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "-o", "out"]).exits(0);
    folder.write("mine.svg", "mine");
    folder.write("mine.csv", "mine");
    fs::create_dir(folder.path("tables")).unwrap();
    folder.write("tables/events.csv", "mine");
    fs::create_dir(folder.path("one.csv.tmp")).unwrap();
    folder.write("one.csv.tmp/notes", "mine");
    for args in [
        &["plot", "out", "ball.z", "-o", "mine.svg"][..],
        &["convert", "out", "mine.csv"],
        &["convert", "out", "tables"],
        &["new", "billiard", "mine.svg"],
    ] {
        let said = folder.carom(args).exits(2);
        assert!(said.err.contains("exists and is not replaced"), "{}", said.err);
    }
    for file in ["mine.svg", "mine.csv", "tables/events.csv"] {
        assert_eq!(folder.read(file), "mine");
    }
    folder.carom(&["plot", "out", "ball.z", "-o", "mine.svg", "--force"]).exits(0);
    // A chart of its own is drawn anew.
    folder.carom(&["plot", "out", "ball.vz", "-o", "mine.svg"]).exits(0);
    folder.carom(&["convert", "out", "mine.csv", "--force"]).exits(0);
    folder.carom(&["convert", "out", "tables", "--force"]).exits(0);
    assert!(folder.read("tables/events.csv").starts_with("time_s,"));
    // Beside a file no folder of the same name is used and removed.
    folder.carom(&["convert", "out", "one.csv"]).exits(0);
    assert_eq!(folder.read("one.csv.tmp/notes"), "mine");
}

/// Ten times (or `CAROM_PAIRS`) two runs at once: one runs to its end, the other is told who does.
#[test]
fn of_two_runs_at_once_one_runs_and_one_is_told() {
    let folder = Folder::with("long.toml", &long());
    folder.carom(&["run", "long.toml", "-o", "whole", "--no-report"]).exits(0);
    let times: usize = env::var("CAROM_PAIRS").map_or(2, |number| number.parse().unwrap());
    for number in 0..times {
        let out = format!("out{number}");
        // Every second time into the default folder, which the model's name and hash give.
        let own = ["run", "long.toml", "-o", &out, "--no-report"];
        let args = if number % 2 == 0 { &own[..] } else { &["run", "long.toml", "--no-report", "--force"] };
        let (a, b) = (folder.start(args), folder.start(args));
        let ids = [a.id(), b.id()];
        let (a, b) = (said_by(a), said_by(b));
        let (ran, told, runner) = if a.code == Some(0) { (a, b, ids[0]) } else { (b, a, ids[1]) };
        let (ran, told) = (ran.exits(0), told.exits(2));
        assert!(told.err.contains("error[E0712]"), "{}", told.err);
        assert!(told.err.contains(&format!("process {runner} ")), "{} is not in {}", runner, told.err);
        assert_same_tables(&folder.path("whole"), &folder.path(ran.last_line()));
    }
}

#[test]
fn a_run_that_is_under_way_is_told_from_one_that_was_killed() {
    let folder = Folder::with("long.toml", &long());
    let child = folder.start(&["run", "long.toml", "-o", "out", "--checkpoint-every", "0.02"]);
    folder.wait_for("out/checkpoint.bin");
    let info = folder.carom(&["info", "out"]).exits(0);
    assert!(info.out.contains(&format!("under way: process {}", child.id())), "{}", info.out);
    assert_eq!(folder.carom(&["info", "out", "--json"]).exits(0).json()["end"]["state"], "running");
    let said = folder.carom(&["recover", "out"]).exits(2);
    assert!(said.err.contains("error[E0712]"), "{}", said.err);
    let forced = folder.carom(&["recover", "out", "--force"]).exits(2);
    assert!(forced.err.contains("error[E0712]"), "a living process keeps its folder");
    signal(&child, "-KILL");
    said_by(child);
    let info = folder.carom(&["info", "out"]).exits(0);
    assert!(info.out.contains("was killed: carom recover out"), "{}", info.out);
    assert_eq!(folder.carom(&["info", "out", "--json"]).exits(0).json()["end"]["state"], "killed");
    let said = folder.carom(&["recover", "out"]).exits(0);
    assert!(said.err.contains("took over"), "{}", said.err);
    assert!(!folder.path("out/run.lock").exists());
}

#[test]
fn a_lock_of_another_host_needs_force() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "-o", "out"]).exits(0);
    let other = r#"{"process": 7, "host": "far.example", "started": "2026-01-01T00:00:00Z"}"#;
    folder.write("out/run.lock", other);
    let said = folder.carom(&["run", "drop.toml", "-o", "out"]).exits(2);
    assert!(said.err.contains("error[E0712]") && said.err.contains("far.example"), "{}", said.err);
    let forced = folder.carom(&["run", "drop.toml", "-o", "out", "--force"]).exits(0);
    assert!(forced.err.contains("took over"), "{}", forced.err);
}
