//! What can go wrong, with the codes and places that the command prints.

use std::fmt;
use std::path::PathBuf;

use carom_engine::record::RecordError;
use carom_engine::{CheckpointError, ControlError, Halt, Problem, RunError, StateError};
use carom_io::{Report, Style};

/// Why something could not be done. In debug format, which a `main` that returns it prints, it reads as for people.
pub enum Error {
    /// The model has errors: each with its code, file, line and remedy.
    Model(Report),
    /// The run could not go on: code, time, culprit.
    Run(RunError),
    /// A run folder or a table: E0701 and up.
    Results(carom_results::Error),
    /// The rows of a run under way could not be written; those before are kept.
    Recording(RecordError),
    /// A snapshot or checkpoint is not one of this model.
    Snapshot(CheckpointError),
    /// The run in the folder records at other times than the model asks for, and so cannot go on with it.
    OtherRecording {
        /// The folder.
        dir: PathBuf,
    },
    /// A state that cannot be set; the run is as it was.
    State(StateError),
    /// A time (s) that nothing can go on to.
    Time(f64),
    /// A name that the model does not have.
    Unknown {
        /// What was looked for, such as "joint with a motor".
        what: &'static str,
        /// The name.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A value that cannot be set.
    Control {
        /// Of what.
        name: String,
        /// Why.
        error: ControlError,
    },
}

impl Error {
    /// Stable code that `carom explain` knows, of those that have one; of several the first.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Model(report) => report.diagnostics.first().map(|d| d.problem.code),
            Self::Run(error) => Some(error.code),
            Self::Results(error) => Some(error.code()),
            Self::Recording(error) => error.downcast_ref().map(carom_results::Error::code),
            Self::State(StateError::Constraint(error)) => Some(error.code),
            Self::State(_)
            | Self::Snapshot(_)
            | Self::OtherRecording { .. }
            | Self::Time(_)
            | Self::Unknown { .. }
            | Self::Control { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(report) => f.write_str(carom_io::render_report(report, Style::Plain).trim_end()),
            Self::Run(error) => error.fmt(f),
            Self::Results(error) => write!(f, "{}: {error}", error.code()),
            Self::Recording(error) => write!(f, "what the run did could not be written: {error}"),
            Self::Snapshot(error) => error.fmt(f),
            Self::OtherRecording { dir } => {
                write!(f, "the run in \"{}\" records at other times than this model asks for", dir.display())
            }
            Self::State(error) => error.fmt(f),
            Self::Time(time) => write!(f, "a run cannot go on to t = {time} s"),
            Self::Unknown { what, name, known } if known.is_empty() => {
                write!(f, "there is no {what} \"{name}\": the model has none")
            }
            Self::Unknown { what, name, known } => {
                write!(f, "there is no {what} \"{name}\"; there are: {}", known.join(", "))
            }
            Self::Control { name, error } => write!(f, "\"{name}\" cannot be set: {error}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<Report> for Error {
    fn from(report: Report) -> Self {
        Self::Model(report)
    }
}

impl From<carom_results::Error> for Error {
    fn from(error: carom_results::Error) -> Self {
        Self::Results(error)
    }
}

impl From<Halt> for Error {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Failed(error) => Self::Run(error),
            Halt::Recorder(error) => Self::Recording(error),
            Halt::State(error) => Self::State(error),
        }
    }
}

impl From<CheckpointError> for Error {
    fn from(error: CheckpointError) -> Self {
        Self::Snapshot(error)
    }
}

/// An error of results as a problem with its code and remedy.
pub fn problem_of(error: &carom_results::Error) -> Problem {
    let problem = Problem::new(error.code(), "", error.to_string());
    let help = error.help();
    if help.is_empty() { problem } else { problem.help(help) }
}
