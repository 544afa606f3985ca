//! Changes of clipped contacts inside an attempted step, which goes on over them: found and located like those that end steps, held
//! against what the step may be wrong by (`kinks.rs`), and noted when it is accepted.

use carom_solvers::root::find_right_root;
use carom_solvers::{KinkBound, PULSE, Stepper};

use super::clipping::{damping_misfit, forget_past, is_clippable};
use super::commit;
use super::kinks::KinkError;
use super::observe::{gap_epsilon, zero_function};
use super::{Ahead, Evaluator, Observer, PointMotion, StepView, Transition, Upcoming};
use crate::record::{ContactMode, Event};

/// An open contact that would begin in the attempted step and was not expected to, or with another approach speed. The step is
/// made once more, with what is known now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unforeseen {
    pub(crate) contact: usize,
    /// When it begins, from the start of the step (s), and how fast (m/s).
    pub(crate) after: f64,
    pub(crate) approach: f64,
    /// It at the start of the step.
    pub(crate) start: PointMotion,
}

impl Observer {
    /// What becomes of an open contact that begins in the attempted step.
    pub(super) fn pass_begin(
        &mut self,
        evaluator: &Evaluator<'_>,
        stepper: &dyn Stepper,
        begin: Upcoming,
        bound: &KinkBound,
    ) -> Ahead {
        let contact = begin.contact;
        let view = StepView::new(stepper, &self.step);
        let ends_step = Ahead::Change(begin);
        if !is_clippable(evaluator, contact) {
            return ends_step;
        }
        let touch = view.at(evaluator, contact, begin.after);
        let left = view.h - begin.after;
        let data = &evaluator.table.contacts[contact];
        let speed = data.law.frozen_approach(touch.approach);
        if left > data.entry_limit(speed) {
            return ends_step;
        }
        let memory = &evaluator.contacts.memory[contact];
        let slot = evaluator.contacts.active.binary_search(&contact).ok().filter(|_| memory.clipped);
        let end = slot.map_or_else(|| evaluator.motion_of(contact), |slot| evaluator.forces[slot].point);
        let unforeseen = |observer: &mut Self| {
            let start = StepView::new(stepper, &observer.step).at(evaluator, contact, 0.0);
            let of = Unforeseen { contact, after: begin.after, approach: touch.approach, start };
            observer.unforeseen.push(of);
            ends_step
        };
        let damping = data.law.frozen_damping(touch.approach, f64::INFINITY);
        if end.gap > gap_epsilon(&end) {
            // It comes and goes, no deeper than it would at constant speed.
            let gap = |at: f64| view.at(evaluator, contact, at).gap;
            let until = find_right_root(gap, begin.after, view.h, end.gap, false);
            let depth = touch.approach.max(0.0) * (until - begin.after);
            let force = data.law.force(depth, speed, damping).total;
            let error = error_of(evaluator, contact, &end, force, [PULSE, PULSE], view.h);
            if !self.kinks.take(evaluator, contact, &error) {
                return ends_step;
            }
            if slot.is_none() {
                return unforeseen(self);
            }
            self.passing.push(begin);
            self.passing.push(Upcoming { after: until, contact, transition: Transition::Open });
            return Ahead::Nothing;
        }
        if zero_function_with(evaluator, contact, &end, damping) < 0.0 {
            return ends_step;
        }
        let force = data.law.force(-end.gap, end.approach, damping).total;
        let factors = bound.errors(data.law.exponent.value(), left / view.h);
        let error = error_of(evaluator, contact, &end, force, factors, view.h);
        if !self.kinks.take(evaluator, contact, &error) {
            return ends_step;
        }
        if slot.is_none() {
            return unforeseen(self);
        }
        // The law's own error, from the moment on at which the contact begins.
        let misfit = damping_misfit(evaluator, contact, &end, touch.approach);
        let share = left / view.h;
        let error = error_of(evaluator, contact, &end, misfit, [share, 0.5 * share * share], view.h);
        if !self.kinks.take(evaluator, contact, &error) {
            return unforeseen(self);
        }
        self.passing.push(begin);
        Ahead::Nothing
    }

