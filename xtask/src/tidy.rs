//! House rules that no other tool checks (CONTRIBUTING.md).

use std::fs;
use std::process::Command;

use crate::{objects, recipes, rooms};

/// Lines of a Rust file: of tests, and of what they test.
const MOST_LINES_OF_TESTS: usize = 800;
const MOST_LINES: usize = 500;
/// Lines of ARCHITECTURE.md.
const MOST_LINES_ARCHITECTURE: usize = 200;
/// Marks of unfinished work, in pieces so that this file has none.
const UNFINISHED: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("XX", "X:")];
/// Attribute of a test that is not run.
const IGNORED: &str = concat!("#[", "ignore");
/// Folders of one machine, without the leading slash.
const MACHINE_FOLDERS: [&str; 4] = ["tmp", "work", "root", "home"];

/// All rules on all tracked files; everything that is wrong is listed.
pub(crate) fn check() -> Result<(), String> {
    let files = tracked_files()?;
    let mut wrong = rooms::check(&crate::root(), &files)?;
    wrong.extend(objects::check(&crate::root(), &files));
    wrong.extend(recipes::check(&crate::root(), &files));
    for name in files {
        // A file that is deleted but not committed yet, or not a text.
        let Ok(text) = fs::read_to_string(crate::root().join(&name)) else { continue };
        wrong.extend(check_file(&name, &text).into_iter().map(|message| format!("{name}{message}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn tracked_files() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .current_dir(crate::root())
        .args(["ls-files", "-z"])
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    let files = String::from_utf8_lossy(&output.stdout);
    let files: Vec<String> = files.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if files.is_empty() { Err("git lists no files; run this in a clone".to_owned()) } else { Ok(files) }
}

/// What is wrong with a file; each message starts with its place in the file.
fn check_file(name: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_rust = name.ends_with(".rs");
    let lines = text.lines().count();
    let most = if name.contains("src/") { MOST_LINES } else { MOST_LINES_OF_TESTS };
    if is_rust && lines > most {
        wrong.push(format!(": {lines} lines, more than {most}"));
    }
    if name == "ARCHITECTURE.md" && lines >= MOST_LINES_ARCHITECTURE {
        wrong.push(format!(": {lines} lines, not under {MOST_LINES_ARCHITECTURE}"));
    }
    if is_member(name) && !inherits_lints(text) {
        wrong.push(": no `workspace = true` under [lints]".to_owned());
    }
    if name.ends_with(".lock") {
        return wrong;
    }
    for (index, line) in text.lines().enumerate() {
        let mut report = |message: String| wrong.push(format!(":{}: {message}", index + 1));
        for mark in UNFINISHED.iter().filter(|mark| line.contains(**mark)) {
            report(format!("unfinished: {mark}"));
        }
        if is_rust && line.contains(IGNORED) {
            report("a test is ignored".to_owned());
        }
        if let Some(folder) = MACHINE_FOLDERS.into_iter().find(|folder| names_folder(line, folder)) {
            report(format!("a path of one machine: /{folder}"));
        }
    }
    wrong
}

/// Manifest of a crate of the workspace.
fn is_member(name: &str) -> bool {
    name == "xtask/Cargo.toml"
        || name == "fuzz/Cargo.toml"
        || (name.starts_with("crates/") && name.ends_with("/Cargo.toml"))
}

fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().skip_while(|line| line.trim() != "[lints]").skip(1);
    lines.find(|line| !line.trim().is_empty()).is_some_and(|line| line.trim() == "workspace = true")
}

/// Does the line hold `/folder` as an absolute path?
fn names_folder(line: &str, folder: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let path = format!("/{folder}");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + path.len()..].chars().next();
        // A closing tag, a relative path, an address and a longer name are none.
        !before.is_some_and(|c| part_of_name(c) || "/<)}*~$:".contains(c)) && !after.is_some_and(part_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(text: &str) -> String {
        text.replace('%', "/")
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for text in ["cd %tmp", "\"%home%me\"", "(%root%x)", "see `%work%main`", "%tmp%a"] {
            assert!(MACHINE_FOLDERS.iter().any(|f| names_folder(&line_of(text), f)), "{text}");
        }
        for text in
            ["docs%work%x", "..%home", "%workspace", "%tmpfile", "https:%%a.b%home", "<%root>", "~%work"]
        {
            assert!(!MACHINE_FOLDERS.iter().any(|f| names_folder(&line_of(text), f)), "{text}");
        }
    }

    #[test]
    fn every_rule_finds_its_offence() {
        assert_eq!(check_file("a.rs", "fn f() {}\n"), Vec::<String>::new());
        assert_eq!(check_file("src/a.rs", &"\n".repeat(501)), [": 501 lines, more than 500"]);
        assert_eq!(check_file("tests/a.rs", &"\n".repeat(801)), [": 801 lines, more than 800"]);
        assert_eq!(check_file("ARCHITECTURE.md", &"\n".repeat(200)), [": 200 lines, not under 200"]);
        assert_eq!(check_file("crates/x/Cargo.toml", "[package]\n").len(), 1);
        assert!(check_file("crates/x/Cargo.toml", "[lints]\n\nworkspace = true\n").is_empty());
        assert_eq!(check_file("a.rs", &format!("\n{}]\n", IGNORED)), [":2: a test is ignored"]);
        assert_eq!(check_file("a.md", UNFINISHED[0]).len(), 1);
        assert!(check_file("Cargo.lock", UNFINISHED[0]).is_empty());
    }
}
