//! Runs a model and keeps what the referee asks for.

use std::ops::ControlFlow;

use carom_engine::record::{BodyState, Event, EventKind, Frame, Progress, RecordError, StepRow};
use carom_engine::{EndReason, Model, Outcome, Recorder, RunError, Simulation, System};

/// A run that takes more evaluations than this is broken off. By order three, 44 swings (seed 1115 of the stops) take 2.1 million,
/// and 90 are the most that are drawn.
const MOST_EVALUATIONS: u64 = 5_000_000;

/// What a run has shown.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Output frames: time and bodies.
    pub(crate) frames: Vec<(f64, Vec<BodyState>)>,
    /// Frames at the times that were asked for.
    pub(crate) probes: Vec<(f64, Vec<BodyState>)>,
    pub(crate) events: Vec<Event>,
    pub(crate) steps: u64,
    /// Accepted steps before the first begin.
    pub(crate) steps_to_begin: u64,
}

impl Watch {
    /// The first begin of a contact.
    pub(crate) fn begin(&self) -> Option<&Event> {
        self.events.iter().find(|e| e.kind == EventKind::ContactBegin)
    }

    pub(crate) fn count(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|e| e.kind == kind).count()
    }
}

impl Recorder for Watch {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.frames.push((frame.time, frame.bodies.to_vec()));
        Ok(())
    }
    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.probes.push((frame.time, frame.bodies.to_vec()));
        Ok(())
    }
    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        if self.begin().is_none() && event.kind == EventKind::ContactBegin {
            self.steps_to_begin = self.steps;
        }
        self.events.push(*event);
        Ok(())
    }
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if progress.statistics.rhs > MOST_EVALUATIONS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
    fn step(&mut self, _: &StepRow) -> Result<(), RecordError> {
        self.steps += 1;
        Ok(())
    }
}

/// Compiles and runs, however it ends.
pub(crate) fn run(model: &Model) -> (Outcome, Watch) {
    let system = System::compile(model).unwrap_or_else(|problems| panic!("no sound model: {problems:?}"));
    run_system(&system)
}

pub(crate) fn run_system(system: &System) -> (Outcome, Watch) {
    let mut watch = Watch::default();
    let outcome = Simulation::new(system).run(&mut watch).expect("the watch never fails");
    (outcome, watch)
}

/// The error that a run has stopped with.
pub(crate) fn failure(outcome: &Outcome) -> Option<&RunError> {
    match &outcome.end {
        EndReason::Failed(error) => Some(error),
        EndReason::Finished | EndReason::Interrupted => None,
    }
}
