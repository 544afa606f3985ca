//! Stops a run that makes events but no progress.

use super::Simulation;
use crate::outcome::RunError;

/// Events within a window that make a storm, beside a share for every contact of the model.
const EVENTS: u64 = 1000;
/// Width of the window: this share of the time that the model's speed takes for its length, and so many units in the last
/// place of the time at least.
const WINDOW_SHARE: f64 = 1e-9;
const WINDOW_TICKS: f64 = 1e4;

/// Counts events in a window of time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Storm {
    pub(super) since: f64,
    pub(super) events: u64,
}

impl Simulation<'_> {
    /// Width of the window now (s).
    pub(super) fn storm_window(&self) -> f64 {
        let scales = &self.system.scales;
        let ticks = WINDOW_TICKS * f64::EPSILON * self.stepper.time();
        (WINDOW_SHARE * scales.length / scales.velocity).max(ticks)
    }

    /// Counts the events of a commit.
    pub(super) fn count_events(&mut self, time: f64) -> Result<(), RunError> {
        // Those that restart nothing have been counted.
        let count = (self.log.len() - self.noted_events) as u64;
        self.statistics.events += count;
        if time - self.storm.since > self.storm_window() {
            self.storm = Storm { since: time, events: 0 };
        }
        self.storm.events += count;
        let limit = EVENTS + 10 * self.evaluator.table.contacts.len() as u64;
        let last = self.log.last().map(|event| event.contact);
        if self.storm.events > limit {
            return Err(self.failure_of_event_storm(last, self.storm.events));
        }
        if self.statistics.events > self.system.settings.max_events {
            return Err(self.failure_of_event_count(last));
        }
        Ok(())
    }
}
