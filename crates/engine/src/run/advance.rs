//! One accepted step: attempts, event ahead, records, commit.

use carom_solvers::{Assessment, Fault};

use super::cable::CableChange;
use super::cable_search::CableAhead;
use super::failure::Subject;
use super::{
    Leave, Simulation, balance, bristles, cable, cable_search, defect, failure, foresight, frames, inside,
    locate, neighbours, pieces, rated, regime, rigid, rigid_search, stepping, storm,
};
use crate::contact::rigid::{after_step, holds_any, keep_holds};
use crate::contact::rims::settle_down;
use crate::contact::{Ahead, Transition, Upcoming, commit, samples};
use crate::contact::{are_regrouped, hold_bristles, set_bristles};
use crate::mechanics::states;
use crate::model::Formulation;
use crate::outcome::RunError;
use crate::record::{EventKind, Recorder, StepRow};

/// Growth of that bound from step to step while nothing is seen.
const STABLE_GROWTH: f64 = 1.05;
/// A step that would leave less than a tenth of itself to a break goes there.
const STRETCH: f64 = 1.1;

/// Longest attempt, over what is left of the run. Where constraints lock a mechanism no error bounds its steps, and rounding of its
/// accelerations over steps of any length is no small motion.
const FAR: f64 = 1e3;
/// A fixed step that misses the end by less than this share of itself goes there: the sum of steps is rounded, and a step over
/// what it leaves would have velocities that are rounding over rounding.
const SUM_OF_STEPS: f64 = 1e-6;

/// Times that a step is shortened to an event that turns out to lie before the last one.
const SHORTENINGS: usize = 8;
/// An event that comes sooner after the begin of a step than so many roundings of the step's end time is at one time with
/// what the step began with.
const SAME_TIME: f64 = 4.0;
/// A step whose contacts are not known to be apart is shortened to this share of itself at most.
pub(super) const LEAST_SHORTENING: f64 = 0.05;

/// Share of the longest step in which areal surfaces travel no farther than is seen, to aim at.
const TRAVEL_RESERVE: f64 = 0.9;

/// Where the attempted step ends now.
enum Reached {
    /// At its own end, or at this change.
    Here(Option<Upcoming>),
    /// It cannot be used: a shorter one has to come first.
    NotYet,
}

/// Makes one accepted step, to its end or to the first event in it.
pub(super) fn make_step(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    let made = match run.stepping {
        Some(_) => stepping::make_step(run, recorder),
        None => make_controlled_step(run, recorder),
    };
    run.is_booking &= made.is_err();
    made
}

