//! One accepted step: attempts, event ahead, records, commit.

use carom_solvers::{Assessment, Fault};

use super::cable::CableChange;
use super::cable_search::CableAhead;
use super::failure::Subject;
use super::{Leave, Simulation};
use crate::contact::{Ahead, Transition, Upcoming};
use crate::kinematics;
use crate::model::Formulation;
use crate::outcome::RunError;
use crate::record::{EventKind, Recorder, StepRow};

/// Steps into a new contact: this share of its estimated duration.
const ENTRY_SHARE: f64 = 0.05;
/// Growth of that bound from step to step while nothing is seen.
const STABLE_GROWTH: f64 = 1.05;
/// A step that would leave less than a tenth of itself to a break goes there.
const STRETCH: f64 = 1.1;

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

impl Simulation<'_> {
    /// Makes one accepted step, to its end or to the first event in it.
    pub(super) fn advance(&mut self, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        let rhs_before = self.evaluator.evaluations;
        let rejected_before = self.statistics.rejected;
        let (tried, assessment) = self.attempt_until_accepted()?;
        if self.fixed_step().is_some() && self.statistics.rejected > rejected_before {
            self.shrunk.note(self.stepper.time(), tried);
        }
        let suggestion = self.stepper.passed(assessment.error);
        self.note_stability(tried, assessment.stiffness);
        let tried_end = self.stepper.time() + tried;
        self.settle(tried_end)?;
        if !self.read_path(tried_end)?
            || self.turns_too_far()
            || self.travels_too_far()?
            || !self.meet_neighbours(recorder)?
        {
            self.statistics.rejected += 1;
            return Ok(());
        }
        let (mut ahead, mut cable) = self.look_ahead()?;
        let start = self.stepper.time();
        let left = self.end - start;
        // What was tried and what was found in it do not depend on where the run ends.
        let cut = tried > left && cable.after().min(ahead.after()) > left;
        let mut reached = Reached::Here(None);
        if cut {
            if self.step_to_end(left)? {
                (ahead, cable) = self.look_ahead()?;
            } else {
                reached = Reached::NotYet;
            }
        }
        let mut change = None;
        if matches!(reached, Reached::Here(_)) {
            (reached, change) = self.step_to_what_comes(ahead, cable)?;
        }
        let Reached::Here(upcoming) = reached else {
            self.statistics.rejected += 1;
            self.evaluator.forget_attempt(self.step_number + 1);
            return Ok(());
        };
        let step = self.stepper.step();
        let is_free = upcoming.is_none() && change.is_none();
        let whole_step = is_free && !cut;
        // Steps to the end or to a break end there exactly; the sum may miss it by rounding.
        let end = match self.stop {
            stop if whole_step && tried >= stop - start => stop,
            _ if is_free && (cut || tried == left) => self.end,
            _ => start + step,
        };
        let begins = upcoming.filter(|upcoming| upcoming.transition == Transition::BeginPatch);
        self.record_step(recorder, start, end, begins.map(|upcoming| upcoming.contact))?;
        self.observer.advance(&mut self.evaluator, self.step_number);
        self.evaluator.commit_angles();
        self.evaluator.commit_searches(self.step_number + 1);
        self.check_searches()?;
        self.stepper.accept(end);
        self.step_number += 1;
        self.statistics.steps += 1;
        if self.system.record_steps {
            let row = StepRow {
                time: end,
                step,
                error: assessment.error,
                rejected: (self.statistics.rejected - rejected_before) as u32,
                rhs: (self.evaluator.evaluations - rhs_before) as u32,
                contacts: self.evaluator.touching() as u32,
            };
            self.timed(|_| recorder.step(&row))?;
        }
        let next = self.fixed_step().unwrap_or(suggestion);
        self.next_step = next.min(self.step_limit()).min(self.stable_step);
        // The rows of a commit that fails are kept: they say why.
        let committed = match &change {
            Some(change) => self.commit_cable(change, end).and_then(|()| self.count_events(end)),
            None => self.commit(upcoming, end),
        };
        self.emit_events(recorder)?;
        committed?;
        if whole_step {
            self.reconsider(tried, assessment.stiffness, suggestion)?;
        }
        self.emit_switches(recorder)
    }

    /// An explicit method at its stability limit keeps fast modes alive at the size of the tolerance, step after
    /// step, and the energy of a body at rest drifts with them. A little below the limit they die out. The
    /// bound loosens slowly when they are too small to be seen.
    fn note_stability(&mut self, h: f64, stiffness: f64) {
        self.stable_step *= STABLE_GROWTH;
        if stiffness > 0.0 {
            self.stable_step = self.stable_step.min(h * self.stepper.stable_reach() / stiffness);
        }
    }

    /// Changes of contact modes at the new state, and what follows from them.
    fn commit(&mut self, upcoming: Option<Upcoming>, time: f64) -> Result<(), RunError> {
        let changed = match upcoming {
            Some(upcoming) => {
                let trigger = Some((upcoming.contact, upcoming.transition));
                self.evaluator.commit_event(time, trigger, self.step_number, &mut self.log);
                true
            }
            None => self.evaluator.commit_calm(time, &mut self.log),
        };
        let changed = self.observer.commit_watch(&mut self.evaluator, self.step_number) || changed;
        let (longest, _) = self.observer.longest_step(&self.evaluator);
        let last = self.stepper.step();
        self.next_step = self.next_step.min((TRAVEL_RESERVE * longest).max(LEAST_SHORTENING) * last);
        let breaks = self.pieces.end_at(time);
        if !changed && !breaks {
            return Ok(());
        }
        // The modes of the contacts that have changed are gone.
        self.stable_step = f64::INFINITY;
        self.interpolated.copy_from_slice(self.stepper.state());
        self.reconsider_at_event(time);
        let mut state = std::mem::take(&mut self.interpolated);
        let passed = if breaks { self.pass_break(time, &mut state) } else { Ok(()) };
        let result = passed.and_then(|()| self.restart(&state, time));
        self.interpolated = state;
        result?;
        self.next_step = self.next_step.min(self.entry_limit());
        self.count_events(time)
    }

    /// Limit of the first step after contacts have begun (s).
    fn entry_limit(&self) -> f64 {
        let begun = self.log.iter().filter(|e| e.kind == EventKind::ContactBegin);
        // Elements come into contact one by one, and the travel of areal surfaces in a step is limited.
        let begun = begun.filter(|e| !self.evaluator.is_areal(e.contact));
        begun
            .map(|event| {
                let contact = &self.evaluator.table.contacts[event.contact];
                let speed = contact.law.frozen_approach(event.approach_speed);
                ENTRY_SHARE * contact.impact_duration(speed)
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// Attempts smaller and smaller steps until one passes.
    fn attempt_until_accepted(&mut self) -> Result<(f64, Assessment), RunError> {
        let max_steps = self.system.settings.max_steps;
        let reach = STRETCH * self.next_step;
        self.stop = self.find_stop(reach)?;
        let remaining = self.stop - self.stepper.time();
        let to_end = self.end - self.stepper.time();
        let mut h = self.next_step;
        if STRETCH * h >= remaining && remaining <= self.step_limit() {
            h = remaining;
        }
        h = self.shorten_to_drives(if h.is_finite() { h } else { to_end })?;
        // Rates beyond all bounds leave the first step no length.
        if h < f64::MIN_POSITIVE {
            return Err(self.failure_of_rates());
        }
        loop {
            if self.statistics.steps + self.statistics.rejected >= max_steps {
                return Err(self.failure_of_step_count());
            }
            self.evaluator.culprit = None;
            self.evaluator.search.forget_fault();
            let attempt = self.stepper.attempt(&mut self.evaluator, h, &self.system.tolerances);
            let mut diverges = false;
            let error = match attempt {
                Ok(assessment) if assessment.error <= 1.0 => return Ok((h, assessment)),
                Ok(assessment) => {
                    self.remember_worst(assessment);
                    assessment.error
                }
                Err(fault @ (Fault::Recoverable | Fault::NotConverged)) => {
                    diverges = fault == Fault::NotConverged;
                    f64::NAN
                }
                Err(Fault::Fatal) => return Err(self.failure_of_right_hand_side()),
            };
            self.statistics.rejected += 1;
            let beyond = h > to_end;
            h = self.stepper.failed(error);
            if diverges && self.regime.gives_up(h) {
                h = self.go_back_from_divergence(h)?.min(remaining).min(reach);
            }
            if beyond && h < self.smallest_step() {
                // Forces may have no value after the time that the run was to end at.
                h = to_end;
            } else if h < self.smallest_step() {
                if diverges {
                    return Err(self.failure_of_newton(h));
                }
                return Err(self.failure_of_step_size(h, error));
            }
        }
    }

    pub(super) fn smallest_step(&self) -> f64 {
        let rounding = 16.0 * f64::EPSILON * self.stepper.time();
        self.system.settings.h_min.unwrap_or(rounding).max(f64::MIN_POSITIVE)
    }

    /// Puts the end of the attempted step back to unit quaternions and onto the constraints.
    pub(super) fn settle(&mut self, end: f64) -> Result<(), RunError> {
        kinematics::normalize(&self.system, self.stepper.trial_mut());
        self.projected = self.stepper.projected();
        if self.system.settings.formulation != Formulation::Kkt || !self.evaluator.mechanism.is_constrained()
        {
            return Ok(());
        }
        match self.evaluator.project(end, self.stepper.trial_mut()) {
            Ok(None) => return Ok(()),
            Ok(Some(energy)) => self.projected = energy,
            Err(misfit) => return Err(self.failure_of_constraint(&misfit)),
        }
        self.stepper.refresh(&mut self.evaluator).map_err(|_| self.failure_of_right_hand_side())
    }

    /// Shortens the step to the end of the run. False if that does not succeed, and a shorter one has to come first.
    fn step_to_end(&mut self, after: f64) -> Result<bool, RunError> {
        match self.stepper.attempt(&mut self.evaluator, after, &self.system.tolerances) {
            Ok(_) => {}
            Err(Fault::NotConverged) if after >= 2.0 * self.smallest_step() => {
                self.next_step = self.stepper.failed(f64::NAN).min(0.5 * after);
                return Ok(false);
            }
            Err(_) => return Err(self.failure_of_right_hand_side()),
        }
        self.settle(self.stepper.time() + after)?;
        self.observer.refresh(&mut self.evaluator, self.step_number);
        self.read_path(self.stepper.time() + after)
    }

    /// What the attempted step brings contacts and cables.
    fn look_ahead(&mut self) -> Result<(Ahead, CableAhead), RunError> {
        let ahead = self.observer.find_first(&mut self.evaluator, &*self.stepper, self.step_number, None);
        Ok((ahead, self.find_cable_change()?))
    }

    /// Shortens the step to what comes first of contacts and cables. If the path of the shorter step brings the other kind
    /// something, half of it comes first: there the two are apart.
    fn step_to_what_comes(
        &mut self,
        ahead: Ahead,
        cable: CableAhead,
    ) -> Result<(Reached, Option<CableChange>), RunError> {
        let halve = |s: &mut Self| s.next_step = 0.5 * s.stepper.step();
        match cable {
            CableAhead::Change(change) if change.after < ahead.after() => {
                self.step_to_cable_change(&change)?;
                let step = self.stepper.step();
                if !self.read_path(self.stepper.time() + step)? {
                    return Ok((Reached::NotYet, None));
                }
                let (ahead, _) = self.look_ahead()?;
                if ahead.after() < step {
                    halve(self);
                    return Ok((Reached::NotYet, None));
                }
                Ok((Reached::Here(None), Some(change)))
            }
            CableAhead::Unknown { after, force } if after < ahead.after() => {
                Ok((self.shorten_to_known(after, Subject::Cable(force))?, None))
            }
            _ => {
                let whole = self.stepper.step();
                let reached = self.step_to_first(ahead)?;
                let step = self.stepper.step();
                let is_shorter = matches!(reached, Reached::Here(_)) && step < whole;
                if is_shorter && self.find_cable_change()?.after() < step {
                    halve(self);
                    return Ok((Reached::NotYet, None));
                }
                Ok((reached, None))
            }
        }
    }

    /// Takes the path of the attempted step, whose end the evaluator is at. False if there is none, and a shorter step has to
    /// come first.
    fn read_path(&mut self, end: f64) -> Result<bool, RunError> {
        if !self.prepare_dense(end)? {
            self.next_step = 0.5 * self.stepper.step();
            return Ok(false);
        }
        if self.may_touch() {
            self.observer.read(&self.system, &*self.stepper);
        }
        Ok(true)
    }

    /// Does a body turn so far in the attempted step that its path bounds nothing? A shorter one has to come first then.
    fn turns_too_far(&mut self) -> bool {
        let turns = self.may_touch() && !self.observer.step.is_bounded();
        if turns {
            self.next_step = 0.5 * self.stepper.step();
        }
        turns
    }

    /// Do areal surfaces that touch, or nearly do, go farther in the attempted step than their penetration lines see? A shorter
    /// one has to come first then.
    fn travels_too_far(&mut self) -> Result<bool, RunError> {
        let (longest, contact) = self.observer.longest_step(&self.evaluator);
        let Some(contact) = contact.filter(|_| longest < 1.0) else { return Ok(false) };
        self.next_step = (TRAVEL_RESERVE * longest).max(LEAST_SHORTENING) * self.stepper.step();
        if self.next_step < self.smallest_step() {
            return Err(self.failure_of_travel(contact));
        }
        Ok(true)
    }

    /// Shortens the step to what lies first in it. The path of the shorter step is another one, which is searched again.
    fn step_to_first(&mut self, mut ahead: Ahead) -> Result<Reached, RunError> {
        // What a search of the attempted step tells apart, which near t = 0 the sum of times does not say.
        let tick = SAME_TIME * f64::EPSILON * (self.stepper.time() + self.stepper.step());
        for _ in 0..SHORTENINGS {
            let upcoming = match ahead {
                Ahead::Nothing => return Ok(Reached::Here(None)),
                Ahead::Unknown { after, contact } => {
                    return self.shorten_to_known(after, Subject::Contact(contact));
                }
                Ahead::Change(upcoming) => upcoming,
            };
            if !self.locate(&upcoming)? {
                return Ok(Reached::NotYet);
            }
            self.observer.refresh(&mut self.evaluator, self.step_number);
            let step = self.stepper.step();
            if !self.read_path(self.stepper.time() + step)? {
                return Ok(Reached::NotYet);
            }
            let but = Some(upcoming.contact);
            ahead = self.observer.find_first(&mut self.evaluator, &*self.stepper, self.step_number, but);
            // What comes at the same time is found when the event is committed.
            if ahead.after() >= step || step <= tick {
                return Ok(Reached::Here(Some(upcoming)));
            }
        }
        // Each of so many events comes before the one before it by no more than the steps differ.
        self.next_step = 0.5 * self.stepper.step();
        Ok(Reached::NotYet)
    }

    /// The next attempt goes as far as a contact, or a cable, is known to be apart.
    fn shorten_to_known(&mut self, after: f64, subject: Subject) -> Result<Reached, RunError> {
        let step = self.stepper.step();
        self.next_step = after.clamp(LEAST_SHORTENING * step, 0.5 * step);
        if self.next_step < self.smallest_step() {
            return Err(self.failure_of_clearance(subject));
        }
        Ok(Reached::NotYet)
    }
}
