//! Tables of the documentation that come from runs: made by programs of the workspace, put between comments that name
//! them. Counts and errors only: they are the same everywhere. Wall times are written by hand, with date and machine.

use std::fs;
use std::process::Stdio;

use crate::stage::cargo;

/// A table and the program that prints it, among other lines perhaps.
struct Figure {
    /// Name in the comments around the table.
    name: &'static str,
    document: &'static str,
    cargo: &'static [&'static str],
    /// Variable that asks for the table.
    variable: &'static str,
}

const FIGURES: [Figure; 3] = [
    Figure {
        name: "costs-of-auto",
        document: "docs/integrators.md",
        cargo: &[
            "test",
            "--package",
            "carom-engine",
            "--test",
            "suite",
            "costs_at_most",
            "--",
            "--nocapture",
        ],
        variable: "TABLE_OF_COSTS",
    },
    Figure {
        name: "billiard-and-bearings",
        document: "docs/integrators.md",
        cargo: &["run", "--release", "--package", "carom-bench", "--example", "comparison"],
        variable: "TABLE_OF_COMPARISON",
    },
    Figure {
        name: "evaluations-of-examples",
        document: "docs/performance.md",
        cargo: &["run", "--release", "--package", "carom-bench", "--example", "evaluations"],
        variable: "TABLE_OF_EVALUATIONS",
    },
];

/// Rewrites the tables, those of the given names or all; with `check` it only says which differ.
pub(crate) fn make(check: bool, names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| FIGURES.iter().all(|f| f.name != **name)) {
        let known: Vec<&str> = FIGURES.iter().map(|f| f.name).collect();
        return Err(format!("there is no figure {unknown}; there are {}", known.join(", ")));
    }
    let mut stale = Vec::new();
    for figure in FIGURES.iter().filter(|f| names.is_empty() || names.iter().any(|name| name == f.name)) {
        let path = crate::root().join(figure.document);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", figure.document))?;
        let renewed = with_table(&text, figure.name, &figure.table()?)
            .ok_or_else(|| format!("{} has no place for {}", figure.document, figure.name))?;
        if renewed == text {
            continue;
        }
        stale.push(format!("{} in {}", figure.name, figure.document));
        if !check {
            fs::write(&path, renewed)
                .map_err(|error| format!("cannot write {}: {error}", figure.document))?;
        }
    }
    match (stale.is_empty(), check) {
        (true, _) => Ok(()),
        (false, true) => {
            Err(format!("these tables differ from what the programs print now:\n{}", stale.join("\n")))
        }
        (false, false) => {
            println!("xtask: rewritten: {}", stale.join(", "));
            Ok(())
        }
    }
}

impl Figure {
    /// The lines of the program's output that belong to a table.
    fn table(&self) -> Result<String, String> {
        let output = cargo(self.cargo)
            .current_dir(crate::root())
            .env(self.variable, "1")
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(format!("the program of {} ended with {}", self.name, output.status));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        if table.is_empty() { Err(format!("{} made no table", self.name)) } else { Ok(table.join("\n")) }
    }
}

/// The text with another table between the comments of a figure; `None` if it lacks them.
fn with_table(text: &str, name: &str, table: &str) -> Option<String> {
    let begin = format!("<!-- figures: {name} -->\n");
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once("<!-- end of figures -->")?;
    Some(format!("{before}{begin}{table}\n<!-- end of figures -->{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_table_is_replaced() {
        let text = "a\n<!-- figures: one -->\n| 1 |\n<!-- end of figures -->\nb\n<!-- figures: two -->\n| 2 |\n<!-- end of figures -->\n";
        let renewed = with_table(text, "two", "| 3 |").unwrap();
        assert_eq!(renewed, text.replace("| 2 |", "| 3 |"));
        assert_eq!(with_table(text, "two", "| 2 |").as_deref(), Some(text));
        assert_eq!(with_table(text, "three", "| 3 |"), None);
    }

    #[test]
    fn every_figure_has_its_place_in_a_document() {
        for figure in &FIGURES {
            let text = fs::read_to_string(crate::root().join(figure.document)).unwrap();
            assert!(with_table(&text, figure.name, "").is_some(), "{}", figure.name);
        }
    }
}
