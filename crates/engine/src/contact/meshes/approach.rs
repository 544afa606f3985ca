//! Contacts of triangle surfaces on their way: surfaces that are apart, those that are near, and those that touch unfelt.
//!
//! Far surfaces are not evaluated. Near ones are, like ones in contact: if their law starts smoothly a step need not end where
//! they touch, and their begin is noted at its time. Surfaces that touch and have no element in contact push nothing;
//! how far they come meanwhile is watched (certificates.md 2).

use std::sync::Arc;

use carom_solvers::Stepper;

use super::super::commit;
use super::super::observe::SmoothBegin;
use super::super::placed::Placed;
use super::super::regions;
use super::super::{Ahead, ContactForce, Evaluator, Observer, StepView, Transition, Upcoming};
use super::behind;
use super::entry::entering;
use super::touch::{MeshCourse, Touch, touch_motion};
use crate::record::{ContactMode, Event};
use crate::system::MeshPair;

/// A near pair whose distance is this many times what makes it near is far again.
const FAR: f64 = 2.0;
/// Distances are asked for up to what the surfaces travel in so many steps: a certificate for some, which costs less than
/// distances.
const STEPS_CERTIFIED: f64 = 8.0;

/// Surfaces that have passed each other where no element sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unseen {
    /// They overlap by this much (m) without a force.
    Overlap { contact: usize, depth: f64 },
    /// One is inside the other.
    Inside { contact: usize },
    /// An open surface is met from where its solid is.
    Behind { contact: usize },
}

/// Distance below which a pair is near (m). Bounds of distances are on the same side of it as the distances.
fn end_of_near(meshes: &MeshPair, is_watched: bool) -> f64 {
    if is_watched { FAR * meshes.near } else { meshes.near }
}

/// The triangle surfaces of a contact, and the index of their pair.
pub(in crate::contact) fn mesh_pair(
    evaluator: &Evaluator<'_>,
    contact: usize,
) -> Option<(Arc<MeshPair>, usize)> {
    let index = evaluator.table.contacts[contact].pair;
    Some((Arc::clone(evaluator.table.pairs[index].source.meshes()?), index))
}

/// Has a contact that is evaluated any element in contact at the last evaluation?
pub(in crate::contact) fn is_felt(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let slot = evaluator.contacts.active.binary_search(&contact);
    slot.is_ok_and(|slot| evaluator.forces.get(slot).is_some_and(ContactForce::is_felt))
}

/// Evaluates all contacts of triangle surfaces, also those apart, where nothing looks ahead.
pub(crate) fn watch_meshes(evaluator: &mut Evaluator<'_>) {
    for contact in 0..evaluator.contacts.memory.len() {
        if evaluator.is_mesh_contact(contact) {
            evaluator.contacts.memory[contact].watched = true;
        }
    }
    evaluator.rebuild_active();
}

/// Where the surfaces of a pair are now.
pub(super) fn placed_surfaces<'e>(
    evaluator: &'e Evaluator<'_>,
    meshes: &MeshPair,
    pair: usize,
) -> Placed<'e> {
    Placed::of(
        meshes.surfaces,
        evaluator.table.pairs[pair].bodies,
        (&evaluator.surfaces, &evaluator.workspace.bodies),
    )
}

impl Observer {
    /// First touch of surfaces that are far from each other at the start of the step. Their distance at its end is noted.
    pub(in crate::contact) fn find_touch(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
        step_number: u64,
    ) -> Ahead {
        let hint = evaluator.contacts.memory[contact].triangles;
        self.note_distance(evaluator, contact, step_number + 1);
        let gap = evaluator.contacts.memory[contact].gap;
        match self.search_step(evaluator, stepper, contact, (gap, hint)) {
            Touch::None => Ahead::Nothing,
            Touch::Unknown { from } => Ahead::Unknown { after: from, contact },
            Touch::After { after, triangles } => {
                let memory = &mut evaluator.contacts.memory[contact];
                memory.triangles = triangles;
                memory.evaluated_at = step_number + 1;
                Ahead::Change(Upcoming { after, contact, transition: Transition::Close })
            }
        }
    }

