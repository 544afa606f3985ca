use carom_engine::Problem;

use super::defaults::is_named_shapes;
use super::node::{Entry, Node, Table, Value};
use super::toml_text::parse_override;
use crate::finding::{Finding, Findings};
use crate::load::Overrides;
use crate::schema::{self, Kind};
use crate::source::{Sources, Span};
use crate::suggest;

/// Applies the changes of the command line to the document, before anything is evaluated.
pub(crate) fn apply(root: &mut Table, overrides: &Overrides, sources: &mut Sources, findings: &Findings) {
    // Relative paths in values are meant as in the main file.
    let folder = sources.0[0].folder.clone();
    for text in &overrides.set {
        let file = sources.add("--set", text.clone(), &folder);
        match text.split_once('=') {
            Some((path, value)) => {
                let value = parse_override(value, file, path.len() + 1, findings);
                let key = Span { file, start: 0, end: path.len() };
                if let Err(problem) = set(root, path.trim(), value, key) {
                    findings.push(Finding::at(problem, key));
                }
            }
            None => {
                let problem = Problem::new("E0208", "", format!("`--set {text}` has no `=`"));
                let span = Span { file, start: 0, end: text.len() };
                findings.push(Finding::at(
                    problem.expected("PATH=VALUE").help("such as --set params.d=\"50 mm\""),
                    span,
                ));
            }
        }
    }
    for text in &overrides.method {
        let file = sources.add("--method", text.clone(), &folder);
        set_method(root, text, file, findings);
    }
    if let Some(text) = &overrides.t_end {
        let file = sources.add("--t-end", text.clone(), &folder);
        let value = parse_override(text, file, 0, findings);
        let key = value.span;
        if let Err(problem) = set(root, "solver.t_end", value, key) {
            findings.push(Finding::at(problem, key));
        }
    }
}

/// `--method m` is for every line that is not off, `--method line=m` for one.
fn set_method(root: &mut Table, text: &str, file: usize, findings: &Findings) {
    let (line, method) = match text.split_once('=') {
        Some((line, method)) => (Some(line.trim()), method.trim()),
        None => (None, text.trim()),
    };
    let start = text.len() - method.len();
    let span = Span { file, start, end: start + method.len() };
    let value = Node { value: Value::Text(method.to_owned()), span };
    match line {
        Some(line) => {
            if let Err(problem) = set(root, &format!("contact.{line}.method"), value, span) {
                findings.push(Finding::at(problem, Span { file, start: 0, end: line.len() }));
            }
        }
        None => {
            let lines = root.get_mut("contact").map(|n| &mut n.value);
            let Some(Value::Table(lines)) = lines else { return };
            for entry in &mut lines.entries {
                let Value::Table(line) = &mut entry.node.value else { continue };
                if line.get("method").and_then(Node::as_text) != Some("off") {
                    put(line, "method", value.clone(), span);
                }
            }
        }
    }
}

fn put(table: &mut Table, key: &str, node: Node, key_span: Span) {
    match table.get_mut(key) {
        Some(known) => *known = node,
        None => table.entries.push(Entry { key: key.to_owned(), key_span, node }),
    }
}

/// Sets the value at a dotted path, along the schema.
fn set(root: &mut Table, path: &str, value: Node, key: Span) -> Result<(), Problem> {
    let segments: Vec<&str> = path.split('.').collect();
    set_in_section(root, "", &segments, value, key, path)
}

fn unknown(path: &str, message: String, help: Option<String>) -> Problem {
    let mut problem = Problem::new("E0208", path, message);
    problem.help = help;
    problem
}

