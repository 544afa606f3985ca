//! What goes where: colours, progress, quiet.

use crate::kit::{DROP, Folder, changed, said};

#[test]
fn no_colour_and_no_bar_without_a_terminal() {
    let folder = Folder::with("drop.toml", DROP);
    let run = folder.carom(&["run", "drop.toml"]).exits(0);
    assert!(!run.err.contains('\x1b') && !run.out.contains('\x1b') && !run.err.contains('\r'));
    assert!(!run.err.contains("realtime  ETA"), "{}", run.err);
}

#[test]
fn colour_is_a_choice_of_the_user() {
    let folder = Folder::with("bad.toml", &DROP.replace("\"1 kg\"", "\"-1 kg\""));
    assert!(folder.carom(&["check", "bad.toml", "--color", "always"]).err.contains("\x1b[1;31m"));
    assert!(!folder.carom(&["check", "bad.toml"]).err.contains('\x1b'));
    let no_color = said(folder.command(&["check", "bad.toml"]).env("NO_COLOR", "1"));
    assert!(!no_color.err.contains('\x1b'));
}

#[test]
fn plain_progress_is_a_line_each_ten_percent() {
    let folder = Folder::with("drop.toml", &changed(DROP, "\"1 s\"", "\"1 s\"\nh_max = \"0.1 ms\""));
    let run = folder.carom(&["run", "drop.toml", "--progress", "plain"]).exits(0);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.contains(" %  t ")).collect();
    assert_eq!(lines.len(), 9, "{}", run.err);
    assert!(lines[0].starts_with(" 10 %") && lines[0].contains("steps") && lines[0].contains("realtime"));
    let none = folder.carom(&["run", "drop.toml", "--force", "--progress", "none"]).exits(0);
    assert!(!none.err.contains(" %  t "));
}

#[test]
fn progress_can_be_read_by_programs() {
    let folder = Folder::with("drop.toml", &changed(DROP, "\"1 s\"", "\"1 s\"\nh_max = \"0.1 ms\""));
    let run = folder.carom(&["run", "drop.toml", "--progress", "jsonl", "-q"]).exits(0);
    let first: serde_json::Value = serde_json::from_str(run.err.lines().next().unwrap()).unwrap();
    assert_eq!((first["type"].as_str(), first["t_end_s"].as_f64()), (Some("progress"), Some(1.0)));
    assert!(first["time_s"].as_f64().unwrap() > 0.0 && first["steps"].is_u64());
}

#[test]
fn quiet_says_only_where_the_report_is() {
    let folder = Folder::with("drop.toml", DROP);
    let run = folder.carom(&["run", "drop.toml", "-q"]).exits(0);
    assert_eq!(run.err, "");
    assert_eq!(run.out.lines().count(), 1);
}
