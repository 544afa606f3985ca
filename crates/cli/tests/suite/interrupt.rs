//! Ctrl-C, and the signals that job schedulers and terminals send.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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

#[test]
fn job_schedulers_and_hang_ups_close_a_run_too() {
    let folder = Folder::with("drop.toml", &endless());
    for (name, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let out = format!("out{code}");
        let child = folder.start(&["run", "drop.toml", "--out", &out, "--json", "--set", "output.every=1 s"]);
        folder.wait_for(&format!("{out}/states.arrows"));
        thread::sleep(Duration::from_millis(200));
        signal(&child, name);
        let said = said_by(child).exits(code);
        assert_eq!(said.json()["end"]["reason"], "interrupted");
        assert!(said.err.contains("--resume"), "{}", said.err);
        assert!(folder.path(&format!("{out}/checkpoint.bin")).is_file());
        assert!(folder.path(&format!("{out}/states.parquet")).is_file());
        assert!(!folder.path(&format!("{out}/run.lock")).exists());
    }
}

/// Two signals with nothing between them: the second finds a run that is closing, or has closed.
#[test]
fn the_second_signal_ends_at_once_and_leaves_what_can_be_recovered() {
    let folder = Folder::with("drop.toml", &endless());
    let child = folder.start(&[
        "run",
        "drop.toml",
        "--out",
        "out",
        "--set",
        "output.every=1 s",
        "--checkpoint-every",
        "0.02",
    ]);
    folder.wait_for("out/checkpoint.bin");
    // While it is stopped both wait, and then it sees them together.
    signal(&child, "-STOP");
    signal(&child, "-INT");
    signal(&child, "-TERM");
    signal(&child, "-CONT");
    let said = said_by(child);
    // The system chooses which of the two is the second.
    assert!(matches!(said.code, Some(130 | 143)), "{:?}", said.code);
    assert!(!said.err.contains("stopped; to go on"), "{}", said.err);
    folder.carom(&["recover", "out"]).exits(0);
    assert!(folder.path("out/states.parquet").is_file());
}

/// `nohup` means it.
#[test]
#[cfg(target_os = "linux")]
fn a_hang_up_that_is_ignored_stays_so() {
    let folder = Folder::with("drop.toml", &endless());
    let shell = format!(
        "trap '' HUP; exec {} run drop.toml --out out --set 'output.every=1 s'",
        env!("CARGO_BIN_EXE_carom")
    );
    let mut command = Command::new("sh");
    command.current_dir(folder.path(".")).args(["-c", &shell]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    folder.wait_for("out/states.arrows");
    thread::sleep(Duration::from_millis(200));
    signal(&child, "-HUP");
    thread::sleep(Duration::from_millis(300));
    signal(&child, "-TERM");
    said_by(child).exits(143);
}

#[test]
fn the_first_checkpoint_comes_early() {
    let folder = Folder::with("drop.toml", &endless());
    let mut child = folder.start(&["run", "drop.toml", "--out", "out", "--set", "output.every=1 s"]);
    folder.wait_for("out/run.json");
    let start = Instant::now();
    folder.wait_for("out/checkpoint.bin");
    let wall = start.elapsed();
    child.kill().unwrap();
    child.wait().unwrap();
    // Two seconds by the run's clock, which has started before; the machine may be busy, but not for thirty.
    assert!(wall < Duration::from_secs(20), "{wall:?}");
}
