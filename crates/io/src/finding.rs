//! Findings while a model is read: problems with their places.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;

use crate::source::Span;

/// A problem and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) problem: Problem,
    pub(crate) span: Option<Span>,
    /// Another place that belongs to it, with a note.
    pub(crate) related: Option<(Span, String)>,
}

impl Finding {
    pub(crate) fn at(problem: Problem, span: Span) -> Self {
        Self { problem, span: Some(span), related: None }
    }

    pub(crate) fn of_model(problem: Problem) -> Self {
        Self { problem, span: None, related: None }
    }

    pub(crate) fn related(mut self, span: Span, note: impl Into<String>) -> Self {
        self.related = Some((span, note.into()));
        self
    }
}

/// Everything found so far. Readers share it, so that all findings of a file come at once.
#[derive(Debug, Default)]
pub(crate) struct Findings(RefCell<Found>);

/// In the order of finding, and what is known of each place: code, span, and last part of the path.
#[derive(Debug, Default)]
struct Found {
    all: Vec<Finding>,
    known: BTreeSet<(&'static str, Span, String)>,
}

impl Findings {
    /// Records a finding, unless the same is known of this place. A component is read once per use: what is
    /// wrong with a key of it is said once, for the first instance.
    pub(crate) fn push(&self, finding: Finding) {
        let mut found = self.0.borrow_mut();
        if let Some(span) = finding.span {
            let key = finding.problem.path.rsplit('.').next().unwrap_or_default().to_owned();
            if !found.known.insert((finding.problem.code, span, key)) {
                return;
            }
        }
        found.all.push(finding);
    }

    /// Has an error been recorded of what has this path, or of a part of it?
    pub(crate) fn has_error_at(&self, path: &str) -> bool {
        let is_there =
            |own: &str| own.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.0
            .borrow()
            .all
            .iter()
            .any(|finding| finding.problem.code.starts_with('E') && is_there(&finding.problem.path))
    }

    /// Records findings of a later step, those with one code at one place together: a line of contacts
    /// stands for many pairs.
    pub(crate) fn push_grouped(&self, findings: impl IntoIterator<Item = Finding>) {
        let mut groups: Vec<(Finding, usize)> = Vec::new();
        let mut known: BTreeMap<(&'static str, Span), usize> = BTreeMap::new();
        for finding in findings {
            if let Some(span) = finding.span {
                let next = groups.len();
                let group = *known.entry((finding.problem.code, span)).or_insert(next);
                if group < next {
                    groups[group].1 += 1;
                    continue;
                }
            }
            groups.push((finding, 0));
        }
        for (mut finding, more) in groups {
            if more > 0 {
                finding.problem.message.push_str(&format!(" (and {more} more like it)"));
            }
            self.push(finding);
        }
    }

    pub(crate) fn take(&self) -> Vec<Finding> {
        self.0.take().all
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.0.borrow().all.iter().any(|f| f.problem.severity() == carom_engine::Severity::Error)
    }
}
