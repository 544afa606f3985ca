//! Where in a step the regions of a contact merge, split or begin, and which of that ends the step.
//!
//! A law by depth jumps where regions merge or split: a step ends there. A region that begins ends a step if its law keeps an
//! approach speed and the nearest one's will not do for it, or if the law jumps at touch. One that ends while others press ends a
//! step if its law damps: what it lost has a kink there, which the error estimate of a step sees only by chance. A law by volume
//! without damping goes on through all of it.

use carom_math::Vec3;
use carom_solvers::Stepper;

use super::book::{BegunRegion, RegionBook, nearest};
use super::{RegionWorkspace, force_at, region_pair};
use crate::contact::meshes::entry::ahead;
use crate::contact::placed::Placed;
use crate::contact::{Ahead, ContactForce, Evaluator, Observer, StepView, Transition, Upcoming};
use crate::law::NormalLaw;
use crate::system::{RegionPair, RegionResponse};

/// Share of a step within which a change that ends it is located, and of one that is only noted.
const EVENT_SHARE: f64 = 1e-12;
const NOTE_SHARE: f64 = 1e-9;
/// Units in the last place of the time, likewise.
const TIME_ULPS: f64 = 4.0;
/// The step goes so many times that far beyond the change: the state that it ends in has seen it.
const BEYOND: f64 = 4.0;
/// A region whose surfaces approach each other as fast as those of the nearest one did when it began, but for this share, has
/// its beginning: on an annular seat they come in by the dozen.
const SHARED: f64 = 0.01;

/// A contact by regions in an attempted step.
pub(super) struct Sought<'a> {
    pub(super) view: &'a StepView<'a>,
    pub(super) contact: usize,
    pub(super) pair: usize,
}

impl Sought<'_> {
    /// Takes the contact's regions to a time of the step, and returns their force.
    pub(super) fn look(&self, evaluator: &mut Evaluator<'_>, after: f64) -> Option<ContactForce> {
        let (poses, bodies) = self.view.placed_at(evaluator, self.pair, after);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        force_at(evaluator, self.contact, &placed)
    }

    /// The same a little beyond that time, for what begins to touch at a place then: of what the surfaces share at the touch rounding
    /// alone makes the direction.
    pub(super) fn look_ahead(&self, evaluator: &mut Evaluator<'_>, after: f64, place: &Vec3) {
        let (poses, bodies) = self.view.placed_at(evaluator, self.pair, after);
        let Some(meshes) = evaluator.table.pairs[self.pair].source.meshes() else { return };
        let Some(ahead) = ahead(meshes, &poses[1], &bodies, place) else { return };
        let placed = Placed { poses: [&poses[0], &ahead], bodies: [&bodies[0], &bodies[1]] };
        force_at(evaluator, self.contact, &placed);
    }

    /// Narrows the times between which something becomes true of the regions down to a share of the step. Leaves the regions
    /// anywhere.
    fn narrow(
        &self,
        evaluator: &mut Evaluator<'_>,
        [mut before, mut after]: [f64; 2],
        share: f64,
        is_true: &dyn Fn(&RegionWorkspace, &RegionBook) -> bool,
    ) -> [f64; 2] {
        let least = self.least_time(evaluator, share);
        while after - before > least {
            let middle = 0.5 * (before + after);
            let half = if self.holds(evaluator, middle, is_true) { &mut after } else { &mut before };
            *half = middle;
        }
        [before, after]
    }

    fn least_time(&self, evaluator: &Evaluator<'_>, share: f64) -> f64 {
        let end = evaluator.workspace.time + self.view.h;
        (share * self.view.h).max(TIME_ULPS * f64::EPSILON * end)
    }

    fn holds(
        &self,
        evaluator: &mut Evaluator<'_>,
        after: f64,
        is_true: &dyn Fn(&RegionWorkspace, &RegionBook) -> bool,
    ) -> bool {
        self.look(evaluator, after);
        let book = &evaluator.contacts.region_books[self.pair];
        evaluator.regions[self.pair].as_ref().is_some_and(|workspace| is_true(workspace, book))
    }

    /// When something becomes true that is true at the end of the step, at `from` or later; none if it is true there.
    pub(super) fn when(
        &self,
        evaluator: &mut Evaluator<'_>,
        from: f64,
        is_true: &dyn Fn(&RegionWorkspace, &RegionBook) -> bool,
    ) -> Option<f64> {
        if self.holds(evaluator, from, is_true) {
            return None;
        }
        Some(self.narrow(evaluator, [from, self.view.h], NOTE_SHARE, is_true)[1])
    }
}

