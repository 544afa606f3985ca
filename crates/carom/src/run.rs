use carom_engine::Outcome;
use carom_results::RunData;
use carom_results::manifest::Verdict;

/// A run that has ended.
pub struct Run {
    /// How it ended, and what it amounts to.
    pub outcome: Outcome,
    /// Quantities by name, tables, events, patches.
    pub data: RunData,
    /// The expectations of the model, in their order; none of a run that has not finished.
    pub verdicts: Vec<Verdict>,
}
