//! `carom convert`, `info` and `report`.

use std::fs;

use crate::kit::{DROP, Folder};

fn finished() -> Folder {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "--out", "out", "--no-report"]).exits(0);
    folder
}

#[test]
fn tables_become_csv() {
    let folder = finished();
    folder.carom(&["convert", "out", "csv"]).exits(0);
    assert!(folder.list("csv").iter().any(|file| file == "energy.csv"));
    folder.carom(&["convert", "out", "one.csv"]).exits(0);
    assert_eq!(folder.read("one.csv"), folder.read("csv/states.csv"));
    assert!(folder.read("one.csv").starts_with("time_s,floor.x_m,"));
    assert_eq!(folder.read("one.csv").lines().count(), 102);
    folder.carom(&["convert", "out", "events.csv", "--table", "events"]).exits(0);
    assert_eq!(folder.read("events.csv"), folder.read("csv/events.csv"));
    assert_eq!(folder.list("."), ["csv", "drop.toml", "events.csv", "one.csv", "out"]);
    let other = folder.carom(&["convert", "out", "run.h5"]).exits(2);
    assert!(other.err.contains(".h5"), "{}", other.err);
}

#[test]
fn info_tells_where_a_run_comes_from() {
    let folder = finished();
    let said = folder.carom(&["info", "out"]).exits(0);
    for word in ["drop", "finished", "kinetic", "residual", "floor", "states.parquet"] {
        assert!(said.out.contains(word), "{word} in {}", said.out);
    }
    let info = folder.carom(&["info", "out", "--json"]).exits(0).json();
    assert_eq!(info["provenance"]["model"]["file"], "drop.toml");
    assert_eq!(info["provenance"]["command"]["line"][1], "run");
    assert_eq!(info["provenance"]["solver"]["method"], "ode45");
    assert_eq!(info["tables"][0]["rows"], 101);
    let nothing = folder.carom(&["info", "nowhere"]).exits(2);
    assert!(nothing.err.contains("error[E0701]"), "{}", nothing.err);
}

#[test]
fn a_report_is_one_file_without_links_out() {
    let folder = finished();
    assert!(!folder.path("out/report.html").exists());
    let said = folder.carom(&["report", "out"]).exits(0);
    let page = fs::read_to_string(folder.path(said.last_line())).unwrap();
    assert!(page.contains("drop") && page.contains("<svg"));
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
}

/// A dot in a folder's name makes it no file.
#[test]
fn folders_may_have_dots_in_their_names() {
    let folder = finished();
    folder.carom(&["convert", "out", "tables.v2"]).exits(0);
    assert!(folder.list("tables.v2").iter().any(|file| file == "energy.csv"));
    fs::create_dir(folder.path("2026.h5")).unwrap();
    folder.carom(&["convert", "out", "2026.h5"]).exits(0);
}

/// Each command that reads a run names the file with the changed byte.
#[test]
fn a_changed_byte_is_named() {
    let folder = finished();
    let path = folder.path("out/states.parquet");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, bytes).unwrap();
    for args in [
        &["info", "out"][..],
        &["info", "out", "--json"],
        &["convert", "out", "csv"],
        &["plot", "out", "ball.z"],
        &["report", "out"],
        &["run", "drop.toml", "--out", "out", "--resume"],
    ] {
        let said = folder.carom(args).exits(2);
        // The run has no checkpoint to go on from, which is said first.
        let is_named = said.err.contains("E0704") && said.err.contains("states.parquet");
        assert!(is_named || said.err.contains("E0703"), "{args:?}: {}", said.err);
    }
}

#[test]
fn a_mesh_is_no_model() {
    let folder = Folder::with("part.stl", "solid s\nendsolid s\n");
    for command in ["run", "check"] {
        let said = folder.carom(&[command, "part.stl"]).exits(2);
        assert!(said.err.contains("E0204") && said.err.contains("type = \"mesh\""), "{}", said.err);
    }
}
