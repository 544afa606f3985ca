//! Times at which frames are recorded.

use crate::model::{IntegratorKind, Model};
use crate::note::Note;

/// Frames of a run whose model does not say how many.
const FRAMES_DEFAULT: f64 = 200.0;
/// Share of a step of `moreau` by which an interval may miss a multiple of it.
const GRID: f64 = 1e-6;

/// Time between recorded frames (s): what the model says; else t_end/200, by time stepping in whole steps, as velocities between the
/// ends of those are known only as a straight line across their impulses.
pub(super) fn every(model: &Model) -> f64 {
    model.output.every.unwrap_or_else(|| {
        let even = model.solver.t_end / FRAMES_DEFAULT;
        stepped(model).map_or(even, |step| (even / step).round().max(1.0) * step)
    })
}

/// N0501: rows that a stated interval puts between the ends of steps.
pub(super) fn note_of_interval(model: &Model) -> Option<Note> {
    let (every, step) = (model.output.every?, stepped(model)?);
    let steps = every / step;
    let is_off = (steps - steps.round()).abs() > GRID * steps.max(1.0) || steps < 0.5;
    is_off.then(|| {
        let whole = steps.round().max(1.0) * step;
        let message = format!(
            "output.every = {every} s is no multiple of the step {step} s: velocities and energies in rows between the ends of steps go along straight lines, also across impacts; every = \"{whole} s\" has none of them"
        );
        Note::new("N0501", message)
    })
}

/// The length of steps of time stepping, which knows velocities at their ends only.
fn stepped(model: &Model) -> Option<f64> {
    (model.solver.method == IntegratorKind::Moreau).then(|| model.solver.fixed_step()).flatten()
}
