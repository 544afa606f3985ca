//! What the user should know about how a model was understood or a run went, short of a problem.

use std::fmt;

/// A remark with its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Stable code, such as `N0306`; `carom explain CODE` tells more.
    pub code: &'static str,
    /// With names and values.
    pub message: String,
}

impl Note {
    /// A remark.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Code and message on one line, as `check`, `run` and the results say it.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.code.len() + 2 + self.message.len());
        text.push_str(self.code);
        text.push_str(": ");
        text.push_str(&self.message);
        text
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
