//! Why a command could not do what it was asked.

use carom::problem_of;
use carom_engine::{Problem, RunError};
use carom_io::{Diagnostic, Report, Style};
use serde_json::{Value, json};

use crate::exit;

/// Ends a command with a message and an exit code.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The model has errors.
    Model(Report),
    /// A problem with a code that can be explained.
    Coded { exit: u8, problem: Box<Problem> },
    /// Anything else.
    Plain { exit: u8, message: String, help: Option<String> },
}

impl Failure {
    pub(crate) fn new(exit: u8, message: impl Into<String>) -> Self {
        Self::Plain { exit, message: message.into(), help: None }
    }

    pub(crate) fn with_help(exit: u8, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Plain { exit, message: message.into(), help: Some(help.into()) }
    }

    pub(crate) fn exit(&self) -> u8 {
        match self {
            Self::Model(_) => exit::NOT_STARTED,
            Self::Coded { exit, .. } | Self::Plain { exit, .. } => *exit,
        }
    }

    /// The same failure of a run that had started already.
    pub(crate) fn after_start(mut self) -> Self {
        if let Self::Coded { exit, .. } | Self::Plain { exit, .. } = &mut self {
            *exit = exit::NOT_FINISHED;
        }
        self
    }

    /// One object, for commands that were asked for JSON.
    pub(crate) fn to_json(&self) -> Value {
        let (code, message, help) = match self {
            Self::Model(report) => return carom_io::report_to_json(report),
            Self::Coded { problem, .. } => (Some(problem.code), &problem.message, &problem.help),
            Self::Plain { message, help, .. } => (None, message, help),
        };
        json!({ "schema": 1, "error": { "code": code, "message": message, "help": help } })
    }

    pub(crate) fn render(&self, style: Style) -> String {
        match self {
            Self::Model(report) => carom_io::render_report(report, style),
            Self::Coded { problem, .. } => render_problem((**problem).clone(), style),
            Self::Plain { message, help, .. } => {
                let word = if style == Style::Colour { "\x1b[1;31merror\x1b[0m" } else { "error" };
                let help = help.iter().map(|help| format!("  = help: {help}\n")).collect::<String>();
                format!("{word}: {message}\n{help}")
            }
        }
    }
}

impl From<carom_results::Error> for Failure {
    fn from(error: carom_results::Error) -> Self {
        Self::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem_of(&error)) }
    }
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        match error {
            carom::Error::Model(report) => Self::Model(report),
            carom::Error::Results(error) => error.into(),
            carom::Error::OtherRecording { .. } => Self::with_help(
                exit::NOT_STARTED,
                error.to_string(),
                "leave [output] and [expect] as they were and state output.every, or run from the start",
            ),
            carom::Error::Snapshot(_) => Self::with_help(
                exit::NOT_STARTED,
                error.to_string(),
                "run the model from its start, without --resume",
            ),
            other => Self::new(exit::NOT_STARTED, other.to_string()),
        }
    }
}

/// A problem without a place in a file.
pub(crate) fn render_problem(problem: Problem, style: Style) -> String {
    carom_io::render(&Diagnostic { problem, location: None, related: None }, style)
}

/// A run that could not go on, as a problem.
pub(crate) fn problem_of_run(error: &RunError) -> Problem {
    let mut message = error.message.clone();
    let names = [("body", &error.body), ("pair", &error.pair)];
    for (kind, name) in names {
        if let Some(name) = name.as_ref().filter(|name| !error.message.contains(&format!("\"{name}\""))) {
            message.push_str(&format!(" ({kind} \"{name}\")"));
        }
    }
    Problem::new(error.code, "", message).help(error.help.clone())
}