/// Makes a step of an integrator that controls its error.
fn make_controlled_step(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    let rhs_before = run.evaluator.evaluations;
    let rejected_before = run.statistics.rejected;
    let (tried, assessment) = attempt_until_accepted(run)?;
    if run.system.settings.fixed_step().is_some() && run.statistics.rejected > rejected_before {
        run.shrunk.note(run.stepper.time(), tried);
    }
    if assessment.unheeded > 1.0 {
        if assessment.unheeded * run.system.settings.rtol > 1.0 {
            return Err(failure::of_blind_step(run, tried, assessment).into());
        }
        run.beyond.note(run.stepper.time(), assessment.unheeded);
    }
    let suggestion = run.stepper.passed(assessment.error);
    note_stability(run, tried, assessment.stiffness);
    let tried_end = run.stepper.time() + tried;
    if let Err(error) = settle(run, tried_end) {
        return inside::shorten_astray(run, tried, error).map_err(Leave::from);
    }
    if !read_path(run, tried_end)?
        || turns_too_far(run)
        || balance::is_open(run)
        || travels_too_far(run)?
        || !neighbours::meet_neighbours(run, recorder)?
    {
        run.statistics.rejected += 1;
        return Ok(());
    }
    let (mut ahead, mut cable) = look_ahead(run)?;
    if foresight::take_unforeseen(run, &ahead) {
        run.next_step = tried;
        run.statistics.rejected += 1;
        commit::forget_attempt(&mut run.evaluator, run.step_number + 1);
        return Ok(());
    }
    let start = run.stepper.time();
    let left = run.end - start;
    // What was tried and what was found in it do not depend on where the run ends.
    let cut = tried > left && cable.after().min(ahead.after()) > left;
    let mut reached = Reached::Here(None);
    if cut {
        if step_to_end(run, left)? {
            (ahead, cable) = look_ahead(run)?;
        } else {
            reached = Reached::NotYet;
        }
    }
    let mut change = None;
    if matches!(reached, Reached::Here(_)) {
        (reached, change) = step_to_what_comes(run, ahead, cable)?;
    }
    let Reached::Here(upcoming) = reached else {
        run.statistics.rejected += 1;
        commit::forget_attempt(&mut run.evaluator, run.step_number + 1);
        return Ok(());
    };
    let step = run.stepper.step();
    let is_free = upcoming.is_none() && change.is_none();
    let whole_step = is_free && !cut;
    // Steps to the end or to a break end there exactly; the sum may miss it by rounding.
    let end = match run.stop {
        stop if whole_step && tried >= stop - start => stop,
        _ if is_free && (cut || tried == left) => run.end,
        _ => start + step,
    };
    run.is_booking = true;
    frames::record_step(run, recorder, start, end, upcoming.as_ref())?;
    run.observer.advance(&mut run.evaluator, run.step_number);
    run.evaluator.workspace.commit_angles();
    rated::note_speeds(run, end);
    keep_holds(&mut run.evaluator);
    run.evaluator.commit_searches(run.step_number + 1);
    failure::check_searches(run)?;
    run.stepper.accept(end);
    run.balance = balance::Balance::default();
    run.step_number += 1;
    run.statistics.steps += 1;
    if run.system.record_steps {
        let row = StepRow {
            time: end,
            step,
            error: assessment.error.max(assessment.unheeded),
            rejected: (run.statistics.rejected - rejected_before) as u32,
            rhs: (run.evaluator.evaluations - rhs_before) as u32,
            contacts: samples::touching(&run.evaluator) as u32,
        };
        run.timed(|_| recorder.step(&row))?;
    }
    let longest =
        upcoming.map_or(f64::INFINITY, |upcoming| rigid::longest_after(run, upcoming.contact, step));
    let next = run.system.settings.fixed_step().unwrap_or(suggestion.min(longest));
    run.next_step = next.min(run.step_limit()).min(run.stable_step);
    // The rows of a commit that fails are kept: they say why.
    let committed = match &change {
        Some(change) => {
            cable::commit_cable(run, change, end).and_then(|()| storm::count_events(run, end, None))
        }
        None => commit(run, upcoming, (start, end)),
    };
    frames::emit_events(run, recorder)?;
    committed?;
    if whole_step {
        regime::reconsider(run, tried, assessment.stiffness, suggestion)?;
    }
    regime::emit_switches(run, recorder)
}

/// An explicit method at its stability limit keeps fast modes alive at the size of the tolerance, step after
/// step, and the energy of a body at rest drifts with them. A little below the limit they die out. The
/// bound loosens slowly when they are too small to be seen. Fixed steps are the user's to answer for.
fn note_stability(run: &mut Simulation<'_>, h: f64, stiffness: f64) {
    if run.system.settings.fixed_step().is_some() {
        return;
    }
    run.stable_step *= STABLE_GROWTH;
    if stiffness > 0.0 {
        run.stable_step = run.stable_step.min(h * run.stepper.stable_reach() / stiffness);
    }
}

