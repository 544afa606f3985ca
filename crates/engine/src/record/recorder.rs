//! What a run calls.

use std::error::Error;
use std::ops::ControlFlow;

use super::{
    ContactInfo, ElementSample, Episode, Event, Frame, PairInfo, PatchSample, Progress, StepRow, Switch,
};

/// A triangle of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseTriangle {
    /// The base is the pair's A.
    pub on_a: bool,
    /// Its index in the mesh.
    pub triangle: u32,
}

/// Error of a recorder; it ends the run.
pub type RecordError = Box<dyn Error + Send + Sync>;

/// Receives a run, row by row. What it does not take is dropped.
pub trait Recorder {
    /// Pairs and their contacts that have come up; their indices follow those known so far. Called before anything else
    /// names them.
    fn pairs_added(&mut self, _pairs: &[PairInfo], _contacts: &[ContactInfo]) -> Result<(), RecordError> {
        Ok(())
    }
    /// A frame at an output time, in order; the first is at the start.
    fn frame(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    /// A frame at a probe time of the model's expectations.
    fn probe(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    /// A row of the event log.
    fn event(&mut self, _event: &Event) -> Result<(), RecordError> {
        Ok(())
    }
    /// An episode of a contact that has ended, after its `contact_end`, or holds at the end of the run.
    fn episode(&mut self, _episode: &Episode) -> Result<(), RecordError> {
        Ok(())
    }
    /// Patches of an areal contact and their elements, at the time of the greatest pressure of an episode that has
    /// ended: earlier than the frames before.
    fn peak_patches(
        &mut self,
        _time: f64,
        _patches: &[PatchSample],
        _elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        Ok(())
    }
    /// A change of the integrator.
    fn switch(&mut self, _switch: &Switch) -> Result<(), RecordError> {
        Ok(())
    }
    /// An accepted step, if the model asks for them.
    fn step(&mut self, _step: &StepRow) -> Result<(), RecordError> {
        Ok(())
    }
    /// Called at accepted steps. `Break` stops the run cleanly.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Called at accepted steps: is a checkpoint wanted now?
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    /// The whole state of the run, from which it goes on with the same bits.
    fn checkpoint(&mut self, _bytes: &[u8]) -> Result<(), RecordError> {
        Ok(())
    }
}
