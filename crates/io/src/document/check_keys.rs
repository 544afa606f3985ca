use carom_engine::Problem;

use super::defaults::is_named_shapes;
use super::node::{Entry, Node, Table, Value};
use crate::finding::{Finding, Findings};
use crate::quantity::is_strong_unit;
use crate::schema::{self, Kind};
use crate::suggest;

/// Holds every key of the document against the schema: unknown keys, names that cannot be names, tables
/// that are none, and parts of the format that are not built yet.
pub(crate) fn check_keys(root: &Table, findings: &Findings) {
    let paths_as_names = matches!(root.get("resolved").map(|n| &n.value), Some(Value::Bool(true)));
    Walk { findings, paths_as_names }.section(root, "", "");
}

/// Keys by which other formats say what unit the numbers of a file have.
const UNITS_OF_FILES: [&str; 6] =
    ["units", "unit", "length_unit", "length_units", "unit_length", "unit_system"];

struct Walk<'a> {
    findings: &'a Findings,
    /// Names are whole paths: a resolved model.
    paths_as_names: bool,
}

impl Walk<'_> {
    fn section(&self, table: &Table, section: &str, path: &str) {
        let types = schema::types_of(section);
        let own_type = types.and_then(|_| table.get("type").and_then(Node::as_text));
        if own_type.is_some_and(|t| types.is_some_and(|types| !types.contains(&t))) {
            // The type itself is the error; its keys cannot be known.
            return;
        }
        let takes =
            |row: &&schema::Row| row.types.is_empty() || own_type.is_none_or(|t| row.types.contains(&t));
        for entry in &table.entries {
            let path = join(path, &entry.key);
            match schema::section(section).iter().copied().filter(takes).find(|r| r.key == entry.key) {
                Some(row) => self.value(entry, row.kind, &path),
                None => {
                    let known = schema::section(section).iter().copied().filter(takes).map(|r| r.key);
                    let owner = match (section, own_type) {
                        ("", _) => "a model file".to_owned(),
                        ("shape", Some(kind)) => format!("a {kind}"),
                        (_, Some(kind)) if section.ends_with(".*") => {
                            format!("a {} of type \"{kind}\"", section.trim_end_matches(".*"))
                        }
                        ("rot", _) => "a rotation".to_owned(),
                        ("default", _) => "[default]".to_owned(),
                        _ => format!("[{}]", path[..path.len() - entry.key.len()].trim_end_matches('.')),
                    };
                    let mut problem = Problem::new(
                        "E0201",
                        path,
                        format!("unknown key `{}`: {owner} has no such key", entry.key),
                    );
                    problem.help = if UNITS_OF_FILES.contains(&entry.key.as_str()) {
                        Some(
                            "there is no unit for bare numbers: each value says its own, as in \"60 mm\"; without one it is in SI units where that is allowed"
                                .to_owned(),
                        )
                    } else {
                        suggest::help(&entry.key, known)
                    };
                    self.findings.push(Finding::at(problem, entry.key_span));
                }
            }
        }
    }

    fn value(&self, entry: &Entry, kind: Kind, path: &str) {
        match kind {
            Kind::Table(section) => {
                if let Some(table) = self.table(entry, path) {
                    self.section(table, section, path);
                }
            }
            Kind::Named(section) => {
                let Some(table) = self.table(entry, path) else { return };
                for item in &table.entries {
                    let path = join(path, &item.key);
                    if section != "expect.*" {
                        self.name(item, &path);
                    }
                    if let Some(table) = self.table(item, &path) {
                        self.section(table, section, &path);
                    }
                }
            }
            Kind::Quantities => {
                let Some(table) = self.table(entry, path) else { return };
                for item in &table.entries {
                    self.parameter_name(item, &join(path, &item.key));
                }
            }
            Kind::Shapes => {
                let Some(table) = self.table(entry, path) else { return };
                if !is_named_shapes(table) {
                    return self.section(table, "shape", path);
                }
                for item in &table.entries {
                    let path = join(path, &item.key);
                    self.name(item, &path);
                    if let Value::Table(shape) = &item.node.value {
                        self.section(shape, "shape", &path);
                    }
                }
            }
            Kind::Rotation => {
                if let Some(table) = entry.node.as_table() {
                    self.section(table, "rot", path);
                }
            }
            Kind::Tables(section) => match &entry.node.value {
                Value::Array(items) => self.items(items, section, path),
                Value::Broken => {}
                other => {
                    let message = format!("{path} must be a list of tables, got {}", other.type_name());
                    let problem = Problem::new("E0106", path, message).expected("[{ … }, { … }]");
                    self.findings.push(Finding::at(problem, entry.node.span));
                }
            },
            Kind::PerCoordinate(section) => match &entry.node.value {
                Value::Array(items) => self.items(items, section, path),
                _ => {
                    if let Some(table) = self.table(entry, path) {
                        self.section(table, section, path);
                    }
                }
            },
            Kind::WordOrTable(_, section) | Kind::QuantityOrTable(_, section) => {
                if let Some(table) = entry.node.as_table() {
                    self.section(table, section, path);
                }
            }
            Kind::Function(_) => {
                if let Some(table) = entry.node.as_table() {
                    self.section(table, "function", path);
                }
            }
            Kind::Functions(_) => match &entry.node.value {
                Value::Table(table) => self.section(table, "function", path),
                Value::Array(items) => {
                    for (k, item) in items.iter().enumerate() {
                        if let Some(table) = item.as_table() {
                            self.section(table, "function", &format!("{path}[{k}]"));
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Tables of a list.
    fn items(&self, items: &[Node], section: &str, path: &str) {
        for (k, item) in items.iter().enumerate() {
            let path = format!("{path}[{k}]");
            match &item.value {
                Value::Table(table) => self.section(table, section, &path),
                Value::Broken => {}
                other => {
                    let message = format!("{path} must be a table, got {}", other.type_name());
                    let problem = Problem::new("E0106", path, message).expected("a table { … }");
                    self.findings.push(Finding::at(problem, item.span));
                }
            }
        }
    }

    fn table<'t>(&self, entry: &'t Entry, path: &str) -> Option<&'t Table> {
        match &entry.node.value {
            Value::Table(table) => Some(table),
            Value::Broken => None,
            other => {
                let message = format!("{path} must be a table, got {}", other.type_name());
                let problem = Problem::new("E0106", path, message).expected("a table");
                self.findings.push(Finding::at(problem, entry.node.span));
                None
            }
        }
    }

    /// Names are parts of paths: `rack[3].ball`.
    fn name(&self, entry: &Entry, path: &str) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if self.paths_as_names && !entry.key.is_empty() {
            return;
        }
        if entry.key.is_empty() || !entry.key.chars().all(is_word) {
            let problem = Problem::new("E0211", path, format!("\"{}\" cannot be a name", entry.key));
            let problem = problem
                .expected("letters, digits, `_` and `-`")
                .help("dots, brackets and `*` have a meaning in paths");
            self.findings.push(Finding::at(problem, entry.key_span));
        }
    }

    /// Names of expressions must not hide units and functions.
    fn parameter_name(&self, entry: &Entry, path: &str) {
        let key = &entry.key;
        let starts_well = key.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let problem = if is_strong_unit(key) {
            Problem::new("E0111", path, format!("parameter `{key}` has the name of a unit"))
                .help(format!("\"2 {key}\" would be ambiguous; rename it, say to `{key}_value`"))
        } else if key == "i" || key == "pi" {
            let meaning = if key == "i" { "the index of an instance" } else { "the number 3.14…" };
            Problem::new("E0111", path, format!("parameter `{key}` has the name of {meaning}"))
                .help("rename it")
        } else if !starts_well || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
            Problem::new("E0211", path, format!("\"{key}\" cannot be the name of a parameter"))
                .expected("a letter, then letters, digits and `_`")
                .help("in expressions `-` subtracts: use `_`")
        } else {
            return;
        };
        self.findings.push(Finding::at(problem, entry.key_span));
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
