use std::fs;
use std::path::{Path, PathBuf};

use carom_engine::Problem;

use super::defaults::apply_defaults;
use super::merge::{join, overlay};
use super::node::{Node, Table, Value};
use super::toml_text;
use crate::finding::{Finding, Findings};
use crate::regular_file::read_file;
use crate::source::{Sources, Span};
use crate::suggest;

/// Largest model file (bytes); more is not a model file.
pub const MAX_FILE_SIZE: u64 = 64 << 20;
/// Deepest chain of includes.
const MAX_INCLUDE_DEPTH: usize = 32;

/// The files of a model as one tree.
#[derive(Debug)]
pub(crate) struct Document {
    /// All tables, joined.
    pub(crate) root: Table,
    /// Files read besides the main one, as given.
    pub(crate) included: Vec<PathBuf>,
}

/// The main file's text and where its relative paths start.
pub(crate) struct MainText<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) folder: &'a Path,
    /// The file itself, if there is one, to notice that it includes itself.
    pub(crate) path: Option<&'a Path>,
}

/// Reads the main text and everything it includes or extends. `None` after an error that leaves
/// nothing to go on with.
pub(crate) fn open(main: &MainText<'_>, sources: &mut Sources, findings: &Findings) -> Option<Document> {
    let mut reader = Reader { sources, findings, open: Vec::new(), done: Vec::new(), rank: 0, broken: false };
    if let Some(path) = main.path {
        reader.open.push(canonical(path));
    }
    let file = reader.sources.add(main.name, main.text, main.folder);
    let root = reader.tree(file, main.folder, Role::Main)?;
    let included = std::mem::take(&mut reader.done);
    (!reader.broken).then_some(Document { root, included })
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Main,
    Included,
    Base,
}

struct Reader<'a> {
    sources: &'a mut Sources,
    findings: &'a Findings,
    /// Chain of files being read, for cycles.
    open: Vec<PathBuf>,
    /// Files that were read.
    done: Vec<PathBuf>,
    rank: usize,
    broken: bool,
}

