use carom_engine::Problem;
use carom_math::Vec3;

use super::{Context, ScopeId};
use crate::document::{Entry, Node, Table, Value};
use crate::finding::Finding;
use crate::quantity::Dimension;
use crate::schema::{self, Kind, Row};
use crate::source::Span;
use crate::suggest;

/// A table of the document with its section of the schema, from which kinds and dimensions come.
#[derive(Clone)]
pub(crate) struct Section<'c, 'a> {
    pub(crate) context: &'c Context<'a>,
    pub(crate) section: &'static str,
    /// Rows of that section.
    rows: &'static [&'static Row],
    pub(crate) table: &'a Table,
    /// Key of the table, where missing entries are reported.
    pub(crate) key_span: Span,
    /// Path in messages and in the model: `body.rack[3].ball`.
    pub(crate) path: String,
    pub(crate) scope: ScopeId,
}

/// A word that the schema has for a key and that its reader does not know. To go on with another would change the physics
/// without a trace.
pub(crate) fn unread(key: &str, word: &str) -> ! {
    unreachable!("the schema has {key} = \"{word}\", but nothing reads it")
}

impl<'c, 'a> Section<'c, 'a> {
    pub(crate) fn new(
        context: &'c Context<'a>,
        section: &'static str,
        table: &'a Table,
        key_span: Span,
        path: impl Into<String>,
        scope: ScopeId,
    ) -> Self {
        let path = path.into();
        if !path.is_empty() {
            context.record_origin(&path, key_span);
        }
        Self { context, section, rows: schema::section(section), table, key_span, path, scope }
    }

