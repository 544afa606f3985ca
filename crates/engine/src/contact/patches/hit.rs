//! Patches that are hit harder than they began: they take the motion in which they are hit hardest, which ends the step.
//!
//! While a patch is hit harder and harder the share r of its law is clamped to 1, and is 1 where it takes the motion: nothing jumps
//! there, if all its elements are hit alike, but r falls from there on against what was taken. Where a step ends must not matter.

use carom_math::Vec3;
use carom_solvers::Stepper;
use carom_solvers::extremum::{Arc, Sample, next_look};

use super::PatchGroups;
use super::groups::to_grid;
use super::regroup::{find_groups, keep_groups};
use crate::contact::areal::begin::{BeginMotion, PassMotion};
use crate::contact::areal::{self, active, in_pass};
use crate::contact::meshes::approach;
use crate::contact::placed::Placed;
use crate::contact::{Ahead, Evaluator, Observer, PointMotion, StepView, Transition, Upcoming, commit, load};
use crate::record::{ContactMode, Event, EventKind};
use crate::system::{ArealPair, ArealPass};

/// What is harder by less than this share is no harder.
const HARDER: f64 = 1e-6;
/// Harder by this much than what is known of it is an event; weight and rounding always press a little more than the
/// approach alone.
const TOLD: f64 = 1.1;
/// Looks for the hardest hit in a step at most.
const LOOKS: usize = 12;
/// A hit that was hardest where the step began ends it after this share: it is flat there.
const AT_ONCE: f64 = 1e-3;

/// Means over the elements of a patch, weighted by the forces of their layers: sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hit {
    load: f64,
    /// Approach speed now, and that which restitution is measured against (N m/s).
    now: f64,
    reference: f64,
    /// Where (N m).
    place: Vec3,
}

/// What patches take of an accepted state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// How fast they are hit.
    Speed,
    /// That, and the motion if it is harder than before.
    Motion,
}

impl Hit {
    fn add(
        &mut self,
        pass: &ArealPass,
        motion: &PassMotion<'_>,
        element: &carom_geometry::polygonal::BaseElement,
        load: f64,
    ) {
        self.load += load;
        self.now -= load * element.normal.dot(&motion.now.at(&element.barycentre));
        self.reference += load * pass.law.reference_speed(motion.approach_at_begin(element));
    }

    /// By how much it is harder (m/s).
    fn excess(&self) -> f64 {
        (self.now - (1.0 + HARDER) * self.reference) / self.load
    }
}

impl Observer {
    /// Where a patch of a closed contact is hit hardest in the attempted step, and harder than before. The evaluator is at its end.
    pub(in crate::contact) fn find_hit(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
    ) -> Ahead {
        let Some((areal, pair)) = areal::areal_pair(evaluator, contact) else { return Ahead::Nothing };
        if !areal.keeps_approach() || !approach::is_felt(evaluator, contact) {
            return Ahead::Nothing;
        }
        let view = StepView::new(stepper, &self.step);
        let mut groups = find_groups(evaluator, &areal, pair);
        add_hits(evaluator, (&areal, pair), &mut groups);
        let (mut first, mut has_looked) = (Ahead::Nothing, false);
        for group in 0..groups.groups.len() {
            let Some(patch) = groups.groups[group].patch else { continue };
            let patch = &evaluator.contacts.books[pair].patches[patch as usize];
            let end = groups.hits[group].excess();
            // It began with what it is measured against.
            let ([before, start], lag) =
                if patch.load > 0.0 { (patch.excess, patch.lag) } else { ([0.0; 2], 0.0) };
            let looks_at = if lag > 0.0 {
                Arc::of_three(before, lag / view.h, start, end).turn(start.max(end).max(0.0))
            } else {
                // Nothing tells its bend: it is taken to rise no more than it changes.
                (start.max(end) + (end - start).abs() > 0.0 && start != end).then_some(0.5)
            };
            let is_over = start > 0.0 && end < start;
            if looks_at.is_none() && !is_over {
                continue;
            }
            has_looked |= looks_at.is_some();
            let mut excess =
                |at: f64| excess_at(evaluator, &view, (&areal, pair), (&groups, group), at * view.h);
            let top = find_top([start, end], looks_at, &mut excess);
            if top.value > 0.0 && top.at < 1.0 {
                let after = top.at.max(AT_ONCE) * view.h;
                first.take(Ahead::Change(Upcoming { after, contact, transition: Transition::Hit }));
            }
        }
        if has_looked {
            load::return_areal(evaluator, pair);
        }
        keep_groups(evaluator, groups);
        first
    }
}

/// The greatest of what is known at both ends of a step, θ = 0 and 1, and what looks from a first one on find.
fn find_top(ends: [f64; 2], mut next: Option<f64>, value: &mut dyn FnMut(f64) -> f64) -> Sample {
    let sample = |at: f64, value: f64| Sample { at, value, rate: None };
    let mut samples = [sample(1.0, ends[1]); 2 + LOOKS];
    samples[0] = sample(0.0, ends[0]);
    let mut len = 2;
    while let Some(at) = next.filter(|_| len < samples.len()) {
        let index = samples[..len].partition_point(|other| other.at < at);
        samples.copy_within(index..len, index + 1);
        samples[index] = sample(at, value(at));
        len += 1;
        next = next_look(&samples[..len]);
    }
    samples[..len].iter().copied().reduce(|a, b| if b.value > a.value { b } else { a }).unwrap_or(samples[0])
}

