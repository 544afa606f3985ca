//! Stops a run that makes events but no progress.

use super::Simulation;
use super::{failure, pieces};
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
fn storm_window(run: &Simulation<'_>) -> f64 {
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
        // Where no contact has changed, functions of time alone have.
        let of_functions = if last.is_none() { pieces::failure_of_storm(run, time) } else { None };
        return Err(of_functions.unwrap_or_else(|| failure_of_storm(run, last)));
    }
    if run.statistics.events > run.system.settings.max_events {
        return Err(failure_of_count(run, last));
    }
    Ok(())
}

/// E0603: events without progress.
fn failure_of_storm(run: &Simulation<'_>, contact: Option<usize>) -> RunError {
    let mut error = failure_of_count(run, contact);
    error.message = format!(
        "event storm: {} events within {:.1e} s at t = {:.9} s, the last of pair \"{}\"",
        run.storm.events,
        storm_window(run),
        error.time,
        error.pair.as_deref().unwrap_or("")
    );
    error
}

/// E0603: more events than allowed.
pub(super) fn failure_of_count(run: &Simulation<'_>, contact: Option<usize>) -> RunError {
    let pair = contact.map(|c| failure::pair_name(run, c));
    RunError {
        code: "E0603",
        message: format!(
            "limit of {} events reached at t = {:.9} s, the last of pair \"{}\"",
            run.system.settings.max_events,
            run.stepper.time(),
            pair.as_deref().unwrap_or("")
        ),
        time: run.stepper.time(),
        body: None,
        pair,
        help: remedy(run, contact).to_owned(),
    }
}

/// What helps where events of a contact come too often.
fn remedy(run: &Simulation<'_>, contact: Option<usize>) -> &'static str {
    match contact {
        Some(contact) if run.evaluator.table.is_rigid(contact) => {
            "step over them: solver.method = \"moreau\" with a solver.step; or raise solver.max_events"
        }
        _ => "damp the contact, or raise solver.max_events",
    }
}
