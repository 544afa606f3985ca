//! A disk that fills while a run writes to it.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::kit::{Folder, assert_same_tables, long, said};

/// Runs a script where it may mount disks of its own. Systems that do not let their users do so leave this to the test of the
/// crate of results, which counts what is written.
fn with_disks(folder: &Folder, script: &str) -> Option<String> {
    let alone = ["-Urm", "sh", "-ec"];
    let may = Command::new("unshare").args(alone).arg("mount -t tmpfs tmpfs /mnt").status();
    if !may.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut command = Command::new("unshare");
    command.current_dir(folder.path(".")).args(alone).arg(script).env("CAROM", env!("CARGO_BIN_EXE_carom"));
    Some(said(&mut command).exits(0).out)
}

#[test]
fn a_run_that_fills_its_disk_goes_on_when_there_is_space_again() {
    let folder = Folder::with("long.toml", &long());
    let script = r#"
        mkdir small
        mount -t tmpfs -o size=6m tmpfs small
        run="$CAROM run long.toml -o small/run --set output.every=0.01s --no-report"
        $run 2>said && exit 9 || echo "exit $?"
        cat said
        ls small/run
        $CAROM info small/run
        mount -o remount,size=200m small
        $run --resume
        cp -r small/run resumed
    "#;
    let Some(out) = with_disks(&folder, script) else { return };
    for word in ["exit 3", "error[E0705]", "free some space", "--resume", "checkpoint.bin", "was killed"] {
        assert!(out.contains(word), "{word} in {out}");
    }
    assert!(!out.contains("reserve.bin"));
    folder.carom(&["run", "long.toml", "-o", "whole", "--set", "output.every=0.01s", "--no-report"]).exits(0);
    assert_same_tables(&folder.path("whole"), &folder.path("resumed"));
}
