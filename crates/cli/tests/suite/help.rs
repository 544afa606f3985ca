//! Usage: help fits 80 columns, mistakes exit with 2.

use crate::kit::Folder;

const COMMANDS: [&str; 15] = [
    "run",
    "sweep",
    "check",
    "analyze",
    "new",
    "info",
    "mesh",
    "plot",
    "report",
    "view",
    "convert",
    "recover",
    "schema",
    "explain",
    "completions",
];

#[test]
fn help_fits_eighty_columns() {
    let folder = Folder::new();
    let top = folder.carom(&["--help"]).exits(0).out;
    for command in COMMANDS {
        assert!(top.contains(&format!("\n  {command} ")), "{command}");
        for flag in ["--help", "-h"] {
            let help = folder.carom(&[command, flag]).exits(0).out;
            for line in help.lines().chain(top.lines()) {
                assert!(line.chars().count() <= 80, "{command}: {line}");
            }
        }
    }
}

#[test]
fn mistakes_of_usage_exit_with_two() {
    let folder = Folder::new();
    for args in [&[][..], &["rum"], &["run"], &["run", "x.toml", "--progress", "fast"], &["check"]] {
        folder.carom(args).exits(2);
    }
    assert!(folder.carom(&["rum"]).err.contains("run"));
    folder.carom(&["--version"]).exits(0);
}

#[test]
fn completions_are_written_for_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(folder.carom(&["completions", shell]).exits(0).out.contains("carom"));
    }
}