    /// Surfaces that are near each other, and evaluated. No element feels contact at the end of the step, so that they touch at most
    /// beside all elements: at the end, or on the way, where a corner of one sweeps past the border of the other.
    pub(in crate::contact) fn look_at_watched(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
        step_number: u64,
    ) -> Ahead {
        let hint = evaluator.contacts.memory[contact].triangles;
        self.note_distance(evaluator, contact, step_number + 1);
        let gap = evaluator.contacts.memory[contact].gap;
        if gap <= 0.0 {
            return self.find_felt_touch(evaluator, stepper, contact, step_number);
        }
        match self.search_step(evaluator, stepper, contact, (gap, hint)) {
            Touch::None => Ahead::Nothing,
            Touch::Unknown { from } => Ahead::Unknown { after: from, contact },
            Touch::After { after, triangles } => {
                self.take_touch(evaluator, contact, step_number, (after, triangles))
            }
        }
    }

    /// The first touch of surfaces that are apart by what is left of their certificate at the start of the step, and by no less than
    /// `gap` (m) at its end.
    fn search_step(
        &mut self,
        evaluator: &Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
        (gap, hint): (f64, [u32; 2]),
    ) -> Touch {
        let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return Touch::None };
        let [travelled, _] = self.travel(evaluator, &evaluator.table.pairs[pair]);
        let known = [evaluator.contacts.certificates[contact] - travelled, gap];
        let Self { touch, step, .. } = self;
        let view = StepView::new(stepper, step);
        let course = MeshCourse { evaluator, view: &view, path: step, pair, meshes: &meshes };
        touch.find(&course, known, hint)
    }

    /// Watched surfaces that touch in the step, at this time and with these triangles: noted if their law starts smoothly, else the
    /// end of the step.
    fn take_touch(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        contact: usize,
        step_number: u64,
        (after, triangles): (f64, [u32; 2]),
    ) -> Ahead {
        let Some((meshes, _)) = mesh_pair(evaluator, contact) else { return Ahead::Nothing };
        let memory = &mut evaluator.contacts.memory[contact];
        memory.triangles = triangles;
        memory.evaluated_at = step_number + 1;
        if meshes.starts_smoothly {
            self.begins.push(SmoothBegin { contact, after });
            return Ahead::Nothing;
        }
        Ahead::Change(Upcoming { after, contact, transition: Transition::Close })
    }

    /// When watched surfaces that touch at the end of the step begin to: noted if their law starts smoothly, else the end of the
    /// step. Those that touch at its end need not be the first in it.
    pub(in crate::contact) fn find_felt_touch(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
        step_number: u64,
    ) -> Ahead {
        let memory = &evaluator.contacts.memory[contact];
        let first = match self.search_step(evaluator, stepper, contact, (0.0, memory.triangles)) {
            Touch::Unknown { from } => return Ahead::Unknown { after: from, contact },
            Touch::After { after, triangles } => (after, triangles),
            // Where they touch within rounding of the end alone.
            Touch::None => {
                let Self { touch, step, .. } = self;
                let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return Ahead::Nothing };
                // What has come around a border is felt from behind it (`Unseen::Behind`).
                if behind::are_apart(touch, evaluator, (&meshes, pair), memory.triangles) {
                    return Ahead::Nothing;
                }
                let view = StepView::new(stepper, step);
                touch.find_beginning(&view, evaluator, &meshes, pair, memory.triangles)
            }
        };
        self.take_touch(evaluator, contact, step_number, first)
    }

    /// Keeps the distance of open areal surfaces where the evaluator is, or a bound of it, at the accepted step of this number.
    pub(in crate::contact) fn note_distance(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        contact: usize,
        step_number: u64,
    ) {
        let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return };
        let placed = placed_surfaces(evaluator, &meshes, pair);
        let hint = evaluator.contacts.memory[contact].triangles;
        let bodies = evaluator.table.pairs[pair].bodies;
        let travel = self.step.relative_travel(bodies, evaluator.system.mechanics.is_in_one_tree(bodies));
        let is_watched = evaluator.contacts.memory[contact].watched;
        let enough = (STEPS_CERTIFIED * travel).max(FAR * meshes.near);
        let mark = end_of_near(&meshes, is_watched);
        let (distance, near) = self.touch.distance(&meshes, placed.poses, [mark, enough], hint);
        let memory = &mut evaluator.contacts.memory[contact];
        memory.triangles = near.unwrap_or(hint);
        memory.gap = distance;
        memory.evaluated_at = step_number;
    }

    /// Closes contacts of triangle surfaces that touch, or are inside each other, at the start of a run, and measures the others. What is apart by
    /// rounding, as where something was set down at its computed height, touches.
    pub(crate) fn commit_mesh_start(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        time: f64,
        log: &mut Vec<Event>,
    ) {
        for contact in 0..evaluator.contacts.memory.len() {
            let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { continue };
            let placed = placed_surfaces(evaluator, &meshes, pair);
            let touching = self.touch.touching(&meshes, placed.poses, [0; 2]);
            let is_inside = touching.is_none() && self.touch.is_inside(&meshes, placed.poses);
            if touching.is_none() && !is_inside {
                let rounding = behind::rounding_of(&meshes, placed.poses);
                self.note_distance(evaluator, contact, 0);
                if evaluator.contacts.memory[contact].gap > rounding {
                    continue;
                }
            }
            let memory = &mut evaluator.contacts.memory[contact];
            memory.triangles = touching.unwrap_or(memory.triangles);
            let point = evaluator.motion_of(contact);
            commit::close_at_start(evaluator, contact, time, &point, log);
        }
    }

    /// Which areal pairs are evaluated although they are apart, from the distances of the accepted step of this number; true if
    /// one has changed.
    pub(crate) fn commit_watch(&mut self, evaluator: &mut Evaluator<'_>, step_number: u64) -> bool {
        let mut has_changed = false;
        if !evaluator.table.has_meshes {
            return false;
        }
        for contact in 0..evaluator.contacts.memory.len() {
            let memory = &evaluator.contacts.memory[contact];
            if memory.mode != ContactMode::Open || memory.evaluated_at != step_number {
                continue;
            }
            let Some((meshes, _)) = mesh_pair(evaluator, contact) else { continue };
            let watched = memory.watched;
            let is_near = memory.gap < end_of_near(&meshes, watched);
            let becomes = is_near && (watched || meshes.starts_smoothly);
            evaluator.contacts.memory[contact].watched = becomes;
            has_changed |= becomes != watched;
        }
        if has_changed {
            evaluator.rebuild_active();
        }
        has_changed
    }

    /// Longest step, in those like the attempted one, in which surfaces that touch, or nearly do, travel no farther than their
    /// penetration lines see, and the contact that asks for it.
    pub(crate) fn longest_step(&mut self, evaluator: &Evaluator<'_>) -> (f64, Option<usize>) {
        let mut longest = (f64::INFINITY, None);
        for &contact in &evaluator.contacts.active {
            let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { continue };
            let bodies = evaluator.table.pairs[pair].bodies;
            let travel =
                self.step.relative_approach(bodies, evaluator.system.mechanics.is_in_one_tree(bodies));
            let limit = self.travel_limit(evaluator, (&meshes, pair), longest.0 * travel);
            if limit < longest.0 * travel {
                longest = (limit / travel, Some(contact));
            }
        }
        longest
    }

    /// How far surfaces may have travelled in a step (m), if that is less than `enough`. What has not come as far as to a thin wall has
    /// not passed it.
    fn travel_limit(
        &mut self,
        evaluator: &Evaluator<'_>,
        (meshes, pair): (&MeshPair, usize),
        enough: f64,
    ) -> f64 {
        match &meshes.thin {
            Some(thin) if thin.travel_limit < enough => {
                let placed = placed_surfaces(evaluator, meshes, pair);
                let apart = self.touch.distance_from_thin(meshes, thin, placed.poses);
                apart.max(thin.travel_limit).min(meshes.travel_limit)
            }
            _ => meshes.travel_limit,
        }
    }

    /// Notes begins and ends of areal contacts in the accepted step from `start`, whose end the evaluator is at.
    pub(crate) fn note_mesh_changes(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        (start, change): (f64, Option<&Upcoming>),
        log: &mut Vec<Event>,
    ) -> Result<(), Unseen> {
        let Self { touch, step, begins, .. } = self;
        let view = StepView::new(stepper, step);
        if let Some(&Upcoming { contact, transition: Transition::Close, .. }) = change
            && let Some((meshes, pair)) = mesh_pair(evaluator, contact)
        {
            let poses = placed_surfaces(evaluator, &meshes, pair).poses;
            if behind::meet_from_behind(evaluator, contact, poses, &evaluator.motion_of(contact)) {
                return Err(Unseen::Behind { contact });
            }
        }
        for begin in begins.iter().filter(|begin| begin.after <= view.h) {
            let point = view.touch_at(evaluator, begin.contact, begin.after);
            let (poses, bodies) =
                view.placed_at(evaluator, evaluator.table.contacts[begin.contact].pair, begin.after);
            if behind::meet_from_behind(evaluator, begin.contact, [&poses[0], &poses[1]], &point) {
                return Err(Unseen::Behind { contact: begin.contact });
            }
            let point = entering(evaluator, begin.contact, (&poses, &bodies), point);
            commit::begin_smoothly(evaluator, begin.contact, start + begin.after, &point, log);
        }
        for slot in 0..evaluator.contacts.active.len() {
            let contact = evaluator.contacts.active[slot];
            let memory = evaluator.contacts.memory[contact];
            let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { continue };
            if memory.mode == ContactMode::Open && !memory.watched {
                continue;
            }
            if evaluator.forces[slot].is_felt()
                && behind::are_apart(touch, evaluator, (&meshes, pair), memory.triangles)
            {
                return Err(Unseen::Behind { contact });
            }
            if memory.mode == ContactMode::Open {
                continue;
            }
            if regions::swallows_part(evaluator, contact) {
                return Err(Unseen::Inside { contact });
            }
            if memory.begin >= start {
                let bodies = evaluator.table.pairs[pair].bodies;
                let in_one_tree = evaluator.system.mechanics.is_in_one_tree(bodies);
                if regions::is_from_behind(evaluator, contact, step.relative_travel(bodies, in_one_tree)) {
                    return Err(Unseen::Behind { contact });
                }
            }
            if evaluator.forces[slot].is_felt() {
                let normal = evaluator.forces[slot].point.normal;
                let memory = &mut evaluator.contacts.memory[contact];
                (memory.unfelt, memory.normal) = (0.0, normal);
                continue;
            }
            let placed = placed_surfaces(evaluator, &meshes, pair);
            if let Some(triangles) = touch.touching(&meshes, placed.poses, memory.triangles) {
                let point = touch_motion(&meshes, &placed, triangles);
                // Along the normal with which they met, or were felt last: surfaces that slide past each other come no deeper.
                let parting = point.sliding - point.normal * point.approach;
                let depth = memory.unfelt - memory.normal.dot(&parting) * view.h;
                let limit = meshes.unfelt_limit;
                // What rolls over edges, or slides from one face onto the next, has come along, but not deeper by as much.
                let is_deep =
                    depth > limit && !touch.part_by(&meshes, placed.poses, triangles, memory.normal * limit);
                let memory = &mut evaluator.contacts.memory[contact];
                memory.triangles = triangles;
                memory.unfelt = depth.clamp(0.0, limit);
                if is_deep {
                    return Err(Unseen::Overlap { contact, depth });
                }
                continue;
            }
            if touch.is_inside(&meshes, placed.poses) {
                return Err(Unseen::Inside { contact });
            }
            let begun = (memory.begin - start).max(0.0);
            let (after, triangles) =
                touch.find_parting(&view, evaluator, &meshes, pair, begun, memory.triangles);
            evaluator.contacts.memory[contact].triangles = triangles;
            let point = view.touch_at(evaluator, contact, after);
            commit::end_smoothly(evaluator, contact, start + after, &point, log);
        }
        Ok(())
    }
}