impl Reader<'_> {
    fn tree(&mut self, file: usize, folder: &Path, role: Role) -> Option<Table> {
        let mut own = toml_text::parse(self.sources, file, self.findings)?;
        self.check_format(&own, file, role);
        let base = self.base(&own, folder);
        if let (Some(_), Some(default)) = (&base, own.entry("default")) {
            self.findings.push(Finding::at(
                Problem::new("E0212", "default", "`default` and `extends` exclude each other")
                    .help("a variant states its differences; put defaults into the file it extends"),
                default.key_span,
            ));
        }
        apply_defaults(&mut own);
        let mut joined = self.includes(&own, folder);
        self.rank += 1;
        self.sources.0[file].rank = self.rank;
        own.entries.retain(|e| !["include", "extends", "default"].contains(&e.key.as_str()));
        if role == Role::Included {
            own.entries.retain(|e| !["format", "name"].contains(&e.key.as_str()));
        }
        join(&mut joined, own, self.sources, self.findings);
        Some(match base {
            Some(mut base) => {
                overlay(&mut base, joined);
                base
            }
            None => joined,
        })
    }

    fn check_format(&self, own: &Table, file: usize, role: Role) {
        let help = "the first line of a model file is `format = 1`";
        match own.entry("format") {
            None if role == Role::Included => {}
            None => {
                let problem = Problem::new("E0112", "format", "the file does not say its format");
                self.findings.push(Finding::at(
                    problem.expected("format = 1").help(help),
                    Span { file, start: 0, end: 0 },
                ));
            }
            Some(entry) => match entry.node.value {
                Value::Integer(1) | Value::Broken => {}
                _ => {
                    let got = self.sources.slice(entry.node.span).to_owned();
                    let problem =
                        Problem::new("E0112", "format", format!("format {got} is not known to this version"));
                    self.findings.push(Finding::at(problem.expected("1").help(help), entry.node.span));
                }
            },
        }
    }

    fn base(&mut self, own: &Table, folder: &Path) -> Option<Table> {
        let entry = own.entry("extends")?;
        match entry.node.as_text() {
            Some(name) => self.other(name, entry.node.span, folder, Role::Base),
            None => {
                self.wrong_type("extends", &entry.node, "the name of a file");
                None
            }
        }
    }

    fn includes(&mut self, own: &Table, folder: &Path) -> Table {
        let mut joined = Table::default();
        let Some(node) = own.get("include") else { return joined };
        let Value::Array(items) = &node.value else {
            self.wrong_type("include", node, "a list of file names, such as [\"laws.toml\"]");
            return joined;
        };
        for item in items {
            match item.as_text() {
                Some(name) => {
                    if let Some(table) = self.other(name, item.span, folder, Role::Included) {
                        join(&mut joined, table, self.sources, self.findings);
                    }
                }
                None => self.wrong_type("include", item, "the name of a file"),
            }
        }
        joined
    }

    fn wrong_type(&self, key: &str, node: &Node, expected: &str) {
        if !matches!(node.value, Value::Broken) {
            let message = format!("{key} must be {expected}, got {}", node.value.type_name());
            self.findings
                .push(Finding::at(Problem::new("E0106", key, message).expected(expected), node.span));
        }
    }

    /// Tree of another file that this one names.
    fn other(&mut self, name: &str, span: Span, folder: &Path, role: Role) -> Option<Table> {
        let path = folder.join(name);
        let identity = canonical(&path);
        if let Some(at) = self.open.iter().position(|p| *p == identity) {
            let chain: Vec<String> =
                self.open[at..].iter().chain([&identity]).map(|p| file_name(p)).collect();
            let message = format!("files include each other: {}", chain.join(" -> "));
            let problem =
                Problem::new("E0205", "include", message).help("move what both need into a third file");
            self.findings.push(Finding::at(problem, span));
            self.broken = true;
            return None;
        }
        if self.open.len() >= MAX_INCLUDE_DEPTH {
            let message = format!("includes are more than {MAX_INCLUDE_DEPTH} levels deep");
            self.findings.push(Finding::at(Problem::new("E0205", "include", message), span));
            self.broken = true;
            return None;
        }
        if role == Role::Included && self.done.iter().any(|p| canonical(p) == identity) {
            return None;
        }
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(reason) => {
                let what = if role == Role::Base { "base file" } else { "included file" };
                let message =
                    format!("cannot read {what} \"{name}\" (looked in {}): {reason}", shown_folder(folder));
                let mut problem = Problem::new("E0204", "include", message);
                problem.help = near_file(name, folder);
                self.findings.push(Finding::at(problem, span));
                self.broken = true;
                return None;
            }
        };
        let inner_folder = path.parent().unwrap_or(folder).to_owned();
        let file = self.sources.add(path.display().to_string(), text, &inner_folder);
        self.done.push(path.clone());
        self.open.push(identity);
        let table = self.tree(file, &inner_folder, role);
        self.open.pop();
        self.broken |= table.is_none();
        table
    }
}

/// Reads a text file of reasonable size; the error is for people.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    text_of(read_file(path, MAX_FILE_SIZE)?)
}

/// A model's text from its bytes; the error is for people.
pub fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes)
        .map_err(|e| format!("it is not UTF-8 text (byte {})", e.utf8_error().valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// "Did you mean" among the files of a folder.
pub(crate) fn near_file(name: &str, folder: &Path) -> Option<String> {
    let path = folder.join(name);
    let wanted = file_name(&path);
    let mut names: Vec<String> = fs::read_dir(path.parent()?)
        .ok()?
        .filter_map(|entry| entry.ok().map(|e| e.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    suggest::nearest(&wanted, names.iter().map(String::as_str))
        .map(|near| format!("did you mean \"{near}\"?"))
}

/// The folder as messages name it.
pub(crate) fn shown_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_owned() } else { folder.display().to_string() }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
