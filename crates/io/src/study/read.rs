//! Reads a study file, and says all that is wrong with it.

use std::path::Path;

use carom_engine::Problem;

use super::axis::split_unit;
use super::{Axis, Distribution, Places, Sample, SampleMethod, Sampled, Setting, StudyFile};
use crate::diagnostic::{Diagnostic, Report};
use crate::document::{self, Entry, Node, Table, Value, parse_toml};
use crate::finding::{Finding, Findings};
use crate::read::parse_measure;
use crate::source::{Sources, Span};
use crate::suggest;

const CODE: &str = "E0901";
const TOP: [&str; 6] = ["format", "model", "combine", "vary", "sample", "result"];
/// Most runs of a range or a sample.
const MOST: i64 = 10_000_000;

/// Reads the file of a study. The report has everything that is wrong with it.
pub fn read_study(path: &Path) -> Result<StudyFile, Report> {
    let text = document::read_text(path).map_err(|reason| {
        let problem = Problem::new("E0204", "", format!("cannot read \"{}\": {reason}", path.display()));
        Report { diagnostics: vec![Diagnostic { problem, location: None, related: None }], unreadable: true }
    })?;
    let (mut sources, findings) = (Sources::default(), Findings::default());
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = sources.add(path.display().to_string(), text.clone(), folder);
    let root = parse_toml(&sources, file, &findings);
    let study =
        root.and_then(|root| Some((Reader { findings: &findings, file }.study(&root, folder, text)?, root)));
    match study {
        Some((study, root)) if !findings.has_errors() => {
            Ok(StudyFile { places: Places::of(sources, &root), ..study })
        }
        _ => Err(Report::new(findings.take().into_iter().map(|f| Diagnostic::of(f, &sources)).collect())),
    }
}

struct Reader<'a> {
    findings: &'a Findings,
    file: usize,
}