/// By how much a patch is hit harder so long after the start of the step (m/s).
fn excess_at(
    evaluator: &mut Evaluator<'_>,
    view: &StepView<'_>,
    (areal, pair): (&ArealPair, usize),
    (groups, group): (&PatchGroups, usize),
    after: f64,
) -> f64 {
    let (poses, bodies) = view.placed_at(evaluator, pair, after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    let Some(workspace) = evaluator.areal[pair].as_mut() else { return f64::NAN };
    let mut hit = Hit::default();
    for (number, (pass, workspace)) in areal.passes.iter().zip(&mut workspace.passes).enumerate() {
        let in_order = in_pass(pass, &placed);
        if workspace.search(pass, in_order.poses).is_err() {
            return f64::NAN;
        }
        let to_grid = to_grid(number, areal, &placed);
        let motion = PassMotion::new(areal, &in_order, Some(&evaluator.contacts.books[pair]), number);
        for found in active(&workspace.hits) {
            let element = workspace.element(pass, found.element);
            let place =
                to_grid.as_ref().map_or(element.barycentre, |x| x.transform_point(&element.barycentre));
            if groups.is_at(&areal.grid.cell(&place), group) {
                hit.add(pass, &motion, &element, pass.law.stiffness * found.depth * element.area);
            }
        }
    }
    hit.excess()
}

/// Sums up how the groups are hit, where the evaluator is.
fn add_hits(evaluator: &Evaluator<'_>, (areal, pair): (&ArealPair, usize), groups: &mut PatchGroups) {
    let mut hits = std::mem::take(&mut groups.hits);
    hits.clear();
    hits.resize(groups.groups.len(), Hit::default());
    let data = &evaluator.table.pairs[pair];
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    let passes = evaluator.areal[pair].iter().flat_map(|workspace| &workspace.passes);
    for (number, (pass, workspace)) in areal.passes.iter().zip(passes).enumerate() {
        let placed = in_pass(pass, &placed);
        let motion = PassMotion::new(areal, &placed, Some(&evaluator.contacts.books[pair]), number);
        for mark in groups.marks.iter().filter(|mark| mark.pass as usize == number) {
            let element = workspace.element(pass, workspace.hits[mark.hit as usize].element);
            let hit = &mut hits[groups.group_of(&mark.cell)];
            hit.add(pass, &motion, &element, mark.load);
            hit.place += placed.poses[0].transform_point(&element.barycentre) * mark.load;
        }
    }
    groups.hits = hits;
}

/// Takes what an accepted state, where the evaluator is and whose groups it has, and the step before it tell of the patches. Has one
/// taken the motion?
pub(super) fn take_hits(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (areal, pair): (&ArealPair, usize),
    (step, time): (f64, f64),
    taken: Taken,
) -> bool {
    if !areal.keeps_approach() {
        return false;
    }
    let mut has_taken = false;
    let mut groups = std::mem::take(&mut evaluator.groups);
    add_hits(evaluator, (areal, pair), &mut groups);
    let data = &evaluator.table.pairs[pair];
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    let motion = BeginMotion::of(areal, &placed);
    for (group, hit) in groups.groups.iter().zip(&groups.hits) {
        let Some(patch) = group.patch else { continue };
        let patch = &mut evaluator.contacts.books[pair].patches[patch as usize];
        let is_harder = hit.load > 0.0 && hit.excess() > 0.0;
        patch.is_hit &= is_harder;
        (patch.excess, patch.lag) = ([patch.excess[1], hit.excess()], step);
        if is_harder && taken == Taken::Motion {
            patch.motion = Some(motion);
            (patch.hit_speed, patch.hit_at) = (hit.now / hit.load, time);
            patch.hit_place = hit.place / hit.load;
            (patch.is_hit, patch.excess[1]) = (true, 0.0);
            evaluator.contacts.memory[contact].frozen_approach = patch.hit_speed;
            has_taken = true;
        }
    }
    evaluator.groups = groups;
    has_taken
}

/// Where a run goes on after something that may have changed forces or velocities, as the evaluator is, patches are hit as they
/// are there. Has one taken the motion?
pub(crate) fn take_fresh_hits(evaluator: &mut Evaluator<'_>, time: f64) -> bool {
    let mut has_taken = false;
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        let Some((areal, pair)) = areal::areal_pair(evaluator, contact) else { continue };
        let is_open = evaluator.contacts.memory[contact].mode == ContactMode::Open;
        if is_open || !areal.keeps_approach() || !approach::is_felt(evaluator, contact) {
            continue;
        }
        let groups = find_groups(evaluator, &areal, pair);
        keep_groups(evaluator, groups);
        has_taken |= take_hits(evaluator, contact, (&areal, pair), (0.0, time), Taken::Motion);
    }
    has_taken
}

/// Notes those that were hit harder, and are not any more or are `over`.
pub(in crate::contact) fn note_hits(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    over: impl Fn(usize) -> bool,
    log: &mut Vec<Event>,
) {
    let pair = evaluator.table.contacts[contact].pair;
    for index in 0..evaluator.contacts.books[pair].patches.len() {
        let patch = evaluator.contacts.books[pair].patches[index];
        if !patch.hit_at.is_finite() || (patch.is_hit && !over(index)) {
            continue;
        }
        let speed = patch.hit_speed;
        let is_event = speed >= TOLD * patch.noted_speed;
        if is_event {
            let memory = &evaluator.contacts.memory[contact];
            let (gap, normal, position) = (memory.gap, memory.normal, patch.hit_place);
            let point = PointMotion { gap, normal, position, approach: speed, ..PointMotion::NEVER };
            let event = commit::event_with_speed(
                evaluator,
                EventKind::HitHarder,
                contact,
                patch.hit_at,
                &point,
                speed,
            );
            log.push(event);
        }
        let patch = &mut evaluator.contacts.books[pair].patches[index];
        (patch.hit_at, patch.is_hit) = (f64::INFINITY, false);
        patch.noted_speed = if is_event { speed } else { patch.noted_speed };
    }
}
