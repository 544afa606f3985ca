//! Reads TOML text to the spanned tree. The only file that knows the crate `toml`.

use carom_engine::Problem;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{Entry, Node, Table, Value};
use crate::finding::{Finding, Findings};
use crate::source::{Sources, Span};

/// Parses a file. Errors are recorded; `None` if there is nothing to go on with.
pub(crate) fn parse(sources: &Sources, file: usize, findings: &Findings) -> Option<Table> {
    let text = &sources.0[file].text;
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut go_on = true;
    // The keys under a repeated header are repeated with it.
    let mut repeated_until = 0;
    for error in &errors {
        let at = error.span().unwrap_or(0..0);
        let span = Span { file, start: at.start, end: at.end };
        if error.message().contains("duplicate key") {
            if span.start < repeated_until {
                continue;
            }
            let key = sources.slice(span);
            let is_header =
                text[..span.start].rsplit('\n').next().is_some_and(|l| l.trim_start().starts_with('['));
            if is_header {
                repeated_until = text[span.start..].find("\n[").map_or(text.len(), |k| span.start + k);
            }
            let problem = Problem::new(
                "E0207",
                "",
                format!("{} `{key}` is given twice", if is_header { "table" } else { "key" }),
            );
            findings.push(Finding::at(problem.help("remove or rename one of the two"), span));
        } else if go_on {
            // What follows a broken bracket or quote is mostly its consequence.
            go_on = false;
            let problem = Problem::new("E0101", "", format!("not valid TOML: {}", error.message()));
            findings.push(Finding::at(problem.help(syntax_help(error.message())), span));
        }
    }
    if errors.is_empty() {
        refuse_later_syntax(text, file, findings);
    }
    go_on.then(|| convert_table(table.get_ref(), file, "", findings))
}

fn syntax_help(message: &str) -> &'static str {
    if message.contains("must be quoted") {
        "a value with a unit or a word is a string: \"10 kg\""
    } else if message.contains("string") {
        "is a quote missing on this line?"
    } else if message.contains("array") || message.contains("inline table") {
        "is a bracket, a brace or a comma missing before this place?"
    } else {
        "the mistake may be a little before this place"
    }
}

/// Value of `--set path=value`: TOML if it is, else a string.
pub(crate) fn parse_override(text: &str, file: usize, offset: usize, findings: &Findings) -> Node {
    let span = Span { file, start: offset, end: offset + text.len() };
    match DeValue::parse(text) {
        Ok(value) => {
            let mut node = convert(&value, file, "", findings);
            shift(&mut node, offset);
            node
        }
        Err(_) => Node { value: Value::Text(text.to_owned()), span },
    }
}

fn shift(node: &mut Node, offset: usize) {
    let move_span = |span: &mut Span| {
        span.start += offset;
        span.end += offset;
    };
    move_span(&mut node.span);
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|n| shift(n, offset)),
        Value::Table(table) => table.entries.iter_mut().for_each(|e| {
            move_span(&mut e.key_span);
            shift(&mut e.node, offset);
        }),
        _ => {}
    }
}

fn convert_table(table: &DeTable<'_>, file: usize, path: &str, findings: &Findings) -> Table {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let name = key.get_ref().to_string();
            let child = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let at = key.span();
            Entry {
                key_span: Span { file, start: at.start, end: at.end },
                node: convert(value, file, &child, findings),
                key: name,
            }
        })
        .collect();
    // The crate sorts by name; people expect the order of their file.
    entries.sort_by_key(|e| e.key_span.start);
    Table { entries }
}

fn convert(value: &Spanned<DeValue<'_>>, file: usize, path: &str, findings: &Findings) -> Node {
    let at = value.span();
    let span = Span { file, start: at.start, end: at.end };
    let value = match value.get_ref() {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(i) => Value::Integer(i),
            Err(_) => {
                let problem = Problem::new("E0114", path, format!("{path} = {i} does not fit into 64 bits"));
                findings.push(Finding::at(problem.help("write it as a float, such as 1e20"), span));
                Value::Broken
            }
        },
        DeValue::Float(x) => match x.as_str().parse::<f64>() {
            Ok(x) if x.is_finite() => Value::Number(x),
            _ => {
                let problem = Problem::new("E0102", path, format!("{path} is not finite (got {x})"));
                findings.push(Finding::at(problem.expected("a finite number"), span));
                Value::Broken
            }
        },
        DeValue::Array(items) => Value::Array(
            items
                .iter()
                .enumerate()
                .map(|(k, v)| convert(v, file, &format!("{path}[{k}]"), findings))
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(convert_table(table, file, path, findings)),
    };
    Node { value, span }
}

