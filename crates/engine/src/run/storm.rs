//! Stops a run that makes events but no progress.

use super::Simulation;
use super::failure;
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

/// Width of the window now (s).
pub(super) fn storm_window(run: &Simulation<'_>) -> f64 {
    let scales = &run.system.scales;
    let ticks = WINDOW_TICKS * f64::EPSILON * run.stepper.time();
    (WINDOW_SHARE * scales.length / scales.velocity).max(ticks)
}

/// Counts the events of a commit, which was made for a contact.
pub(super) fn count_events(
    run: &mut Simulation<'_>,
    time: f64,
    cause: Option<usize>,
) -> Result<(), RunError> {
    // Those that restart nothing have been counted.
    let count = (run.log.len() - run.noted_events) as u64;
    run.statistics.events += count;
    if time - run.storm.since > storm_window(run) {
        run.storm = Storm { since: time, events: 0 };
    }
    // A change that leaves no row, of a contact that goes on as before, makes no progress either.
    run.storm.events += count.max(1);
    let limit = EVENTS + 10 * run.evaluator.table.contacts.len() as u64;
    let last = run.log.last().map(|event| event.contact).or(cause);
    if run.storm.events > limit {
        return Err(failure::of_event_storm(run, last, run.storm.events));
    }
    if run.statistics.events > run.system.settings.max_events {
        return Err(failure::of_event_count(run, last));
    }
    Ok(())
}

/// What helps where events of a contact come too often.
pub(super) fn remedy(run: &Simulation<'_>, contact: Option<usize>) -> &'static str {
    match contact {
        Some(contact) if run.evaluator.table.is_rigid(contact) => {
            "step over them: solver.method = \"moreau\" with a solver.step; or raise solver.max_events"
        }
        _ => "damp the contact, or raise solver.max_events",
    }
}