    fn find_row(&self, key: &str) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.key == key).copied()
    }

    /// Row of a key. What the schema does not have no file can state.
    pub(super) fn row(&self, key: &str) -> &'static Row {
        match self.find_row(key) {
            Some(row) => row,
            None => unreachable!("[{}] has no key {key} in the schema", self.section),
        }
    }

    fn kind(&self, key: &str) -> Kind {
        self.row(key).kind
    }

    fn dimension(&self, key: &str) -> Dimension {
        match self.kind(key) {
            Kind::Quantity(d) | Kind::Vector(d) | Kind::QuantityOrTable(d, _) => d,
            kind => {
                debug_assert!(false, "{}.{key} is {kind:?}", self.section);
                Dimension::NONE
            }
        }
    }

    /// Path of a key.
    pub(crate) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Is the key given, in whatever state?
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Entry of a key; its place is remembered for problems of the model.
    pub(crate) fn entry(&self, key: &str) -> Option<&'a Entry> {
        debug_assert!(self.find_row(key).is_some(), "[{}] has no key {key} in the schema", self.section);
        let entry = self.table.entry(key)?;
        self.context.record_origin(&self.path_of(key), entry.node.span);
        Some(entry)
    }

    pub(crate) fn node(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|e| &e.node)
    }

    /// Place of a key's value, else of the table.
    pub(crate) fn span_of(&self, key: &str) -> Span {
        self.table.get(key).map_or(self.key_span, |n| n.span)
    }

    /// Records a problem at a key's value.
    pub(crate) fn report(&self, key: &str, problem: Problem) {
        self.context.findings.push(Finding::at(problem, self.span_of(key)));
    }

    /// A problem with a key.
    pub(crate) fn problem(&self, code: &'static str, key: &str, message: impl Into<String>) -> Problem {
        Problem::new(code, self.path_of(key), message)
    }

    /// Does the table have an unknown key that is nearly this one? It is reported as unknown; to miss this
    /// one too would be the same mistake told twice.
    pub(crate) fn is_misspelt(&self, key: &str) -> bool {
        let unknown = self.table.keys().filter(|k| self.find_row(k).is_none());
        !self.has(key) && unknown.into_iter().any(|k| suggest::nearest(k, [key]).is_some())
    }

    /// Reports a key that must be given.
    pub(crate) fn report_missing(&self, key: &str) {
        if self.is_misspelt(key) {
            return;
        }
        let row = self.row(key);
        let what = row.kind_name();
        let owner = if self.path.is_empty() { "the model" } else { &self.path };
        let message = format!("{owner} lacks the key `{key}`");
        let problem = self.problem("E0202", key, message).expected(format!("{key} = {what}")).help(row.doc);
        self.context.findings.push(Finding::at(problem, self.key_span));
    }

    /// Reports a table that does nothing, since it has none of these keys.
    pub(crate) fn needs_one(&self, keys: &[&str]) -> Option<()> {
        if keys.iter().any(|k| self.has(k) || self.is_misspelt(k)) {
            return Some(());
        }
        let keys = keys.join(", ");
        let message = format!("{} does nothing: it has none of {keys}", self.path);
        let problem = Problem::new("E0202", self.path.clone(), message).expected(format!("one of {keys}"));
        self.context.findings.push(Finding::at(problem.help("give one, or remove the entry"), self.key_span));
        None
    }

    pub(crate) fn wrong_type(&self, path: &str, node: &Node, expected: &str) {
        if matches!(node.value, Value::Broken) {
            return;
        }
        let message = format!("{path} must be {expected}, got {}", node.value.type_name());
        let problem = Problem::new("E0106", path, message).expected(expected);
        self.context.findings.push(Finding::at(problem, node.span));
    }

    /// A quantity of the dimension in the schema.
    pub(crate) fn quantity(&self, key: &str) -> Option<f64> {
        self.quantity_in(key, self.dimension(key))
    }

    /// A quantity of a dimension that depends on other keys.
    pub(crate) fn quantity_in(&self, key: &str, dimension: Dimension) -> Option<f64> {
        self.context.value(self.node(key)?, dimension, self.scope, &self.path_of(key))
    }

    pub(crate) fn required_quantity(&self, key: &str) -> Option<f64> {
        if !self.has(key) {
            self.report_missing(key);
        }
        self.quantity(key)
    }

    /// Several quantities of one dimension.
    pub(crate) fn quantities(&self, key: &str, dimension: Dimension, expected: &[usize]) -> Option<Vec<f64>> {
        let node = self.node(key)?;
        let count = match &node.value {
            Value::Array(items) if expected.contains(&items.len()) => items.len(),
            Value::Array(items) => {
                self.wrong_count(&self.path_of(key), node, &counts(expected), items.len());
                return None;
            }
            _ => {
                self.wrong_type(&self.path_of(key), node, &format!("a list of {} numbers", counts(expected)));
                return None;
            }
        };
        self.list_of(node, &self.path_of(key), &vec![dimension; count])
    }

    /// Quantities in a list, each with its own dimension.
    pub(crate) fn list_of(&self, node: &Node, path: &str, dimensions: &[Dimension]) -> Option<Vec<f64>> {
        let Value::Array(items) = &node.value else {
            self.wrong_type(path, node, &format!("a list of {} numbers", dimensions.len()));
            return None;
        };
        if items.len() != dimensions.len() {
            self.wrong_count(path, node, &dimensions.len().to_string(), items.len());
            return None;
        }
        let value = |(k, item): (usize, &Node)| {
            let path = format!("{path}[{k}]");
            self.context.record_origin(&path, item.span);
            self.context.value(item, dimensions[k], self.scope, &path)
        };
        let values: Vec<Option<f64>> = items.iter().enumerate().map(value).collect();
        values.into_iter().collect()
    }

    fn wrong_count(&self, path: &str, node: &Node, expected: &str, got: usize) {
        let message = format!("{path} must have {expected} numbers, got {got}");
        let problem = Problem::new("E0106", path, message).expected(format!("{expected} numbers"));
        self.context.findings.push(Finding::at(problem, node.span));
    }

    pub(crate) fn vector(&self, key: &str) -> Option<Vec3> {
        let dimension = self.dimension(key);
        if let Some(found) = self.vector_in_plane(key, dimension) {
            return found;
        }
        let values = self.quantities(key, dimension, &[3])?;
        Some(Vec3::new(values[0], values[1], values[2]))
    }

    pub(crate) fn required_vector(&self, key: &str) -> Option<Vec3> {
        if !self.has(key) {
            self.report_missing(key);
        }
        self.vector(key)
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let node = self.node(key)?;
        if node.as_text().is_none() {
            self.wrong_type(&self.path_of(key), node, "a string");
        }
        node.as_text().map(str::to_owned)
    }

    pub(crate) fn required_text(&self, key: &str) -> Option<String> {
        if !self.has(key) {
            self.report_missing(key);
        }
        self.text(key)
    }

    /// One of the words of the schema.
    pub(crate) fn word(&self, key: &str) -> Option<&'static str> {
        let (Kind::Word(words) | Kind::WordOrTable(words, _)) = self.kind(key) else {
            debug_assert!(false, "{}.{key} is no word", self.section);
            return None;
        };
        let text = self.text(key)?;
        let found = words.iter().find(|w| **w == text).copied();
        if found.is_none() {
            let all = words.join(", ");
            let mut problem = self.problem(
                "E0107",
                key,
                format!("{} does not know the word \"{text}\"", self.path_of(key)),
            );
            problem.expected = Some(format!("one of {all}"));
            problem.help =
                suggest::nearest(&text, words.iter().copied()).map(|w| format!("did you mean \"{w}\"?"));
            self.report(key, problem);
        }
        found
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let node = self.node(key)?;
        match node.value {
            Value::Bool(b) => Some(b),
            _ => {
                self.wrong_type(&self.path_of(key), node, "true or false");
                None
            }
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(&self, key: &str) -> Option<u64> {
        let node = self.node(key)?;
        match node.value {
            Value::Integer(i) => match u64::try_from(i) {
                Ok(i) => Some(i),
                Err(_) => {
                    let message = format!("{} must not be negative, got {i}", self.path_of(key));
                    self.report(
                        key,
                        self.problem("E0114", key, message).expected("a whole number from 0 up"),
                    );
                    None
                }
            },
            _ => {
                self.wrong_type(&self.path_of(key), node, "a whole number");
                None
            }
        }
    }

    /// The table under a key. A value that is no table has been reported by the walk over all keys.
    pub(crate) fn table(&self, key: &str) -> Option<Section<'c, 'a>> {
        let section = match self.kind(key) {
            Kind::Table(section) => section,
            Kind::Rotation => "rot",
            Kind::WordOrTable(_, section)
            | Kind::QuantityOrTable(_, section)
            | Kind::PerCoordinate(section) => section,
            _ => {
                debug_assert!(false, "{}.{key} is no table", self.section);
                return None;
            }
        };
        let entry = self.entry(key)?;
        let table = entry.node.as_table()?;
        Some(Section::new(self.context, section, table, entry.key_span, self.path_of(key), self.scope))
    }

    /// The named tables under a key, in the order of the file.
    pub(crate) fn named(&self, key: &str) -> Vec<(&'a str, Section<'c, 'a>)> {
        let Kind::Named(section) = self.kind(key) else {
            debug_assert!(false, "{}.{key} has no named tables", self.section);
            return Vec::new();
        };
        let Some(table) = self.entry(key).and_then(|e| e.node.as_table()) else { return Vec::new() };
        let path = self.path_of(key);
        let section_of = |e: &'a Entry| {
            let table = e.node.as_table()?;
            let path = format!("{path}.{}", e.key);
            Some((e.key.as_str(), Section::new(self.context, section, table, e.key_span, path, self.scope)))
        };
        table.entries.iter().filter_map(section_of).collect()
    }

    /// The tables of a list under a key. What is no table has been reported by the walk over all keys.
    pub(crate) fn tables(&self, key: &str) -> Vec<Section<'c, 'a>> {
        let (Kind::Tables(section) | Kind::PerCoordinate(section)) = self.kind(key) else {
            debug_assert!(false, "{}.{key} is no list of tables", self.section);
            return Vec::new();
        };
        let Some(Value::Array(items)) = self.entry(key).map(|e| &e.node.value) else { return Vec::new() };
        let path = self.path_of(key);
        let section_of = |(k, item): (usize, &'a Node)| {
            let path = format!("{path}[{k}]");
            let table = item.as_table()?;
            Some(Section::new(self.context, section, table, item.span, path, self.scope))
        };
        items.iter().enumerate().filter_map(section_of).collect()
    }

    /// The same table with its names looked up elsewhere and another path.
    pub(crate) fn within(&self, scope: ScopeId, path: String) -> Section<'c, 'a> {
        Section::new(self.context, self.section, self.table, self.key_span, path, scope)
    }
}

fn counts(expected: &[usize]) -> String {
    expected.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")
}
