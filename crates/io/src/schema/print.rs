use std::fmt::Write;

use super::{Row, rows};

/// Sections in the order of the table.
fn sections() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows() {
        if !names.contains(&row.section) {
            names.push(row.section);
        }
    }
    names
}

/// Heading of a section.
fn title(section: &str) -> String {
    match section {
        "" => "top of the file".to_owned(),
        "shape" => "[body.*] shape = { … }".to_owned(),
        "rot" | "attachment" | "function" | "spring" | "servo" | "friction" | "limit" | "motor"
        | "armature" | "rating" | "weld" | "formulation" => {
            let key = match section {
                "attachment" => "a, b, on",
                "function" => "function of time",
                other => other,
            };
            format!("{key} = {{ … }}")
        }
        "limit.nonsmooth" => "limit = { nonsmooth = { … } }".to_owned(),
        "cable.point" => "[force.*] path = [{ … }]".to_owned(),
        "coupling.term" => "[constraint.*] or [force.*] terms = [{ … }]".to_owned(),
        _ => format!("[{section}]"),
    }
}

fn meaning(row: &Row) -> String {
    let types = if row.types.is_empty() { String::new() } else { format!(" ({})", row.types.join(", ")) };
    format!("{}{types}", row.doc)
}

/// The key table for a terminal.
pub fn text() -> String {
    let mut text = String::new();
    for section in sections() {
        let rows = super::section(section);
        let width = rows.iter().map(|r| r.key.len()).max().unwrap_or(0);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", title(section));
        for row in rows {
            let _ = writeln!(text, "  {:width$}  {}", row.key, meaning(row));
            let _ = writeln!(text, "  {:width$}    {}; default: {}", "", row.kind_name(), row.default_text());
        }
        text.push('\n');
    }
    text
}

/// The key table as Markdown, for the documentation.
pub fn markdown() -> String {
    let escape = |s: &str| s.replace('|', "\\|");
    let mut text = String::new();
    for section in sections() {
        let _ = writeln!(text, "### {}\n", title(section));
        text.push_str("| key | takes | default | meaning |\n|---|---|---|---|\n");
        for row in super::section(section) {
            let cells = [row.kind_name(), row.default_text(), meaning(row)].map(|c| escape(&c));
            let _ = writeln!(text, "| `{}` | {} |", row.key, cells.join(" | "));
        }
        text.push('\n');
    }
    text
}
