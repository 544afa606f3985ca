//! Diagnostics as text for people and as JSON for programs.

use std::fmt::Write;

use carom_engine::Severity;
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Location, Report};

/// Colours of the terminal, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// ANSI colours.
    Colour,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

/// A diagnostic as text, with a line feed at the end.
pub fn render(diagnostic: &Diagnostic, style: Style) -> String {
    let problem = &diagnostic.problem;
    let (word, colour) = match diagnostic.severity() {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", YELLOW),
    };
    let head = style.paint(colour, &format!("{word}[{}]", problem.code));
    let mut text = format!("{head}{}\n", style.paint(BOLD, &format!(": {}", problem.message)));
    let digits = |l: &Location| l.line.to_string().len();
    let related = diagnostic.related.as_ref();
    let width = diagnostic.location.iter().chain(related.map(|r| &r.0)).map(digits).max().unwrap_or(1);
    if let Some(location) = &diagnostic.location {
        excerpt(&mut text, location, "-->", width, colour, "", style);
    }
    if let Some((location, note)) = related {
        excerpt(&mut text, location, ":::", width, BLUE, note, style);
    }
    let margin = " ".repeat(width + 1);
    let mut line = |label: &str, content: &str| {
        let equals = style.paint(BLUE, "=");
        let label = style.paint(BOLD, label);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{margin}{equals} {label}: {content}");
    };
    if let Some(expected) = &problem.expected {
        line("expected", expected);
    }
    if let Some(help) = &problem.help {
        line("help", help);
    }
    line("more", &format!("carom explain {}", problem.code));
    text
}

fn excerpt(
    text: &mut String,
    at: &Location,
    arrow: &str,
    width: usize,
    colour: &str,
    note: &str,
    style: Style,
) {
    let bar = style.paint(BLUE, "|");
    let margin = " ".repeat(width);
    let arrow = style.paint(BLUE, arrow);
    let _ = writeln!(text, "{margin}{arrow} {}:{}:{}", at.file, at.line, at.column);
    let _ = writeln!(text, "{margin} {bar}");
    let number = style.paint(BLUE, &format!("{:>width$}", at.line));
    // Tabs would shift the carets.
    let _ = writeln!(text, "{number} {bar} {}", at.source_line.replace('\t', " "));
    let carets = style.paint(colour, &"^".repeat(at.length));
    let note = if note.is_empty() { String::new() } else { format!(" {note}") };
    let _ = writeln!(text, "{margin} {bar} {}{carets}{note}", " ".repeat(at.indent));
}

/// All diagnostics of a report and the summary line.
pub fn render_report(report: &Report, style: Style) -> String {
    let mut text: String = report.diagnostics.iter().map(|d| render(d, style) + "\n").collect();
    text.push_str(&summary(report));
    text.push('\n');
    text
}

/// `2 errors, 1 warning`.
pub fn summary(report: &Report) -> String {
    let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    match (report.errors(), report.warnings()) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (0, w) => format!("no errors, {}", count(w, "warning")),
        (e, 0) => count(e, "error"),
        (e, w) => format!("{}, {}", count(e, "error"), count(w, "warning")),
    }
}

/// A diagnostic as JSON.
pub fn to_json(diagnostic: &Diagnostic) -> Value {
    let place = |l: &Location| {
        json!({
            "file": l.file, "line": l.line, "column": l.column, "length": l.length,
            "source_line": l.source_line, "text": l.text,
        })
    };
    let problem = &diagnostic.problem;
    let mut object = json!({
        "severity": if diagnostic.severity() == Severity::Error { "error" } else { "warning" },
        "code": problem.code,
        "message": problem.message,
        "path": problem.path,
        "expected": problem.expected,
        "help": problem.help,
    });
    let location = diagnostic.location.as_ref().map(place).unwrap_or_default();
    if let (Value::Object(object), Value::Object(location)) = (&mut object, location) {
        object.extend(location);
    }
    if let Some((location, note)) = &diagnostic.related {
        let mut related = place(location);
        related["note"] = json!(note);
        object["related"] = related;
    }
    object
}

/// A report as JSON.
pub fn report_to_json(report: &Report) -> Value {
    json!({
        "schema": 1,
        "errors": report.errors(),
        "warnings": report.warnings(),
        "diagnostics": report.diagnostics.iter().map(to_json).collect::<Vec<_>>(),
    })
}