/// Changes of contact modes at the new state, and what follows from them.
fn commit(
    run: &mut Simulation<'_>,
    upcoming: Option<Upcoming>,
    (start, time): (f64, f64),
) -> Result<(), RunError> {
    hold_bristles(&run.evaluator, run.stepper.state(), &mut run.held);
    let mut cause = upcoming.map(|upcoming| (upcoming.contact, upcoming.transition));
    let changed = match cause {
        Some((contact, transition)) => {
            let trigger = (contact, after_step(&run.evaluator, contact, transition, time - start));
            commit::commit_event(&mut run.evaluator, time, Some(trigger), run.step_number, &mut run.log);
            true
        }
        None => {
            let is_calm = commit::commit_calm(&mut run.evaluator, time, &mut run.log);
            let stands = settle_down(&mut run.evaluator, (time, run.stepper.state()), &mut run.log);
            cause = stands.map(|nearest| (nearest, Transition::Close));
            is_calm || cause.is_some()
        }
    };
    let changed = run.observer.commit_watch(&mut run.evaluator, run.step_number) || changed;
    let (longest, _) = run.observer.longest_step(&run.evaluator);
    let last = run.stepper.step();
    run.next_step = run.next_step.min((TRAVEL_RESERVE * longest).max(LEAST_SHORTENING) * last);
    let breaks = run.pieces.end_at(time);
    let regrouped = are_regrouped(&run.evaluator);
    if !changed && !breaks && !regrouped {
        foresight::choose_clipped(run);
        return Ok(());
    }
    run.evaluator.rebuild_active();
    defect::note_ends(run);
    // The modes of the contacts that have changed are gone.
    run.stable_step = f64::INFINITY;
    let mut state = std::mem::take(&mut run.taken_up);
    state.clear();
    state.extend_from_slice(run.stepper.state());
    // It may take another integrator, which has no state.
    regime::reconsider_at_event(run, time);
    // Functions of time, and contacts that regroup, may push anywhere. Speeds that they give at once are there before contacts answer.
    let is_local = !breaks && !regrouped;
    let passed = if breaks { pieces::pass_break(run, time, &mut state) } else { Ok(false) };
    let settled = passed.and_then(|jumps| {
        let settle = if jumps { rigid::settle_all } else { rigid::settle_contacts };
        settle(run, time, &mut state, (cause, is_local))
    });
    if let Err(error) = settled {
        run.taken_up = state;
        return Err(error);
    }
    set_bristles(&run.evaluator, &mut state, &run.held);
    bristles::book_ended(run);
    let result = run.restart(&state, time);
    run.taken_up = state;
    result?;
    if upcoming.is_some_and(|upcoming| frames::hands_over(run, upcoming.contact)) {
        run.ledger.commit(&run.evaluator, run.ledger.integrals);
    }
    run.next_step = run.next_step.min(entry_limit(run));
    foresight::choose_clipped(run);
    // Parts that take bristles over in a step without an event make none.
    let cause = cause.map(|(contact, _)| contact);
    if changed || breaks { storm::count_events(run, time, cause) } else { Ok(()) }
}

/// Limit of the first step after contacts have begun (s).
fn entry_limit(run: &Simulation<'_>) -> f64 {
    let begun = run.log.iter().filter(|e| e.kind == EventKind::ContactBegin);
    // Elements come into contact one by one, and the travel of areal surfaces in a step is limited.
    let begun = begun
        .filter(|e| !run.evaluator.is_mesh_contact(e.contact) && !run.evaluator.table.is_rigid(e.contact));
    begun
        .map(|event| {
            let contact = &run.evaluator.table.contacts[event.contact];
            contact.entry_limit(contact.law.frozen_approach(event.approach_speed))
        })
        .fold(f64::INFINITY, f64::min)
}

/// Attempts smaller and smaller steps until one passes.
fn attempt_until_accepted(run: &mut Simulation<'_>) -> Result<(f64, Assessment), RunError> {
    let max_steps = run.system.settings.max_steps;
    let reach = STRETCH * run.next_step;
    run.stop = pieces::find_stop(run, reach)?;
    let remaining = run.stop - run.stepper.time();
    let to_end = run.end - run.stepper.time();
    let mut h = run.next_step;
    if STRETCH * h >= remaining && remaining <= run.step_limit() {
        h = remaining;
    }
    let misses_end_by_rounding = (to_end - h).abs() < SUM_OF_STEPS * h;
    if misses_end_by_rounding && run.system.settings.fixed_step().is_some() {
        h = to_end;
    }
    h = pieces::shorten_to_drives(run, if h.is_finite() { h.min(FAR * to_end) } else { to_end })?;
    // Rates beyond all bounds leave the first step no length.
    if h < f64::MIN_POSITIVE {
        return Err(failure::of_rates(run));
    }
    loop {
        if run.statistics.steps + run.statistics.rejected >= max_steps {
            return Err(failure::of_step_count(run));
        }
        run.evaluator.culprit = None;
        run.evaluator.search.forget_fault();
        let attempt = inside::attempt(run, h);
        let mut diverges = false;
        let error = match attempt {
            Ok(assessment) if assessment.error <= 1.0 => return Ok((h, assessment)),
            Ok(assessment) => {
                failure::remember_worst(run, assessment);
                assessment.error
            }
            Err(fault @ (Fault::Recoverable | Fault::NotConverged)) => {
                diverges = fault == Fault::NotConverged;
                f64::NAN
            }
            Err(Fault::Fatal) => return Err(failure::of_right_hand_side(run)),
        };
        run.statistics.rejected += 1;
        let beyond = h > to_end;
        if !beyond && keeps_steps(run) {
            return Err(failure::of_fixed_step(run, h, diverges));
        }
        h = run.stepper.failed(error);
        if run.regime.gives_up(h) {
            h = regime::go_back_from_failure(run, h)?.min(remaining).min(reach);
        }
        if beyond && h < smallest_step(run) {
            // Forces may have no value after the time that the run was to end at.
            h = to_end;
        } else if h < smallest_step(run) {
            if diverges {
                return Err(failure::of_newton(run, h));
            }
            return Err(failure::of_step_size(run, h, error));
        }
    }
}

