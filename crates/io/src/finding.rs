//! Findings while a model is read: problems with their places.

use std::cell::RefCell;

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
pub(crate) struct Findings(RefCell<Vec<Finding>>);

impl Findings {
    /// Records a finding, unless the same is known of this place. A component is read once per use: what is
    /// wrong with a key of it is said once, for the first instance.
    pub(crate) fn push(&self, finding: Finding) {
        let key = |f: &Finding| f.problem.path.rsplit('.').next().map(str::to_owned);
        self.push_unless(&finding, |f| {
            f.problem.code == finding.problem.code && f.span == finding.span && key(f) == key(&finding)
        });
    }

    /// Records findings of a later step, those with one code at one place together: a line of contacts
    /// stands for many pairs.
    pub(crate) fn push_grouped(&self, findings: impl IntoIterator<Item = Finding>) {
        let mut groups: Vec<(Finding, usize)> = Vec::new();
        for finding in findings {
            let same = |g: &Finding| g.problem.code == finding.problem.code && g.span == finding.span;
            match groups.iter_mut().find(|(g, _)| g.span.is_some() && same(g)) {
                Some((_, more)) => *more += 1,
                None => groups.push((finding, 0)),
            }
        }
        for (mut finding, more) in groups {
            if more > 0 {
                finding.problem.message.push_str(&format!(" (and {more} more like it)"));
            }
            self.push(finding);
        }
    }

    fn push_unless(&self, finding: &Finding, known: impl Fn(&Finding) -> bool) {
        let mut all = self.0.borrow_mut();
        if finding.span.is_none() || !all.iter().any(known) {
            all.push(finding.clone());
        }
    }

    pub(crate) fn take(&self) -> Vec<Finding> {
        self.0.take()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.0.borrow().iter().any(|f| f.problem.severity() == carom_engine::Severity::Error)
    }
}
