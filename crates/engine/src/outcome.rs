//! How a run ended and what it amounts to.

use std::fmt;

use crate::record::{BodyState, Energy, LineTotals, PairTotals, Statistics};

/// Why a run stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct RunError {
    /// Stable code, `E0601` and up; `carom explain CODE` tells more.
    pub code: &'static str,
    /// What happened, with the culprit's name, the time and values.
    pub message: String,
    /// Time of the last good state (s).
    pub time: f64,
    /// Body that failed, if one did.
    pub body: Option<String>,
    /// Pair that failed, if one did.
    pub pair: Option<String>,
    /// What the user can do.
    pub help: String,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for RunError {}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum EndReason {
    /// It reached its end time.
    Finished,
    /// The recorder asked it to stop; it can be resumed.
    Interrupted,
    /// It could not go on; rows up to then are kept.
    Failed(RunError),
}

impl EndReason {
    /// Word in results: `finished`, `interrupted` or `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed(_) => "failed",
        }
    }
}

/// What a run amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub end: EndReason,
    /// Time reached (s).
    pub time: f64,
    /// Counters.
    pub statistics: Statistics,
    /// Accounts at the end.
    pub energy: Energy,
    /// Largest |residual| over `energy_reference`; 0/0 is 0.
    pub residual_relative: f64,
    /// Energy moved between the accounts over the run (J).
    pub energy_moved: f64,
    /// What the residual is relative to (J): the energy moved, or where none moves that which is there.
    pub energy_reference: f64,
    /// Bodies at the end.
    pub bodies: Vec<BodyState>,
    /// Totals by pair.
    pub pairs: Vec<PairTotals>,
    /// Totals by contact line, limits of joints and cables among them.
    pub lines: Vec<LineTotals>,
    /// What the user should know, such as a law's limit that was reached, each with its code.
    pub warnings: Vec<String>,
}