/// Are steps fixed for good? Those of `ali3p` give way where Newton's method asks for it.
pub(super) fn keeps_steps(run: &Simulation<'_>) -> bool {
    let settings = &run.system.settings;
    settings.formulation == Formulation::Kkt && settings.fixed_step().is_some()
}

pub(super) fn smallest_step(run: &Simulation<'_>) -> f64 {
    let rounding = 16.0 * f64::EPSILON * run.stepper.time();
    run.system.settings.h_min.unwrap_or(rounding).max(f64::MIN_POSITIVE)
}

/// Puts the end of the attempted step back to unit quaternions and onto the constraints.
pub(super) fn settle(run: &mut Simulation<'_>, end: f64) -> Result<(), RunError> {
    states::normalize(&run.system.mechanics, run.stepper.trial_mut());
    states::keep_ratios(&run.system.mechanics, run.stepper.trial_mut());
    run.projected = run.stepper.projected();
    let is_held = holds_any(&run.evaluator);
    if run.system.settings.formulation != Formulation::Kkt
        || !run.evaluator.workspace.mechanism.is_constrained() && !is_held
    {
        return Ok(());
    }
    match run.evaluator.project(end, run.stepper.trial_mut()) {
        Ok(None) => return Ok(()),
        Ok(Some(energy)) => run.projected = energy,
        Err(astray) => return Err(rigid::of_astray(run, &astray)),
    }
    run.stepper.refresh(&mut run.evaluator).map_err(|_| failure::of_right_hand_side(run))
}

/// Shortens the step to the end of the run. False if that does not succeed, and a shorter one has to come first.
fn step_to_end(run: &mut Simulation<'_>, after: f64) -> Result<bool, RunError> {
    match inside::attempt(run, after) {
        Ok(_) => {}
        Err(Fault::NotConverged) if after >= 2.0 * smallest_step(run) => {
            run.next_step = run.stepper.failed(f64::NAN).min(0.5 * after);
            return Ok(false);
        }
        Err(_) => return Err(failure::of_right_hand_side(run)),
    }
    settle(run, run.stepper.time() + after)?;
    run.observer.refresh(&mut run.evaluator, run.step_number);
    read_path(run, run.stepper.time() + after)
}

/// What the attempted step brings contacts and cables.
fn look_ahead(run: &mut Simulation<'_>) -> Result<(Ahead, CableAhead), RunError> {
    let ahead = find_ahead(run, None);
    Ok((ahead, cable_search::find_cable_change(run)?))
}

/// What the attempted step brings contacts, but for the change that it has been shortened to.
fn find_ahead(run: &mut Simulation<'_>, but: Option<&Upcoming>) -> Ahead {
    let contact = but.map(|upcoming| upcoming.contact);
    let rigid = rigid_search::find_rigid_change(run, but.map(|but| (but.contact, but.transition)));
    let asked = (contact, rigid.after());
    let mut ahead = run.observer.find_first(&mut run.evaluator, &*run.stepper, run.step_number, asked);
    ahead.take(rigid);
    ahead
}

