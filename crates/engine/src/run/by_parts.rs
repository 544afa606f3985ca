//! A run by parts: a step, or up to a time, with looks and controls in between.

use std::fmt;
use std::time::{Duration, Instant};

use super::{Leave, STEPS_PER_LOOK, Simulation, StateError, Stop, advance, episode, frames};
use crate::contact::commit::forget_attempt;
use crate::outcome::{EndReason, Outcome, RunError};
use crate::record::{RecordError, Recorder};

/// Why a part of a run broke off.
#[derive(Debug)]
pub enum Halt {
    /// The run cannot go on.
    Failed(RunError),
    /// The recorder has failed.
    Recorder(RecordError),
    /// A state that was to be set is refused: the run is as it was.
    State(StateError),
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Recorder(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Halt {}

impl From<Leave> for Halt {
    fn from(leave: Leave) -> Self {
        match leave {
            Leave::Stop(Stop::Failed(error)) => Self::Failed(error),
            Leave::Record(error) => Self::Recorder(error),
            Leave::Stop(Stop::Finished | Stop::Interrupted) => {
                unreachable!("nothing asks a part of a run to stop")
            }
        }
    }
}

impl Simulation<'_> {
    /// Time of the last accepted state (s); 0 before the first step.
    pub fn time(&self) -> f64 {
        if self.started { self.stepper.time() } else { 0.0 }
    }

    /// Makes one accepted step toward `time` (s), the same that [`Self::advance_to`] makes there, or [`Self::run`] toward the end of
    /// the model; none if that is past. Before the first one the run starts: contacts at t = 0, first frame.
    pub fn step_toward(&mut self, time: f64, recorder: &mut dyn Recorder) -> Result<(), Halt> {
        self.end = time;
        let steps = self.statistics.steps;
        self.part(recorder, |s| s.stepper.time() >= s.end || s.statistics.steps > steps)
    }

    /// Makes steps up to `time` (s), where the last one ends exactly; none if that is past. As this step is cut short, the
    /// steps behind it are others than those of a run that does not stop here, to the tolerance of the model.
    pub fn advance_to(&mut self, time: f64, recorder: &mut dyn Recorder) -> Result<(), Halt> {
        self.end = time;
        self.part(recorder, |s| s.stepper.time() >= s.end)
    }

    fn part(&mut self, recorder: &mut dyn Recorder, is_done: impl Fn(&Self) -> bool) -> Result<(), Halt> {
        let clock = Instant::now();
        self.recording = Duration::ZERO;
        let result = self.make_part(recorder, is_done);
        self.read_clock(clock);
        self.wall_before = self.statistics.wall_s;
        if let Err(Leave::Stop(Stop::Failed(error))) = &result {
            self.failure = Some(error.clone());
        }
        Ok(result?)
    }

    fn make_part(
        &mut self,
        recorder: &mut dyn Recorder,
        is_done: impl Fn(&Self) -> bool,
    ) -> Result<(), Leave> {
        // What has failed once is not tried again in the hope of better luck.
        if let Some(error) = &self.failure {
            return Err(error.clone().into());
        }
        self.begin(recorder)?;
        while !is_done(self) {
            advance::make_step(self, recorder)?;
            if self.statistics.steps.is_multiple_of(STEPS_PER_LOOK) {
                self.evaluator.forget_rates();
            }
        }
        Ok(())
    }

    /// Takes a failure back whose cause lies outside of the model and is gone, such as a function of a load that had no number to give: the run goes on
    /// from its last accepted step. False where it failed while a step was entered in the books, as at an event: it has failed for good.
    pub fn take_failure_back(&mut self) -> bool {
        if self.failure.is_some() && !self.is_booking {
            self.failure = None;
            forget_attempt(&mut self.evaluator, self.step_number + 1);
            // The integrator starts anew, with a step of its own.
            self.next_step = self.system.settings.fixed_step().unwrap_or(f64::INFINITY);
            self.evaluator.workspace.controls.is_new = true;
        }
        self.failure.is_none()
    }

    /// Hands the present state to the recorder as a frame, beside those of the output times. Changes nothing of the run.
    pub fn observe(&mut self, recorder: &mut dyn Recorder) -> Result<(), Halt> {
        self.begin(recorder)?;
        let (time, state) = (self.stepper.time(), self.stepper.state().to_vec());
        self.evaluator.update(time, &state);
        Ok(frames::emit_frame(self, recorder, time, time, time, false)?)
    }

    /// Ends a run that was made by parts: episodes that hold go to the recorder. Its outcome is failed if a part of it has,
    /// else finished at the end of the model, and interrupted before.
    pub fn finish(&mut self, recorder: &mut dyn Recorder) -> Result<Outcome, Halt> {
        let end = match self.failure.clone() {
            Some(error) => EndReason::Failed(error),
            None => match self.begin(recorder) {
                Err(Leave::Stop(Stop::Failed(error))) => EndReason::Failed(error),
                begun => {
                    begun?;
                    let is_at_end = self.stepper.time() >= self.system.settings.t_end;
                    if is_at_end { EndReason::Finished } else { EndReason::Interrupted }
                }
            },
        };
        episode::emit_open_episodes(self, recorder)?;
        Ok(self.outcome(end))
    }
}
