//! Changes of clipped contacts inside an attempted step, which goes on over them: found and located like those that end steps, held
//! against what the step may be wrong by (`kinks.rs`), and noted when it is accepted.

use carom_solvers::root::find_right_root;
use carom_solvers::{Kinks, PULSE, Stepper};

use super::clipping::{damping_misfit, forget_past, is_clippable};
use super::commit;
use super::kinks::{Factors, KinkError};
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

/// Share of an impact in which its force rises, whatever else acts.
pub(super) const RISE: f64 = 0.2;

impl Observer {
    /// What becomes of an open contact that begins in the attempted step.
    pub(super) fn pass_begin(
        &mut self,
        evaluator: &Evaluator<'_>,
        stepper: &dyn Stepper,
        begin: Upcoming,
        kinks: &Kinks,
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
        if left > RISE * data.impact_duration(speed) {
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
            let error = error_of(evaluator, contact, &end, (force, 0.0), &Factors::within(PULSE), view.h);
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
        let then = data.law.force(-end.gap, end.approach, damping);
        let lost = (then.total - then.elastic) * end.approach;
        let factors = Factors::of(kinks, data.law.exponent.value(), left / view.h);
        let error = error_of(evaluator, contact, &end, (then.total, lost), &factors, view.h);
        if !self.kinks.take(evaluator, contact, &error) {
            return ends_step;
        }
        if slot.is_none() {
            return unforeseen(self);
        }
        // The law's own error, from the moment on at which the contact begins.
        let misfit = damping_misfit(evaluator, contact, &end, touch.approach);
        let factors = Factors::within(left / view.h);
        let error = error_of(evaluator, contact, &end, (misfit, misfit * end.approach), &factors, view.h);
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
        kinks: &Kinks,
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
            // Beside the force as it goes on, what the clipped one has more, and what it loses more.
            let (force, lost, power) = match change.transition {
                Transition::Release | Transition::Reengage => {
                    // The factor of the force goes through zero, the depth does not rise.
                    let elastic =
                        law.force(memory.load.depth, 0.0, 0.0).elastic.abs().max(then.elastic.abs());
                    let force = elastic * zero_function(evaluator, contact, Transition::Release, &end).abs();
                    (force, force * end.approach, 1.0)
                }
                Transition::Open if was_closed => {
                    (then.total.abs(), (then.elastic - then.total) * end.approach, law.exponent.value())
                }
                Transition::Open => (0.0, then.elastic * end.approach, law.exponent.value()),
                Transition::Close
                | Transition::BeginPatch
                | Transition::Hit
                | Transition::Regroup
                | Transition::Leave
                | Transition::Detach
                | Transition::Slip
                | Transition::Stick
                | Transition::Contradict => return false,
            };
            let factors = Factors::of(kinks, power, left);
            error += error_of(evaluator, contact, &end, (force, lost), &factors, h);
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
        // Equal elements there are none of: the order is the same however it is found, without memory of its own.
        let place = |change: &Upcoming| (change.contact, rank(change.transition));
        self.passing.sort_unstable_by(|a, b| a.after.total_cmp(&b.after).then(place(a).cmp(&place(b))));
        for place in 0..self.passing.len() {
            let change = self.passing[place];
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

/// Which of the changes of one contact at one moment comes first.
fn rank(transition: Transition) -> u8 {
    match transition {
        Transition::Close => 0,
        Transition::Release => 1,
        Transition::Reengage => 2,
        _ => 3,
    }
}

/// The law's release function with another damping than the one that it keeps.
fn zero_function_with(evaluator: &Evaluator<'_>, contact: usize, motion: &PointMotion, damping: f64) -> f64 {
    evaluator.table.contacts[contact].law.release_function(-motion.gap, motion.approach, damping)
}

/// What a normal force that is `force` (N) at the end of the step, and loses energy at the rate `lost` (W), makes wrong.
fn error_of(
    evaluator: &Evaluator<'_>,
    contact: usize,
    end: &PointMotion,
    (force, lost): (f64, f64),
    factors: &Factors,
    h: f64,
) -> KinkError {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let slip = end.sliding.norm();
    let ratio = pair.friction.ratio(slip);
    let total = end.normal * force - end.sliding * (force * ratio);
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body]);
    let omega = b.angular_velocity - a.angular_velocity;
    let rolling = pair.rolling.torque(&omega, &end.normal, force, -end.gap).norm();
    let arms = [a, b].map(|body| end.position - body.pose.translation);
    let torque = arms.iter().map(|arm| arm.cross(&total).norm() + rolling).fold(0.0, f64::max);
    let [first, second] = [factors.first * h, factors.second * h * h];
    let lost = lost + force * ratio * slip * slip + rolling * omega.norm();
    KinkError {
        impulse: first * total.norm(),
        shift: second * total.norm(),
        twist: first * torque,
        turn: second * torque,
        energy: factors.signed * h * lost,
        energy_margin: factors.margin * h * lost.abs(),
    }
}
