use carom_engine::Problem;

use super::node::{Node, Table, Value};
use crate::finding::{Finding, Findings};
use crate::source::Sources;

/// Joins the tables of two files: entries of one table come together, a second definition of an entry
/// is an error that names both places.
pub(crate) fn join(into: &mut Table, from: Table, sources: &Sources, findings: &Findings) {
    for entry in from.entries {
        let Some(known) = into.entries.iter_mut().find(|e| e.key == entry.key) else {
            into.entries.push(entry);
            continue;
        };
        match (&mut known.node.value, entry.node.value) {
            (Value::Table(known), Value::Table(more)) => {
                for inner in more.entries {
                    match known.entry(&inner.key) {
                        None => known.entries.push(inner),
                        Some(first) => {
                            let path = format!("{}.{}", entry.key, inner.key);
                            let place = sources.place(first.key_span);
                            let file = &sources.0[first.key_span.file].name;
                            let message = format!(
                                "{path} is defined twice; first at {file}:{}:{}",
                                place.line, place.column
                            );
                            let problem =
                                Problem::new("E0206", path, message).help("rename or remove one of the two");
                            findings.push(
                                Finding::at(problem, inner.key_span)
                                    .related(first.key_span, "first defined here"),
                            );
                        }
                    }
                }
            }
            (Value::Array(known), Value::Array(more)) => known.extend(more),
            (known, value) => *known = value,
        }
    }
}

/// Lays a variant over its base: tables are laid over tables, anything else replaces.
pub(crate) fn overlay(base: &mut Table, variant: Table) {
    for entry in variant.entries {
        match base.entries.iter_mut().find(|e| e.key == entry.key) {
            None => base.entries.push(entry),
            Some(known) => match (&mut known.node, entry.node) {
                (Node { value: Value::Table(known), .. }, Node { value: Value::Table(more), .. }) => {
                    overlay(known, more)
                }
                (known, node) => *known = node,
            },
        }
    }
}