/// Shortens the step to what comes first of contacts and cables. If the path of the shorter step brings the other kind
/// something, half of it comes first: there the two are apart.
fn step_to_what_comes(
    run: &mut Simulation<'_>,
    ahead: Ahead,
    cable: CableAhead,
) -> Result<(Reached, Option<CableChange>), RunError> {
    let halve = |s: &mut Simulation| s.next_step = 0.5 * s.stepper.step();
    match cable {
        CableAhead::Change(change) if change.after < ahead.after() => {
            cable::step_to_cable_change(run, &change)?;
            let step = run.stepper.step();
            if !read_path(run, run.stepper.time() + step)? {
                return Ok((Reached::NotYet, None));
            }
            let (ahead, _) = look_ahead(run)?;
            if ahead.after() < step {
                halve(run);
                return Ok((Reached::NotYet, None));
            }
            Ok((Reached::Here(None), Some(change)))
        }
        CableAhead::Unknown { after, force } if after < ahead.after() => {
            Ok((shorten_to_known(run, after, Subject::Cable(force))?, None))
        }
        _ => {
            let whole = run.stepper.step();
            let reached = step_to_first(run, ahead)?;
            let step = run.stepper.step();
            let is_shorter = matches!(reached, Reached::Here(_)) && step < whole;
            if is_shorter && cable_search::find_cable_change(run)?.after() < step {
                halve(run);
                return Ok((Reached::NotYet, None));
            }
            Ok((reached, None))
        }
    }
}

/// Takes the path of the attempted step, whose end the evaluator is at. False if there is none, and a shorter step has to
/// come first.
fn read_path(run: &mut Simulation<'_>, end: f64) -> Result<bool, RunError> {
    if !inside::prepare_dense(run, end)? {
        run.next_step = 0.5 * run.stepper.step();
        return Ok(false);
    }
    if inside::may_touch(run) {
        run.observer.read(&run.system, &*run.stepper);
    }
    Ok(true)
}

/// Does a body turn so far in the attempted step that its path bounds nothing? A shorter one has to come first then.
fn turns_too_far(run: &mut Simulation<'_>) -> bool {
    let turns = inside::may_touch(run) && !run.observer.step.is_bounded();
    if turns {
        run.next_step = 0.5 * run.stepper.step();
    }
    turns
}

/// Do areal surfaces that touch, or nearly do, go farther in the attempted step than their penetration lines see? A shorter
/// one has to come first then.
fn travels_too_far(run: &mut Simulation<'_>) -> Result<bool, RunError> {
    let (longest, contact) = run.observer.longest_step(&run.evaluator);
    let Some(contact) = contact.filter(|_| longest < 1.0) else { return Ok(false) };
    run.next_step = (TRAVEL_RESERVE * longest).max(LEAST_SHORTENING) * run.stepper.step();
    if run.next_step < smallest_step(run) {
        return Err(failure::of_travel(run, contact));
    }
    Ok(true)
}

/// Shortens the step to what lies first in it. The path of the shorter step is another one, which is searched again.
fn step_to_first(run: &mut Simulation<'_>, mut ahead: Ahead) -> Result<Reached, RunError> {
    // What a search of the attempted step tells apart, which near t = 0 the sum of times does not say.
    let tick = SAME_TIME * f64::EPSILON * (run.stepper.time() + run.stepper.step());
    for _ in 0..SHORTENINGS {
        let upcoming = match ahead {
            Ahead::Nothing => return Ok(Reached::Here(None)),
            Ahead::Unknown { after, contact } => {
                return shorten_to_known(run, after, Subject::Contact(contact));
            }
            Ahead::Change(upcoming) => upcoming,
        };
        let Some(within) = locate::locate(run, &upcoming)? else { return Ok(Reached::NotYet) };
        run.observer.refresh(&mut run.evaluator, run.step_number);
        let step = run.stepper.step();
        if !read_path(run, run.stepper.time() + step)? {
            return Ok(Reached::NotYet);
        }
        ahead = find_ahead(run, Some(&upcoming));
        // What comes at the same time is found when the event is committed.
        if ahead.after() >= step - within || step <= tick {
            return Ok(Reached::Here(Some(upcoming)));
        }
    }
    // Each of so many events comes before the one before it by no more than the steps differ.
    run.next_step = 0.5 * run.stepper.step();
    Ok(Reached::NotYet)
}

/// The next attempt goes as far as a contact, or a cable, is known to be apart.
fn shorten_to_known(run: &mut Simulation<'_>, after: f64, subject: Subject) -> Result<Reached, RunError> {
    let step = run.stepper.step();
    run.next_step = after.clamp(LEAST_SHORTENING * step, 0.5 * step);
    if run.next_step < smallest_step(run) {
        return Err(failure::of_clearance(run, subject));
    }
    Ok(Reached::NotYet)
}
