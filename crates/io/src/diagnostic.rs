//! Problems with their places in the files of a model.

use carom_engine::{Problem, Severity};

use crate::finding::Finding;
use crate::source::{Sources, Span, shortened};

/// A place that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// File as it was named, or `--set` for an override of the command line.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Characters that are meant.
    pub length: usize,
    /// Text of the line; of a very long one what is around the place.
    pub source_line: String,
    /// Characters of that before the place.
    pub indent: usize,
    /// The text that is meant; of a very long one its beginning.
    pub text: String,
}

impl Location {
    pub(crate) fn of(sources: &Sources, span: Span) -> Self {
        let place = sources.place(span);
        Self {
            file: sources.0[span.file].name.clone(),
            line: place.line,
            column: place.column,
            length: place.length,
            source_line: place.source_line,
            indent: place.indent,
            text: shortened(sources.slice(span)),
        }
    }
}

/// A problem, where it is, and what else belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// Where; `None` if no place in a file is meant.
    pub location: Option<Location>,
    /// Another place, with a note on what it has to do with it.
    pub related: Option<(Location, String)>,
}

impl Diagnostic {
    pub(crate) fn of(finding: Finding, sources: &Sources) -> Self {
        Self {
            problem: finding.problem,
            location: finding.span.map(|span| Location::of(sources, span)),
            related: finding.related.map(|(span, note)| (Location::of(sources, span), note)),
        }
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }
}

/// What is wrong with a model file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Errors first, then warnings, each in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The main file itself could not be read.
    pub unreadable: bool,
}

impl Report {
    /// Sorted: errors before warnings, then by file and place.
    pub fn new(mut diagnostics: Vec<Diagnostic>) -> Self {
        let place = |d: &Diagnostic| d.location.as_ref().map(|l| (l.file.clone(), l.line, l.column));
        diagnostics.sort_by_cached_key(|d| (d.severity() != Severity::Error, place(d)));
        Self { diagnostics, unreadable: false }
    }

    /// Number of errors.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity() == Severity::Error).count()
    }

    /// Number of warnings.
    pub fn warnings(&self) -> usize {
        self.diagnostics.len() - self.errors()
    }
}
