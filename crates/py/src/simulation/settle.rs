//! What comes of a part of a run whose functions may fail.

use pyo3::prelude::*;

use super::Simulation;
use crate::error::raise;

impl Simulation {
    /// Where the run goes back to if a function of a force fails while a step is entered in the books.
    pub(super) fn way_back(&self, py: Python<'_>) -> PyResult<Option<carom::Snapshot>> {
        if !self.callbacks.drive_forces() {
            return Ok(None);
        }
        let snapshot = self.open(py)?.snapshot();
        self.settle(py, snapshot, None).map(Some)
    }

    /// What a function has raised goes before what came of it, and the run can go on from its last step, or else from its way back.
    pub(super) fn settle<T>(
        &self,
        py: Python<'_>,
        done: Result<T, carom::Error>,
        back: Option<&carom::Snapshot>,
    ) -> PyResult<T> {
        if let Some(error) = self.callbacks.take_raised() {
            let mut run = self.open(py)?;
            if run.take_failure_back() || back.is_some_and(|back| run.restore(back).is_ok()) {
                self.callbacks.trust();
            }
            return Err(error);
        }
        done.map_err(|error| raise(py, error))
    }
}
