//! Beginnings and ends of areal contacts. Their laws start smoothly: nothing has to be restarted, and the times are found
//! after a step has been accepted.

use super::areal::is_touching;
use super::placed::Placed;
use super::{Evaluator, PointMotion, StepView};
use crate::record::{Event, EventKind};
use crate::system::PairSource;

impl Evaluator<'_> {
    /// Notes areal contacts that touch at the start of a run, whose state the evaluator is at.
    pub(crate) fn note_areal_start(&mut self, log: &mut Vec<Event>) {
        for slot in 0..self.contacts.active.len() {
            let contact = self.contacts.active[slot];
            let force = self.forces[slot];
            if self.is_areal(contact) && is_touching(&force) {
                self.contacts.memory[contact].touching = true;
                log.push(self.event(EventKind::ContactBegin, contact, 0.0, &force.point));
            }
        }
    }

    /// Does an areal contact begin or end in the step whose end the evaluator is at?
    pub(crate) fn has_areal_changes(&self) -> bool {
        let mut ends = self.contacts.active.iter().zip(&self.forces);
        ends.any(|(&c, force)| self.is_areal(c) && is_touching(force) != self.contacts.memory[c].touching)
    }

    /// Notes areal contacts that began or ended in the step from `start`, whose end the evaluator is at. Contacts that
    /// come and go within one step leave no row.
    pub(crate) fn note_areal_changes(&mut self, view: &StepView<'_>, start: f64, log: &mut Vec<Event>) {
        let first = log.len();
        for slot in 0..self.contacts.active.len() {
            let contact = self.contacts.active[slot];
            let touching = is_touching(&self.forces[slot]);
            if !self.is_areal(contact) || touching == self.contacts.memory[contact].touching {
                continue;
            }
            let time = start + self.find_areal_change(view, contact, touching);
            // The elements found last are those of another time: a Jacobian has to look again.
            self.has_rates = false;
            // At its beginning and its end a contact has no depth.
            let point = PointMotion { gap: 0.0, ..self.forces[slot].point };
            let memory = &mut self.contacts.memory[contact];
            memory.touching = touching;
            if touching {
                memory.begin = time;
                memory.max_penetration = 0.0;
            }
            let kind = if touching { EventKind::ContactBegin } else { EventKind::ContactEnd };
            log.push(self.event(kind, contact, time, &point));
            let depth = -self.forces[slot].point.gap;
            let memory = &mut self.contacts.memory[contact];
            if touching {
                memory.max_penetration = depth;
            } else {
                memory.end = time;
                memory.impulse_normal = 0.0;
                memory.impulse_tangential.fill(0.0);
            }
        }
        log[first..].sort_by(|one, two| one.time.total_cmp(&two.time));
    }

    /// When the contact comes to touch, or not to, after the start of the step: by bisection, to rounding.
    fn find_areal_change(&mut self, view: &StepView<'_>, contact: usize, touching: bool) -> f64 {
        let (mut before, mut after) = (0.0, view.h);
        loop {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                return after;
            }
            if self.touches_at(view, contact, middle) == touching {
                after = middle;
            } else {
                before = middle;
            }
        }
    }

    fn touches_at(&mut self, view: &StepView<'_>, contact: usize, after: f64) -> bool {
        let index = self.table.contacts[contact].pair;
        let pair = &self.table.pairs[index];
        let PairSource::Areal(areal) = &pair.source else { return false };
        let theta = if view.h > 0.0 { after / view.h } else { 1.0 };
        let bodies = pair.bodies.map(|body| view.body_at(self, body, theta));
        let [x_a, x_b] =
            [0, 1].map(|k| bodies[k].pose.compose(&self.system.surfaces[areal.surfaces[k]].pose));
        let placed = Placed { poses: [&x_a, &x_b], bodies: [&bodies[0], &bodies[1]] };
        let workspace = self.areal[index].as_mut().expect("an areal pair has a workspace");
        workspace.touches(areal, placed.poses)
    }
}