    /// What becomes of the changes of a clipped contact that holds at the start of the step.
    pub(super) fn pass_changes(
        &mut self,
        evaluator: &Evaluator<'_>,
        h: f64,
        slot: usize,
        changes: &[Option<Upcoming>],
        bound: &KinkBound,
    ) -> bool {
        let contact = evaluator.contacts.active[slot];
        let memory = &evaluator.contacts.memory[contact];
        let end = evaluator.forces[slot].point;
        let law = &evaluator.table.contacts[contact].law;
        let then = law.force(-end.gap, end.approach, memory.frozen_damping);
        let was_closed = memory.mode == ContactMode::Closed;
        let mut error = KinkError::default();
        let end_of = |change: &&Upcoming| change.transition == Transition::Open;
        let until = changes.iter().flatten().find(end_of).map_or(h, |change| change.after);
        // What has ended does not let go any more.
        let before_end = |change: &&Upcoming| change.after <= until;
        for change in changes.iter().flatten().filter(before_end) {
            let left = (h - change.after) / h;
            let (force, power) = match change.transition {
                Transition::Release | Transition::Reengage => {
                    // The factor of the force falls through zero, the depth does not rise.
                    let elastic = law.force(memory.load.depth, 0.0, 0.0).elastic.abs().max(then.elastic.abs());
                    (elastic * zero_function(evaluator, contact, Transition::Release, &end).abs(), 1.0)
                }
                Transition::Open => (then.total.abs(), law.exponent.value()),
                Transition::Close | Transition::BeginPatch | Transition::Regroup => return false,
            };
            let factors = bound.errors(power, left);
            let mut own = error_of(evaluator, contact, &end, force, factors, h);
            if change.transition == Transition::Open {
                // What is stored is lost up to here.
                own.energy = factors[0] * h * (then.elastic * end.approach).abs();
                if !was_closed {
                    own = KinkError { energy: own.energy, ..KinkError::default() };
                }
            }
            error += own;
        }
        let fits = self.kinks.take(evaluator, contact, &error);
        if fits {
            self.passing.extend(changes.iter().flatten().filter(before_end));
        }
        fits
    }

    /// Commits the changes that the accepted step, from `start` on, has gone over.
    pub(crate) fn note_passing(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        [start, end]: [f64; 2],
        step_number: u64,
        log: &mut Vec<Event>,
    ) {
        self.passing.sort_by(|a, b| a.after.total_cmp(&b.after));
        for change in std::mem::take(&mut self.passing) {
            let contact = change.contact;
            let view = StepView::new(stepper, &self.step);
            let time = if change.after >= view.h { end } else { start + change.after };
            let point = view.at(evaluator, contact, change.after);
            commit::pass(evaluator, contact, change.transition, time, &point, log);
            let Ok(slot) = evaluator.contacts.active.binary_search(&contact) else { continue };
            let now = evaluator.forces[slot].point;
            if change.transition == Transition::Open {
                forget_past(evaluator, contact, time);
            }
            evaluator.contacts.memory[contact].note(&now, step_number + 1);
        }
    }
}

/// The law's release function with another damping than the one that it keeps.
fn zero_function_with(evaluator: &Evaluator<'_>, contact: usize, motion: &PointMotion, damping: f64) -> f64 {
    evaluator.table.contacts[contact].law.release_function(-motion.gap, motion.approach, damping)
}

/// What a normal force that is `force` (N) at the end of the step makes wrong, by factors of its first and second integral.
fn error_of(
    evaluator: &Evaluator<'_>,
    contact: usize,
    end: &PointMotion,
    force: f64,
    factors: [f64; 2],
    h: f64,
) -> KinkError {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let slip = end.sliding.norm();
    let rubbing = pair.friction.ratio(slip) * slip;
    let total = end.normal * force - end.sliding * (force * pair.friction.ratio(slip));
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body]);
    let omega = b.angular_velocity - a.angular_velocity;
    let rolling = pair.rolling.torque(&omega, &end.normal, force, -end.gap).norm();
    let torque = [a, b]
        .map(|body| (end.position - body.pose.translation).cross(&total).norm() + rolling)
        .into_iter()
        .fold(0.0, f64::max);
    let [first, second] = [factors[0] * h, factors[1] * h * h];
    let power = force * (end.approach.abs() + rubbing * slip) + rolling * omega.norm();
    KinkError {
        impulse: first * total.norm(),
        shift: second * total.norm(),
        twist: first * torque,
        turn: second * torque,
        energy: first * power,
    }
}
