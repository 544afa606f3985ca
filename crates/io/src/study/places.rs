//! Where a study file says what.

use std::collections::BTreeMap;

use crate::diagnostic::Location;
use crate::document::{Node, Table, Value};
use crate::source::{Sources, Span};

/// Places of the keys of a study and of their values, by paths such as `vary.params.e`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    sources: Sources,
    /// Of the key, then of its values.
    spans: BTreeMap<String, (Span, Vec<Span>)>,
}

impl Places {
    pub(super) fn of(sources: Sources, root: &Table) -> Self {
        let drawn = root.get("sample").and_then(Node::as_table).and_then(|sample| sample.get("of"));
        let tables = [("vary", root.get("vary")), ("sample.of", drawn), ("result", root.get("result"))];
        let mut spans = BTreeMap::new();
        for (name, node) in tables {
            for entry in node.and_then(Node::as_table).map_or(&[][..], |table| &table.entries) {
                let values = match &entry.node.value {
                    Value::Array(items) => items.iter().map(|item| item.span).collect(),
                    _ => vec![entry.node.span],
                };
                spans.insert(format!("{name}.{}", entry.key), (entry.key_span, values));
            }
        }
        Self { sources, spans }
    }

    /// Where a key is.
    pub fn key(&self, path: &str) -> Option<Location> {
        self.spans.get(path).map(|(key, _)| Location::of(&self.sources, *key))
    }

    /// Where a value of a key is, counted from 0; a range or a distribution has one place.
    pub fn value(&self, path: &str, index: usize) -> Option<Location> {
        let (_, values) = self.spans.get(path)?;
        values.get(index).or(values.last()).map(|span| Location::of(&self.sources, *span))
    }
}
