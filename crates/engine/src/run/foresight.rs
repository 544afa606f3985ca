//! Which contacts the next step may go over the changes of: chosen at accepted states, and anew where the step shows what was
//! not foreseen.

use super::Simulation;
use crate::contact::{Ahead, Outlook, choose, clip_none, take_watched, watch};

/// Attempts of one step for contacts that were not foreseen. Those that come up still end it.
const ATTEMPTS: u32 = 3;

/// Chooses for the next step, at the state that was accepted last, where the evaluator is.
pub(super) fn choose_clipped(run: &mut Simulation<'_>) {
    run.attempts = 0;
    let time = run.stepper.time();
    let Some(kinks) = run.stepper.kinks().filter(|_| run.system.settings.fixed_step().is_none()) else {
        return;
    };
    let (state, rates) = (run.stepper.state(), run.stepper.rates());
    let outlook = Outlook { step: run.next_step, state, rates, kinks: &kinks };
    if choose(&mut run.evaluator, &run.observer.kinks, &run.observer.near, &outlook, time) {
        take_up_watched(run);
    }
}

/// Takes up what the attempted step has shown before anything else comes in it; true if it is to be made once more.
pub(super) fn take_unforeseen(run: &mut Simulation<'_>, ahead: &Ahead) -> bool {
    let comes_first = run.observer.unforeseen.iter().any(|other| other.after <= ahead.after());
    if !comes_first || run.attempts >= ATTEMPTS || run.system.settings.fixed_step().is_some() {
        return false;
    }
    run.attempts += 1;
    let time = run.stepper.time();
    for other in &run.observer.unforeseen {
        watch(&mut run.evaluator, other.contact, &other.start, other.approach, time);
    }
    take_up_watched(run);
    true
}

/// No contact is clipped from now on; the integrator is to be started anew.
pub(super) fn stop_clipping(run: &mut Simulation<'_>) {
    if clip_none(&mut run.evaluator) {
        run.evaluator.rebuild_active();
    }
}

/// The contacts that are evaluated are others; motion and rates go on.
fn take_up_watched(run: &mut Simulation<'_>) {
    let mut old = std::mem::take(&mut run.old_quadratures);
    take_watched(&mut run.evaluator, &run.observer.near, &mut old);
    run.stepper.renumber_quadratures(&old);
    run.old_quadratures = old;
}