/// Do two regions or more merge, or does one split?
fn regroups(workspace: &RegionWorkspace, book: &RegionBook) -> bool {
    let merges = (0..workspace.loads.len()).any(|found| workspace.lineage.parents(found).len() > 1);
    merges || (0..book.regions.len()).any(|begun| workspace.lineage.children(begun) > 1)
}

/// Does a region begin that needs a beginning of its own?
fn begins(workspace: &RegionWorkspace, book: &RegionBook, law: &NormalLaw) -> bool {
    let is_new = |found: usize| workspace.lineage.parents(found).is_empty();
    (0..workspace.loads.len()).any(|found| is_new(found) && !shares_beginning(workspace, found, book, law))
}

/// Will the beginning of the nearest region do for a new one?
pub(super) fn shares_beginning(
    workspace: &RegionWorkspace,
    found: usize,
    book: &RegionBook,
    law: &NormalLaw,
) -> bool {
    // A law that keeps no speed has one beginning for all.
    if law.frozen_damping(1.0, 1.0) == 0.0 {
        return true;
    }
    if law.jumps_at_touch() {
        return false;
    }
    let own = law.frozen_approach(workspace.loads[found].motion.approach);
    let known = nearest(book, &workspace.search.regions()[found].point);
    known.is_none_or(|known| (own - known.speed).abs() <= SHARED * known.speed)
}

/// Has one ended that has lost, in what led there, more than the tolerance of the losses (J)? The last one ends with the contact.
fn ends(workspace: &RegionWorkspace, book: &RegionBook, law: &NormalLaw, tolerance: f64) -> bool {
    let is_end = |(index, begun): (usize, &BegunRegion)| {
        begun.is_seen() && begun.stored > tolerance && workspace.lineage.is_over(index)
    };
    law.frozen_damping(1.0, 1.0) != 0.0
        && !workspace.loads.is_empty()
        && book.regions.iter().enumerate().any(is_end)
}

/// Does what has become of the regions end a step?
fn ends_step(
    workspace: &RegionWorkspace,
    book: &RegionBook,
    (regions, law): (&RegionPair, &NormalLaw),
    tolerance: f64,
) -> bool {
    let is_by_depth = matches!(regions.response, RegionResponse::Depth);
    (is_by_depth && regroups(workspace, book))
        || begins(workspace, book, law)
        || ends(workspace, book, law, tolerance)
}

impl Observer {
    /// A change of the regions of a closed contact that ends the attempted step, whose end the evaluator is at.
    pub(in crate::contact) fn find_region_change(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
    ) -> Ahead {
        let Some((regions, pair)) = region_pair(evaluator, contact) else { return Ahead::Nothing };
        let law = evaluator.table.contacts[contact].law;
        let tolerance = evaluator.system.tolerances.quadrature.unwrap_or(f64::INFINITY);
        let ends = |workspace: &RegionWorkspace, book: &RegionBook| {
            ends_step(workspace, book, (&regions, &law), tolerance)
        };
        evaluator.contacts.region_books[pair].awaited = None;
        let book = &evaluator.contacts.region_books[pair];
        if !evaluator.regions[pair].as_ref().is_some_and(|workspace| ends(workspace, book)) {
            return Ahead::Nothing;
        }
        let view = StepView::new(stepper, &self.step);
        let sought = Sought { view: &view, contact, pair };
        let [before, after] = sought.narrow(evaluator, [0.0, view.h], EVENT_SHARE, &ends);
        return_regions(evaluator, contact);
        let least = sought.least_time(evaluator, EVENT_SHARE);
        let beyond = (after + BEYOND * least).min(view.h);
        evaluator.contacts.region_books[pair].awaited = Some(beyond - before + BEYOND * least);
        Ahead::Change(Upcoming { after: beyond, contact, transition: Transition::Regroup })
    }
}

/// Brings the regions of a contact back to where the evaluator is.
pub(crate) fn return_regions(evaluator: &mut Evaluator<'_>, contact: usize) {
    let Some((regions, pair)) = region_pair(evaluator, contact) else { return };
    let bodies = evaluator.table.pairs[pair].bodies;
    let poses = regions.meshes.surfaces.map(|s| evaluator.surfaces[s]);
    let bodies = bodies.map(|b| evaluator.workspace.bodies[b]);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    force_at(evaluator, contact, &placed);
}
