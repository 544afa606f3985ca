//! Events that leave forces as they are, as contacts do whose law begins, lets go and ends with none: a method with a past keeps it.

use carom_solvers::Ode;

use super::{Simulation, cable_peak, failure, peak, regime};
use crate::outcome::RunError;

/// Goes on over an event after which other contacts are active than those that were noted. False if the integrator is to be started
/// anew: with other states, or where nothing touches any more.
pub(super) fn go_on(run: &mut Simulation<'_>, time: f64) -> Result<bool, RunError> {
    let states = run.system.states();
    let has_same_states = run.stepper.state().len() == states && run.evaluator.dimension() == states;
    if !has_same_states || run.evaluator.table.has_rigid() || run.evaluator.contacts.active.is_empty() {
        return Ok(false);
    }
    run.evaluator.match_quadratures(&mut run.old_quadratures);
    let goes_on = run.stepper.go_on(&mut run.evaluator, &run.old_quadratures, run.next_step, &run.tolerances);
    if !goes_on.map_err(|_| failure::of_right_hand_side(run))? {
        return Ok(false);
    }
    regime::count_from_event(run);
    let mut state = std::mem::take(&mut run.taken_up);
    state.clear();
    state.extend_from_slice(run.stepper.state());
    let noted = cable_peak::note_fresh_loads(run, time, &state);
    run.taken_up = state;
    noted?;
    peak::note_fresh_loads(run, time);
    Ok(true)
}
