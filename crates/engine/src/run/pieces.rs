//! Functions of time in a run: steps end where one of them or its derivative jumps, and hide nothing of what it does between.

use super::Simulation;
use super::{advance, failure, rigid};
use crate::outcome::RunError;
use crate::system::Driving;

/// Breaks nearer than so many units in the last place of the time are one: where what decides a branch is zero to rounding it
/// may change its sign more than once.
const SAME: f64 = 64.0 * f64::EPSILON;
/// Pieces shorter than this share of the time leave no room for steps.
const SHORTEST: f64 = 1e3 * f64::EPSILON;
/// Sooner after the start there is no break (s): derivatives at the start decide there. What they leave open is a bend of third order, or, of `floor`, one stage of the
/// first step.
const START: f64 = 1e-30;
/// Steps for which breaks are looked for at once, if that takes one look.
const AHEAD: f64 = 16.0;
/// A step that may hide something ends there, but is not made shorter than this share of itself at once.
const CUT: f64 = 0.25;

/// What is known of the breaks ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    /// The next break (s); infinite if none is known.
    pub(super) next: f64,
    /// There is none before this time but `next` (s).
    pub(super) clear_to: f64,
}

impl Default for Pieces {
    fn default() -> Self {
        Self { next: f64::INFINITY, clear_to: START }
    }
}

impl Pieces {
    /// Does a piece end at this time?
    pub(super) fn end_at(&self, time: f64) -> bool {
        self.next == time
    }
}

/// End of the pieces that the functions of time are on, if that comes within `reach` (s); infinite if not. Evaluations keep to
/// these pieces until they are passed.
pub(super) fn find_stop(run: &mut Simulation<'_>, reach: f64) -> Result<f64, RunError> {
    let now = run.stepper.time();
    let reach = if reach.is_finite() { reach } else { run.end - now };
    let until = now + reach;
    if run.pieces.next == f64::INFINITY && run.pieces.clear_to < until {
        let from = run.pieces.clear_to.max(now);
        look_for_breaks(run, from, until, now + AHEAD * reach)?;
    }
    run.evaluator.workspace.piece_end = run.pieces.next.next_down();
    Ok(run.pieces.next)
}

fn look_for_breaks(run: &mut Simulation<'_>, from: f64, until: f64, ahead: f64) -> Result<(), RunError> {
    let system = &*run.system;
    run.pieces.clear_to = ahead;
    for driving in system.driving.iter().filter(|d| d.function.has_breaks()) {
        // Those of long stretches may take many looks to find.
        if driving.is_one_piece(from, ahead) {
            continue;
        }
        run.pieces.clear_to = run.pieces.clear_to.min(until);
        let end = until.min(run.pieces.next);
        match driving.function.next_break(from, end) {
            Ok(Some(time)) => run.pieces.next = run.pieces.next.min(time),
            Ok(None) => {}
            Err(fault) => return Err(failure_of_breaks(run, driving, fault.clear_to)),
        }
    }
    Ok(())
}

/// Goes on to the next pieces at a state whose time is the break between them; tells whether speeds have jumped there, which what touches has yet
/// to answer.
pub(super) fn pass_break(run: &mut Simulation<'_>, time: f64, y: &mut [f64]) -> Result<bool, RunError> {
    let system = &*run.system;
    run.pieces = Pieces { next: f64::INFINITY, clear_to: time * (1.0 + SAME) };
    run.evaluator.workspace.piece_end = f64::INFINITY;
    for driving in &system.driving {
        if let Some(values) = driving.position_jump(time) {
            return Err(failure_of_position(run, driving, values));
        }
        if let Some(next) = driving.next_branch(time * (1.0 + SAME), time * (1.0 + SHORTEST)) {
            return Err(failure_of_breaks(run, driving, next));
        }
    }
    take_speeds(run, time, y)
}

/// Velocities after motors and reels have changed their speed at once, as if nothing touched: an impulse, whose work is theirs. Tells whether
/// they have. What touches, and cables that are taut, answer by an impact of their own: rows that motors give, and impulses that only push, add up to
/// the same in one step or in two.
pub(super) fn take_speeds(run: &mut Simulation<'_>, time: f64, y: &mut [f64]) -> Result<bool, RunError> {
    if !run.system.mechanics.is_mechanism || !run.evaluator.workspace.mechanism.is_constrained() {
        return Ok(false);
    }
    match run.evaluator.take_speeds(time, y) {
        Ok(Some(work)) => {
            run.ledger.integrals.motors += work;
            rigid::forget_approaches(run);
            Ok(true)
        }
        Ok(None) => Ok(false),
        Err(misfit) => Err(failure::of_constraint(run, &misfit)),
    }
}

/// The step of length `h`, or a shorter one that follows prescribed motions and shows all that the functions of time do
/// in it: its stages would not.
pub(super) fn shorten_to_drives(run: &Simulation<'_>, h: f64) -> Result<f64, RunError> {
    let start = run.stepper.time();
    let mut h = h;
    for driving in &run.system.driving {
        loop {
            let end = run.evaluator.workspace.clock(start + h);
            if let Some(shorter) = driving.find_length(start, end) {
                h = shorter;
            } else if let Some(hidden) = driving.find_hidden(start, end) {
                h = (hidden - start).max(CUT * h);
            } else {
                break;
            }
            if h < advance::smallest_step(run) {
                return Err(failure_of_drive(run, driving));
            }
        }
    }
    Ok(h)
}

/// E0619: a function of time changes its piece all the time.
fn failure_of_breaks(run: &Simulation<'_>, driving: &Driving, at: f64) -> RunError {
    failure_of_function(
        run,
        format!(
            "{} goes from one branch to another (floor, min, max, abs, atan2) more often than steps can follow, at t = {at:.9} s",
            driving.name
        ),
    )
}

/// E0619: pieces that end all the time, of the function that has the next break. `None` if none has one before the time has doubled.
pub(super) fn failure_of_storm(run: &Simulation<'_>, time: f64) -> Option<RunError> {
    let next = |driving: &Driving| match driving.function.next_break(time, 2.0 * time) {
        Ok(next) => next,
        Err(fault) => Some(fault.clear_to),
    };
    let breaks = run.system.driving.iter().filter_map(|driving| Some((driving, next(driving)?)));
    let (driving, at) = breaks.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(failure_of_breaks(run, driving, at))
}

/// E0619: a function of time does more than the shortest step shows.
fn failure_of_drive(run: &Simulation<'_>, driving: &Driving) -> RunError {
    failure_of_function(
        run,
        format!(
            "{} has no bound after t = {:.9} s: its value, or a derivative that acts, is infinite or varies within the \
         shortest step of {:.1e} s",
            driving.name,
            run.stepper.time(),
            advance::smallest_step(run)
        ),
    )
}

fn failure_of_function(run: &Simulation<'_>, message: String) -> RunError {
    RunError {
        code: "E0619",
        message,
        time: run.stepper.time(),
        body: None,
        pair: None,
        help: "write the function with fewer branches and without poles, or as a table".to_owned(),
    }
}

/// E0118: a prescribed position jumps.
fn failure_of_position(run: &Simulation<'_>, driving: &Driving, [before, after]: [f64; 2]) -> RunError {
    let time = run.stepper.time();
    RunError {
        code: "E0118",
        message: format!(
            "the position that the {} prescribes jumps at t = {time:.9} s, from {before} to {after}",
            driving.name
        ),
        time,
        body: None,
        pair: None,
        help: "give a ramp from one value to the other, or prescribe the velocity".to_owned(),
    }
}