/// TOML 1.1 lets inline tables run over several lines and end in a comma; readers of TOML 1.0, Python's
/// among them, do not, and model files stay readable by all.
fn refuse_later_syntax(text: &str, file: usize, findings: &Findings) {
    let mut scan = Scanner { bytes: text.as_bytes(), at: 0, open: Vec::new() };
    while let Some(place) = scan.next_violation() {
        let span = Span { file, start: place.0, end: place.0 + 1 };
        findings.push(Finding::at(
            Problem::new("E0113", "", place.1)
                .expected("TOML 1.0")
                .help("keep the inline table on one line, or write it as a table with a [header]"),
            span,
        ));
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Open brackets with their places; a table is reported once.
    open: Vec<(u8, usize, bool)>,
}

impl Scanner<'_> {
    fn next_violation(&mut self) -> Option<(usize, &'static str)> {
        let mut after_comma = false;
        while let Some(&c) = self.bytes.get(self.at) {
            let here = self.at;
            self.at += 1;
            match c {
                b'"' | b'\'' => self.skip_string(c, here),
                b'#' => {
                    while self.bytes.get(self.at).is_some_and(|c| *c != b'\n') {
                        self.at += 1;
                    }
                    continue;
                }
                b'{' | b'[' => self.open.push((c, here, false)),
                b'}' | b']' => {
                    let closed = self.open.pop();
                    if c == b'}' && after_comma && closed.is_some_and(|o| !o.2) {
                        return Some((
                            here,
                            "a comma before the closing brace of an inline table is TOML 1.1",
                        ));
                    }
                }
                b'\n' => {
                    if let Some((b'{', start, reported @ false)) = self.open.last_mut() {
                        *reported = true;
                        return Some((*start, "an inline table over several lines is TOML 1.1"));
                    }
                    continue;
                }
                b' ' | b'\t' | b'\r' => continue,
                _ => {}
            }
            after_comma = c == b',';
        }
        None
    }

    fn skip_string(&mut self, quote: u8, start: usize) {
        let is_quote = |k: usize| self.bytes.get(k) == Some(&quote);
        let long = is_quote(start + 1) && is_quote(start + 2);
        self.at = if long { start + 3 } else { start + 1 };
        while self.at < self.bytes.len() {
            let c = self.bytes[self.at];
            if c == b'\\' && quote == b'"' {
                self.at += 2;
                continue;
            }
            self.at += 1;
            if c != quote {
                continue;
            }
            if !long {
                return;
            }
            if self.bytes.get(self.at) == Some(&quote) && self.bytes.get(self.at + 1) == Some(&quote) {
                // Up to two quotes may stand before the closing three.
                while self.bytes.get(self.at) == Some(&quote) {
                    self.at += 1;
                }
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", text, std::path::Path::new(""));
        let findings = Findings::default();
        parse(&sources, file, &findings);
        findings.take().iter().map(|f| f.problem.code).collect()
    }

    #[test]
    fn toml_1_0_is_kept() {
        assert_eq!(codes("a = { b = 1,\n c = 2 }"), ["E0113"]);
        assert_eq!(codes("a = { b = 1, }"), ["E0113"]);
        assert_eq!(codes("a = { b = [1,\n 2,\n] } # {\n\"}\" = '{'"), [""; 0]);
        assert_eq!(codes("a = \"\"\"{\n\"\"\"\nb = '''{\n'''"), [""; 0]);
    }

    #[test]
    fn values_that_are_no_numbers_are_refused() {
        assert_eq!(codes("a = nan"), ["E0102"]);
        assert_eq!(codes("a = [1, -inf]"), ["E0102"]);
        assert_eq!(codes("a = 1e999"), ["E0102"]);
        assert_eq!(codes("a = 99999999999999999999"), ["E0114"]);
    }

    #[test]
    fn syntax_errors_and_duplicates() {
        assert_eq!(codes("a = "), ["E0101"]);
        assert_eq!(codes("a = 1\na = 2"), ["E0207"]);
    }

    #[test]
    fn entries_keep_the_order_of_the_file() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "[z.b]\nx = 1\n[a]\n[z.a]\n", std::path::Path::new(""));
        let table = parse(&sources, file, &Findings::default()).unwrap();
        assert_eq!(table.keys().collect::<Vec<_>>(), ["z", "a"]);
        assert_eq!(table.table("z").unwrap().keys().collect::<Vec<_>>(), ["b", "a"]);
    }
}
