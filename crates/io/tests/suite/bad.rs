//! Every model in tests/bad is broken in one way, and says so with its own code, place, value and remedy.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use carom_engine::Severity;
use carom_io::{Diagnostic, Overrides, Style, load, render_report, report_to_json};

const FOLDER: &str = "../../tests/bad";

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

/// Codes that a file announces in its first line: `# codes: E0101 E0102.` or `# warns: W0401.`
fn announced(text: &str) -> Option<BTreeSet<String>> {
    let first = text.lines().next()?;
    let list = first.strip_prefix("# codes: ").or_else(|| first.strip_prefix("# warns: "))?;
    Some(list.split('.').next()?.split(' ').map(str::to_owned).collect())
}

fn diagnostics(path: &Path) -> Vec<Diagnostic> {
    match load(path, &Overrides::default()) {
        Ok(loaded) => loaded.warnings,
        Err(report) => report.diagnostics,
    }
}

fn describe(d: &Diagnostic) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            writeln!(text, "{label:<9} {value}").unwrap();
        }
    };
    line("code:", d.problem.code);
    let location = d.location.as_ref().unwrap_or_else(|| panic!("{} has no place", d.problem.code));
    line("place:", &format!("{}:{}:{}", location.file, location.line, location.column));
    line("line:", location.source_line.trim());
    line("value:", location.text.trim());
    line("path:", &d.problem.path);
    line("message:", &d.problem.message);
    line("expected:", d.problem.expected.as_deref().unwrap_or_default());
    line("help:", d.problem.help.as_deref().unwrap_or_default());
    if let Some((at, note)) = &d.related {
        line("related:", &format!("{}:{}:{} {note}", at.file, at.line, at.column));
    }
    text.replace(&format!("{FOLDER}/"), "").replace(FOLDER, "tests/bad")
}

#[test]
fn each_mistake_is_told_by_its_code() {
    assert!(files().len() >= 45);
    let mut wrong = Vec::new();
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let found = diagnostics(&path);
        let codes: BTreeSet<String> = found.iter().map(|d| d.problem.code.to_owned()).collect();
        match announced(&text) {
            Some(expected) if codes == expected => {}
            None if found.len() == 1 && found[0].severity() == Severity::Error => {}
            _ => wrong.push(format!("{name} gives {codes:?} in {} findings", found.len())),
        }
        let all: Vec<String> = found.iter().map(describe).collect();
        insta::assert_snapshot!(name, all.join("\n"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_error_has_a_remedy_or_an_expectation() {
    let mut bare = Vec::new();
    for path in files() {
        for d in diagnostics(&path) {
            assert!(carom_io::codes::explain(d.problem.code).is_ok());
            if d.problem.help.is_none() && d.problem.expected.is_none() {
                bare.push(format!("{}: {}", path.display(), d.problem));
            }
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn every_code_of_a_model_file_has_a_broken_model() {
    let shown: BTreeSet<&str> = files().iter().flat_map(|p| diagnostics(p)).map(|d| d.problem.code).collect();
    // E0408 and later groups aside, what cannot be shown in this folder: an unreadable main file's own
    // error, --set, rolling resistance of two flat surfaces (no such pair has a kernel), fixed steps that shrink or err in a run,
    // impulses that are not exact enough, or not the only ones; what stays of penetration; an end that an option gives; speeds; depths.
    let elsewhere = [
        "E0208", "E0414", "E0114", "W0306", "W0510", "W0511", "W0512", "W0513", "W0514", "W0515", "W0516",
        "W0518", "W0519", "W0520", "W0521", "W0522", "W0523", "W0524", "W0525",
    ];
    for code in carom_io::codes::codes().map(|c| c.code) {
        // Robot files have broken ones of their own: tests/import_bad.rs.
        let of_model = code < "E06" || (code.starts_with('W') && !code.starts_with("W08"));
        assert!(
            !of_model || shown.contains(code) || elsewhere.contains(&code),
            "no model in tests/bad shows {code}"
        );
    }
}

#[test]
fn reports_read_well_as_text_and_as_json() {
    let report = |name: &str| load(&Path::new(FOLDER).join(name), &Overrides::default()).unwrap_err();
    let neutral = |text: String| text.replace(&format!("{FOLDER}/"), "").replace(FOLDER, "tests/bad");
    let second = report("include-second-definition.toml");
    insta::assert_snapshot!("report-text", neutral(render_report(&second, Style::Plain)));
    let several = report("several-mistakes.toml");
    let json = serde_json::to_string_pretty(&report_to_json(&several)).unwrap();
    insta::assert_snapshot!("report-json", neutral(json));
    assert!(render_report(&several, Style::Colour).contains("\x1b[1;31merror[E0104]\x1b[0m"));
}

#[test]
fn a_file_that_is_not_there_is_unreadable() {
    let report = load(&Path::new(FOLDER).join("key-unknwn.toml"), &Overrides::default()).unwrap_err();
    assert!(report.unreadable);
    assert_eq!(report.diagnostics[0].problem.help.as_deref(), Some("did you mean \"key-unknown.toml\"?"));
}
