//! Rigid contacts in an attempted step: when a normal force ends, friction reaches its bound, or a slip comes to rest. These are
//! multipliers, which no two bodies alone tell: every look is an evaluation.

use carom_solvers::root::find_right_root;

use super::Simulation;
use crate::contact::rigid::{holding_function, watched_changes};
use crate::contact::rims::has_swung;
use crate::contact::{Ahead, Transition, Upcoming};

/// Share of the time to where the lowest point of a rim swings around that a step goes at most: short steps see it swing.
const BEFORE_SWING: f64 = 0.5;
/// Places in a step that are looked at.
const LOOKS: usize = 4;

/// The first change of a held contact in the attempted step, at whose end the evaluator is, then as before. `but` is left out: the
/// change that the step has been shortened to.
pub(super) fn find_rigid_change(run: &mut Simulation<'_>, but: Option<(usize, Transition)>) -> Ahead {
    let mut watched = std::mem::take(&mut run.evaluator.rigid.watched);
    watched.clear();
    let active = run.evaluator.contacts.active.iter().enumerate();
    for (slot, &contact) in active.filter(|(_, contact)| run.evaluator.table.is_rigid(**contact)) {
        let changes = watched_changes(&run.evaluator, contact);
        let others = changes.filter(|&change| but != Some((contact, change)));
        watched.extend(others.map(|change| (slot, contact, change)));
    }
    let first = find_fall(run, &watched);
    run.evaluator.rigid.watched = watched;
    first
}

/// The first of the watched functions that falls through zero in the attempted step.
fn find_fall(run: &mut Simulation<'_>, watched: &[(usize, usize, Transition)]) -> Ahead {
    let h = run.stepper.step();
    let mut first = Ahead::Nothing;
    if watched.is_empty() {
        return first;
    }
    for look in 1..=LOOKS {
        let [from, to] = [look - 1, look].map(|k| k as f64 / LOOKS as f64 * h);
        place(run, to);
        for &(slot, contact, transition) in watched {
            let value = holding_function(&run.evaluator, slot, transition);
            if value < 0.0 {
                let z = |after: f64| {
                    place(run, after);
                    holding_function(&run.evaluator, slot, transition)
                };
                let after = find_right_root(z, from, to, value, true);
                let swings = transition == Transition::Leave && {
                    place(run, after);
                    has_swung(&run.evaluator, contact)
                };
                first.take(if swings {
                    Ahead::Unknown { after: BEFORE_SWING * after, contact }
                } else {
                    Ahead::Change(Upcoming { after, contact, transition })
                });
                place(run, to);
            }
        }
        if first != Ahead::Nothing {
            place(run, h);
            break;
        }
    }
    first
}

/// The evaluator at a time after the start of the step.
fn place(run: &mut Simulation<'_>, after: f64) {
    let h = run.stepper.step();
    let time = run.stepper.time() + after;
    if after >= h {
        run.evaluator.update(time, run.stepper.trial());
        return;
    }
    let mut y = std::mem::take(&mut run.interpolated);
    run.stepper.interpolate(after / h, 0..y.len(), &mut y);
    run.evaluator.update(time, &y);
    run.interpolated = y;
}
