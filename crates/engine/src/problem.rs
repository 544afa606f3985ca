//! Findings about a model: plain data that front ends turn into diagnostics with file and line.

use std::fmt;

/// Does the finding forbid the run?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot run.
    Error,
    /// The model runs; the user should know.
    Warning,
}

/// One finding about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Stable code, `E0311` or `W0420`; `carom explain CODE` tells more.
    pub code: &'static str,
    /// Dotted path of the value in the model, such as `body.ball.mass`; front ends map it to a place in
    /// a file. Empty when the model as a whole is meant.
    pub path: String,
    /// What is wrong, with names and values.
    pub message: String,
    /// What was expected instead, if that is not plain from the message.
    pub expected: Option<String>,
    /// What the user can do.
    pub help: Option<String>,
}

impl Problem {
    /// A finding without expectation or help.
    pub fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into(), expected: None, help: None }
    }

    /// With what was expected.
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// With a remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Errors start with E, warnings with W.
    pub fn severity(&self) -> Severity {
        if self.code.starts_with('W') { Severity::Warning } else { Severity::Error }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " (help: {help})")?;
        }
        Ok(())
    }
}

/// Adds findings that are not there yet: pairs of one contact line share most of theirs.
pub(crate) fn extend_new(problems: &mut Vec<Problem>, found: Vec<Problem>) {
    for problem in found {
        if !problems.iter().any(|p| p.code == problem.code && p.path == problem.path) {
            problems.push(problem);
        }
    }
}