fn set_in_section(
    table: &mut Table,
    section: &str,
    path: &[&str],
    value: Node,
    key: Span,
    whole: &str,
) -> Result<(), Problem> {
    let Some((first, rest)) = path.split_first() else { return Ok(()) };
    let (name, index) = split_index(first);
    let Some(row) = schema::row(section, name) else {
        let known = schema::section(section).iter().map(|r| r.key);
        return Err(unknown(
            whole,
            format!("there is no `{name}` in path `{whole}`"),
            suggest::help(name, known),
        ));
    };
    if let Some(index) = index {
        if let Kind::Tables(inner) | Kind::PerCoordinate(inner) = row.kind
            && !rest.is_empty()
        {
            let inner_table = element_table(table, name, index, whole)?;
            return set_in_section(inner_table, inner, rest, value, key, whole);
        }
        return set_element(table, name, index, value, whole);
    }
    if rest.is_empty() {
        put(table, name, value, key);
        return Ok(());
    }
    match row.kind {
        Kind::Table(inner)
        | Kind::PerCoordinate(inner)
        | Kind::WordOrTable(_, inner)
        | Kind::QuantityOrTable(_, inner) => {
            set_in_section(child(table, name, key), inner, rest, value, key, whole)
        }
        Kind::Rotation => set_in_section(child(table, name, key), "rot", rest, value, key, whole),
        Kind::Named(inner) => set_in_named(child(table, name, key), name, inner, rest, value, key, whole),
        Kind::Shapes => {
            let shapes = child(table, name, key);
            if is_named_shapes(shapes) {
                set_in_named(shapes, name, "shape", rest, value, key, whole)
            } else {
                set_in_section(shapes, "shape", rest, value, key, whole)
            }
        }
        Kind::Quantities if rest.len() == 1 => {
            let table = child(table, name, key);
            let (entry, index) = split_index(rest[0]);
            // `with` may set a parameter that the instance has left at its default.
            if table.get(entry).is_none() && name != "with" || index.is_some() {
                let known: Vec<String> = table.keys().map(str::to_owned).collect();
                let message = format!("there is no parameter `{}` in path `{whole}`", rest[0]);
                return Err(unknown(
                    whole,
                    message,
                    suggest::help(rest[0], known.iter().map(String::as_str)),
                ));
            }
            put(table, entry, value, key);
            Ok(())
        }
        Kind::Free => {
            put(child(table, name, key), rest[0], value, key);
            Ok(())
        }
        _ => Err(unknown(whole, format!("`{name}` in path `{whole}` is a value, not a table"), None)),
    }
}

fn set_in_named(
    table: &mut Table,
    kind: &str,
    section: &str,
    path: &[&str],
    value: Node,
    key: Span,
    whole: &str,
) -> Result<(), Problem> {
    let name = path[0];
    let known: Vec<String> = table.keys().map(str::to_owned).collect();
    match table.get_mut(name).map(|n| &mut n.value) {
        Some(Value::Table(inner)) if path.len() > 1 => {
            set_in_section(inner, section, &path[1..], value, key, whole)
        }
        Some(slot) => {
            *slot = value.value;
            Ok(())
        }
        None => Err(unknown(
            whole,
            format!("there is no {kind} \"{name}\" in path `{whole}`"),
            suggest::help(name, known.iter().map(String::as_str)),
        )),
    }
}

fn set_element(table: &mut Table, name: &str, index: usize, value: Node, whole: &str) -> Result<(), Problem> {
    match table.get_mut(name).map(|n| &mut n.value) {
        Some(Value::Array(items)) if index < items.len() => {
            items[index] = value;
            Ok(())
        }
        Some(Value::Array(items)) => {
            Err(unknown(whole, format!("`{name}` has {} elements; they count from 0", items.len()), None))
        }
        _ => Err(unknown(whole, format!("`{name}` in path `{whole}` is not a list in the file"), None)),
    }
}

/// Table that is an element of a list.
fn element_table<'a>(
    table: &'a mut Table,
    name: &str,
    index: usize,
    whole: &str,
) -> Result<&'a mut Table, Problem> {
    if let Some(Value::Array(items)) = table.get_mut(name).map(|n| &mut n.value)
        && let Some(Node { value: Value::Table(inner), .. }) = items.get_mut(index)
    {
        return Ok(inner);
    }
    let message = format!("there is no table `{name}[{index}]` in path `{whole}`");
    Err(unknown(whole, message, Some("elements count from 0".to_owned())))
}

/// `pos[2]` is element 2 of `pos`.
fn split_index(segment: &str) -> (&str, Option<usize>) {
    let inner = segment.strip_suffix(']').and_then(|s| s.split_once('['));
    match inner.and_then(|(name, digits)| digits.parse().ok().map(|k| (name, k))) {
        Some((name, index)) => (name, Some(index)),
        None => (segment, None),
    }
}

/// Table under a key, made if it is missing.
fn child<'a>(table: &'a mut Table, key: &str, span: Span) -> &'a mut Table {
    let at = match table.entries.iter().position(|e| e.key == key) {
        Some(at) => at,
        None => {
            let node = Node { value: Value::Table(Table::default()), span };
            table.entries.push(Entry { key: key.to_owned(), key_span: span, node });
            table.entries.len() - 1
        }
    };
    let value = &mut table.entries[at].node.value;
    if !matches!(value, Value::Table(_)) {
        *value = Value::Table(Table::default());
    }
    match value {
        Value::Table(table) => table,
        _ => unreachable!("it was made a table above"),
    }
}
