//! One accepted step: attempts, event ahead, records, commit.

use carom_solvers::{Assessment, Fault};

use super::{Leave, Simulation};
use crate::contact::Upcoming;
use crate::kinematics;
use crate::model::Formulation;
use crate::outcome::RunError;
use crate::record::{EventKind, Recorder, StepRow};

/// Steps into a new contact: this share of its estimated duration.
const ENTRY_SHARE: f64 = 0.05;
/// Growth of that bound from step to step while nothing is seen.
const STABLE_GROWTH: f64 = 1.05;
/// A step that would leave less than a tenth of itself to the end goes there.
const STRETCH: f64 = 1.1;

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
        self.observer.bound_speeds(&self.evaluator);
        self.meet_neighbours(recorder, self.stepper.step())?;
        self.prepare_dense(tried_end)?;
        let upcoming = self.observer.find_first(&mut self.evaluator, &*self.stepper, self.step_number);
        let cable = self.find_cable_change()?;
        let cable = cable.filter(|c| upcoming.is_none_or(|u| c.after < u.after));
        let upcoming = if cable.is_some() { None } else { upcoming };
        if let Some(change) = &cable {
            self.step_to_cable_change(change)?;
        } else if let Some(upcoming) = &upcoming
            && !self.step_to_event(upcoming)?
        {
            self.statistics.rejected += 1;
            self.evaluator.forget_attempt(self.step_number + 1);
            return Ok(());
        }
        let step = self.stepper.step();
        let start = self.stepper.time();
        // The last step ends at t_end exactly; the sum may miss it by rounding.
        let stop = self.next_stop();
        let whole_step = upcoming.is_none() && cable.is_none();
        let whole = whole_step && tried >= stop - start;
        let end = if whole { stop } else { start + step };
        if !whole {
            self.prepare_dense(end)?;
        }
        self.record_step(recorder, start, end)?;
        self.observer.advance(step);
        self.observer.note_start(&self.evaluator);
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
        let committed = match &cable {
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
        if !changed && !self.system.breaks.contains(&time) {
            return Ok(());
        }
        // The modes of the contacts that have changed are gone.
        self.stable_step = f64::INFINITY;
        self.interpolated.copy_from_slice(self.stepper.state());
        self.reconsider_at_event(time);
        let state = std::mem::take(&mut self.interpolated);
        let result = self.restart(&state, time);
        self.interpolated = state;
        result?;
        self.next_step = self.next_step.min(self.entry_limit());
        self.count_events(time)
    }

    /// Limit of the first step after contacts have begun (s).
    fn entry_limit(&self) -> f64 {
        let begun = self.log.iter().filter(|e| e.kind == EventKind::ContactBegin);
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
        let settings = &self.system.settings;
        let remaining = self.next_stop() - self.stepper.time();
        let mut h = self.next_step;
        if STRETCH * h >= remaining && remaining <= self.step_limit() {
            h = remaining;
        }
        loop {
            if self.statistics.steps + self.statistics.rejected >= settings.max_steps {
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
            h = self.stepper.failed(error);
            if diverges && self.regime.gives_up(h) {
                h = self.go_back_from_divergence(h)?;
            }
            if h < self.smallest_step() {
                if diverges {
                    return Err(self.failure_of_newton(h));
                }
                return Err(self.failure_of_step_size(h, error));
            }
        }
    }

    /// End of the run, or the next time at which a function of time may jump.
    fn next_stop(&self) -> f64 {
        let breaks = &self.system.breaks;
        let next = breaks.partition_point(|&b| b <= self.stepper.time());
        breaks.get(next).copied().unwrap_or(self.system.settings.t_end)
    }

    pub(super) fn smallest_step(&self) -> f64 {
        let rounding = 16.0 * f64::EPSILON * self.stepper.time();
        self.system.settings.h_min.unwrap_or(rounding).max(f64::MIN_POSITIVE)
    }

    /// Puts the end of the attempted step back to unit quaternions and onto the constraints.
    pub(super) fn settle(&mut self, end: f64) -> Result<(), RunError> {
        kinematics::normalize(self.system, self.stepper.trial_mut());
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

    /// Shortens the step to its event; open contacts looked at its old end. False if no such step is found.
    fn step_to_event(&mut self, upcoming: &Upcoming) -> Result<bool, RunError> {
        let located = self.locate(upcoming)?;
        if located {
            self.observer.refresh(&mut self.evaluator, self.stepper.step(), self.step_number);
        }
        Ok(located)
    }
}