impl Reader<'_> {
    fn report(&self, path: &str, span: Span, message: impl Into<String>, expected: &str) {
        let problem = Problem::new(CODE, path, message).expected(expected);
        self.findings.push(Finding::at(problem, span));
    }

    fn study(&self, root: &Table, folder: &Path, text: String) -> Option<StudyFile> {
        self.check_keys(root, &TOP, "");
        let start = Span { file: self.file, start: 0, end: 0 };
        match root.get("format").map(|node| (&node.value, node.span)) {
            Some((Value::Integer(1), _)) => {}
            Some((_, span)) => self.report("format", span, "this format is not known", "format = 1"),
            None => self.report("format", start, "the study does not say its format", "format = 1"),
        }
        let model = root.get("model").and_then(Node::as_text).map(|name| folder.join(name));
        if model.is_none() {
            self.report("model", start, "the study names no model", "model = \"FILE.toml\"");
        }
        let axes = self.entries(root, "vary", |entry| self.axis(entry));
        let results = self.entries(root, "result", |entry| {
            let measured =
                entry.node.as_text().ok_or_else(|| "it is not a string".to_owned()).and_then(parse_measure);
            let report = |message: String| {
                let expected = "such as \"ball.z max\", \"floor.begin[1].time\" or \"ball.z @ end\"";
                self.report(&format!("result.{}", entry.key), entry.node.span, message, expected);
            };
            Some((entry.key.clone(), measured.map_err(report).ok()?))
        });
        let side_by_side = match root.get("combine") {
            None => false,
            Some(node) => match node.as_text() {
                Some("product") => false,
                Some("side-by-side") => true,
                _ => {
                    let expected = "\"product\" or \"side-by-side\"";
                    self.report("combine", node.span, "axes cannot be combined like this", expected);
                    false
                }
            },
        };
        if side_by_side && axes.windows(2).any(|pair| pair[0].values.len() != pair[1].values.len()) {
            let counts: Vec<_> = axes.iter().map(|a| format!("{} of {}", a.values.len(), a.key)).collect();
            let message =
                format!("side by side, keys have as many values each; there are {}", counts.join(", "));
            self.report("vary", start, message, "lists of one length");
        }
        let sample = root.entry("sample").and_then(|entry| self.sample(entry));
        self.check_once(root);
        if axes.is_empty() && sample.is_none() && root.get("sample").is_none() {
            self.report("vary", start, "the study varies nothing", "[vary] or [sample]");
        }
        Some(StudyFile {
            model: model?,
            axes,
            side_by_side,
            sample,
            results,
            text,
            places: Places::default(),
        })
    }

    /// A key that is varied and drawn would silently be drawn alone.
    fn check_once(&self, root: &Table) {
        let drawn = root.get("sample").and_then(Node::as_table).and_then(|sample| sample.get("of"));
        let (Some(drawn), Some(varied)) =
            (drawn.and_then(Node::as_table), root.get("vary").and_then(Node::as_table))
        else {
            return;
        };
        for entry in &drawn.entries {
            let Some(other) = varied.entry(&entry.key) else { continue };
            let message = format!("\"{}\" is in [vary] as well", entry.key);
            let problem = Problem::new(CODE, format!("sample.of.{}", entry.key), message);
            let problem = problem.expected("a key in one of the two");
            self.findings
                .push(Finding::at(problem, entry.key_span).related(other.key_span, "it varies here"));
        }
    }

    fn check_keys(&self, table: &Table, known: &[&str], path: &str) {
        for entry in table.entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let near = suggest::nearest(&entry.key, known.iter().copied());
            let near = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
            let message = format!("a study has no key \"{}\" here{near}", entry.key);
            self.report(&format!("{path}{}", entry.key), entry.key_span, message, &known.join(", "));
        }
    }

    fn entries<T>(&self, root: &Table, key: &str, read: impl Fn(&Entry) -> Option<T>) -> Vec<T> {
        let Some(node) = root.get(key) else { return Vec::new() };
        let Some(table) = node.as_table() else {
            self.report(key, node.span, format!("{key} is {}", node.value.type_name()), "a table");
            return Vec::new();
        };
        table.entries.iter().filter_map(read).collect()
    }

    fn axis(&self, entry: &Entry) -> Option<Axis> {
        let path = format!("vary.{}", entry.key);
        let expected =
            "a list of values, or { from, to, count } with scale = \"log\" for a logarithmic range";
        let values = match &entry.node.value {
            Value::Array(items) if !items.is_empty() => {
                items.iter().map(|item| self.setting(item, &path)).collect::<Option<Vec<_>>>()?
            }
            Value::Table(range) => self.range(range, entry, &path)?,
            other => {
                self.report(
                    &path,
                    entry.node.span,
                    format!("its values are {}", other.type_name()),
                    expected,
                );
                return None;
            }
        };
        Some(Axis { key: entry.key.clone(), values })
    }

    fn setting(&self, node: &Node, path: &str) -> Option<Setting> {
        match &node.value {
            Value::Text(text) => Some(Setting::text(text)),
            Value::Integer(number) => {
                Some(Setting { toml: number.to_string(), number: Some(*number as f64) })
            }
            Value::Number(number) => Some(Setting { toml: format!("{number:?}"), number: Some(*number) }),
            Value::Bool(truth) => Some(Setting { toml: truth.to_string(), number: None }),
            other => {
                let message = format!("a value is {}", other.type_name());
                self.report(path, node.span, message, "a number, a string or true or false");
                None
            }
        }
    }

    /// Number and unit of a quantity as it is written.
    fn number(&self, node: Option<&Node>, span: Span, path: &str) -> Option<(f64, String)> {
        let found = match node.map(|node| &node.value) {
            Some(Value::Integer(number)) => Some((*number as f64, String::new())),
            Some(Value::Number(number)) if number.is_finite() => Some((*number, String::new())),
            Some(Value::Text(text)) => split_unit(text).map(|(number, unit)| (number, unit.to_owned())),
            _ => None,
        };
        if found.is_none() {
            let span = node.map_or(span, |node| node.span);
            self.report(
                path,
                span,
                "a quantity is missing or cannot be read",
                "a number with its unit, such as \"0.5 m\"",
            );
        }
        found
    }

    fn count(&self, node: Option<&Node>, span: Span, path: &str) -> Option<usize> {
        match node.map(|node| &node.value) {
            Some(Value::Integer(count)) if (1..=MOST).contains(count) => usize::try_from(*count).ok(),
            _ => {
                let span = node.map_or(span, |node| node.span);
                self.report(
                    path,
                    span,
                    "the count is missing, or no number of runs",
                    "a whole number from 1",
                );
                None
            }
        }
    }

    fn range(&self, range: &Table, entry: &Entry, path: &str) -> Option<Vec<Setting>> {
        self.check_keys(range, &["from", "to", "count", "scale"], &format!("{path}."));
        let span = entry.node.span;
        let from = self.number(range.get("from"), span, path);
        let to = self.number(range.get("to"), span, path);
        let count = self.count(range.get("count"), span, path);
        let is_log = match range.get("scale").map(|node| (node.as_text(), node.span)) {
            None | Some((Some("linear"), _)) => false,
            Some((Some("log"), _)) => true,
            Some((_, span)) => {
                self.report(path, span, "the scale is not known", "\"linear\" or \"log\"");
                return None;
            }
        };
        let ((from, unit), (to, other), count) = (from?, to?, count?);
        if unit != other {
            let message = format!("the range begins in \"{unit}\" and ends in \"{other}\"");
            self.report(path, span, message, "the same unit twice");
            return None;
        }
        if is_log && (from <= 0.0 || to <= 0.0) {
            self.report(path, span, "a logarithmic range has a limit that is not positive", "limits above 0");
            return None;
        }
        let at = |k: usize| {
            let share = if count > 1 { k as f64 / (count - 1) as f64 } else { 0.0 };
            // The ends are what was written.
            match k {
                0 => from,
                k if k + 1 == count => to,
                _ if is_log => libm::exp((1.0 - share) * libm::log(from) + share * libm::log(to)),
                _ => (1.0 - share) * from + share * to,
            }
        };
        Some((0..count).map(|k| Setting::quantity(at(k), &unit)).collect())
    }

    fn sample(&self, entry: &Entry) -> Option<Sample> {
        let span = entry.key_span;
        let Some(table) = entry.node.as_table() else {
            self.report("sample", entry.node.span, "sample is no table", "[sample]");
            return None;
        };
        self.check_keys(table, &["method", "count", "seed", "of"], "sample.");
        let names = SampleMethod::ALL.map(SampleMethod::name);
        let word = table.get("method").and_then(Node::as_text);
        let method = SampleMethod::ALL.into_iter().find(|method| Some(method.name()) == word);
        if method.is_none() {
            let at = table.get("method").map_or(span, |node| node.span);
            self.report("sample.method", at, "the method is missing or not known", &names.join(", "));
        }
        let count = self.count(table.get("count"), span, "sample.count");
        let seed = match table.get("seed").map(|node| (&node.value, node.span)) {
            None => Some(0),
            Some((Value::Integer(seed), _)) if *seed >= 0 => Some(seed.unsigned_abs()),
            Some((_, at)) => {
                self.report("sample.seed", at, "the seed is no whole number", "a whole number from 0");
                None
            }
        };
        let keys = self.entries(table, "of", |entry| self.sampled(entry));
        if table.get("of").is_none() {
            self.report(
                "sample.of",
                span,
                "no key is drawn",
                "[sample.of] with KEY = { uniform = [LOW, HIGH] }",
            );
        }
        Some(Sample { method: method?, count: count?, seed: seed?, keys })
    }

    fn sampled(&self, entry: &Entry) -> Option<Sampled> {
        let path = format!("sample.of.{}", entry.key);
        let expected = "{ uniform = [LOW, HIGH] }, { normal = [MEAN, DEVIATION] } or { log_normal = [MEDIAN, DEVIATION_OF_LOG] }";
        let given = entry.node.as_table().and_then(|table| match table.entries.as_slice() {
            [only] => match &only.node.value {
                Value::Array(items) if items.len() == 2 => Some((only.key.as_str(), items)),
                _ => None,
            },
            _ => None,
        });
        let Some((kind, items)) = given else {
            self.report(&path, entry.node.span, "the distribution cannot be read", expected);
            return None;
        };
        let first = self.number(Some(&items[0]), entry.node.span, &path);
        let second = self.number(Some(&items[1]), entry.node.span, &path);
        let ((a, unit), (b, other)) = (first?, second?);
        let (distribution, is_sound) = match kind {
            "uniform" => (Distribution::Uniform(a, b), a < b && unit == other),
            "normal" => (Distribution::Normal(a, b), b > 0.0 && unit == other),
            "log_normal" => (Distribution::LogNormal(a, b), a > 0.0 && b > 0.0 && other.is_empty()),
            _ => {
                self.report(&path, entry.node.span, format!("there is no distribution \"{kind}\""), expected);
                return None;
            }
        };
        if !is_sound {
            let expected = "LOW below HIGH, positive deviations and medians, one unit; the deviation of a logarithm has none";
            self.report(&path, entry.node.span, "the numbers do not make a distribution", expected);
            return None;
        }
        Some(Sampled { key: entry.key.clone(), distribution, unit })
    }
}
