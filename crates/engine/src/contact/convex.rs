//! Convex solids: one contact a pair. Its gap is their distance, or minus their minimum translation; its force is the sum of
//! those at the points of a manifold.

use std::cell::RefCell;

use carom_geometry::ContactPoint;
use carom_geometry::convex::{
    ConvexCache, ConvexWorkspace, Manifold, find_contact_mpr, find_convex_contact, find_half_space_contact,
    find_half_space_manifold, find_manifold,
};
use carom_math::Pose;

use super::placed::Placed;
use super::point::motion_at;
use super::search_fault::SearchFault;
use super::{Evaluator, PointMotion};
use crate::model::{Detection, Solid};
use crate::system::{ConvexPair, System};

/// What rounding and the searches leave of a gap, over the largest coordinate, in units in the last place: 1e-12 where
/// surfaces are curved.
pub(super) const SEARCH_ULPS: f64 = 600.0;

/// Searches of a run. Nothing but the fault outlives a call.
pub(crate) struct ConvexSearch {
    workspace: RefCell<ConvexWorkspace>,
    manifold: RefCell<Manifold>,
    /// The contact that a search has failed for.
    fault: RefCell<Option<(usize, SearchFault)>>,
}

/// A point of a manifold: its motion and its share of the force at equal depths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManifoldMotion {
    pub(crate) motion: PointMotion,
    pub(crate) weight: f64,
}

impl ConvexSearch {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            workspace: RefCell::new(ConvexWorkspace::new()),
            manifold: RefCell::new(Manifold::for_shapes(system.solids.iter().filter_map(Solid::convex))),
            fault: RefCell::new(None),
        }
    }

    /// The contact whose search has failed first since the last attempt.
    pub(crate) fn fault(&self) -> Option<(usize, SearchFault)> {
        *self.fault.borrow()
    }

    /// Keeps why a contact could not be found, if it is the first since the last attempt.
    pub(super) fn note_fault(&self, contact: usize, fault: SearchFault) {
        self.fault.borrow_mut().get_or_insert((contact, fault));
    }

    /// Forgets what has failed: another attempt is made.
    pub(crate) fn forget_fault(&self) {
        self.fault.take();
    }

    /// Contact point of a pair, as the search takes its surfaces, and the start of the next search. After a fault the gap is
    /// not a number, and the first fault is kept.
    pub(crate) fn find(
        &self,
        system: &System,
        pair: &ConvexPair,
        contact: usize,
        placed: &Placed<'_>,
        cache: &ConvexCache,
    ) -> (ContactPoint, ConvexCache) {
        self.search(system, pair, placed, cache).unwrap_or_else(|fault| {
            self.note_fault(contact, fault);
            (ContactPoint { gap: f64::NAN, ..ContactPoint::ZERO }, *cache)
        })
    }

    fn search(
        &self,
        system: &System,
        pair: &ConvexPair,
        placed: &Placed<'_>,
        cache: &ConvexCache,
    ) -> Result<(ContactPoint, ConvexCache), SearchFault> {
        let [a, b] = pair.surfaces.map(|s| system.solids[s].convex());
        let [x_wa, x_wb] = placed.poses;
        let a = a.expect("the first of a convex pair is a solid");
        let Some(b) = b else { return Ok((find_half_space_contact(a, x_wa, x_wb), *cache)) };
        let found = find_convex_contact(a, x_wa, b, x_wb, cache, &mut self.workspace.borrow_mut())
            .map_err(SearchFault::Convex)?;
        let point = match pair.detection {
            // A portal apart says no more than that there is a gap, which begins and ends the contact.
            Detection::Mpr(options) if found.point.gap < 0.0 => {
                find_contact_mpr(a, x_wa, b, x_wb, &options).map_err(SearchFault::Mpr)?
            }
            Detection::Mpr(_) | Detection::MinimumTranslation => found.point,
        };
        Ok((point, found.cache))
    }

    /// Adds the points that carry the contact that a search has found.
    pub(crate) fn collect_points(
        &self,
        system: &System,
        pair: &ConvexPair,
        placed: &Placed<'_>,
        point: &ContactPoint,
        points: &mut Vec<ManifoldMotion>,
    ) {
        if point.gap.is_nan() {
            return;
        }
        let [a, b] = pair.surfaces.map(|s| system.solids[s].convex());
        let [x_wa, x_wb] = placed.poses;
        let manifold = &mut *self.manifold.borrow_mut();
        match (a, b) {
            (Some(a), Some(b)) => find_manifold(a, x_wa, b, x_wb, point, manifold),
            (Some(a), None) => find_half_space_manifold(a, x_wa, point, manifold),
            (None, _) => return,
        }
        points.extend(
            manifold
                .points()
                .iter()
                .map(|p| ManifoldMotion { motion: of_model(pair, &p.point, placed), weight: p.weight }),
        );
    }
}

/// Points of a contact that are no farther apart than `skin` (m), where the evaluator is: those of the surfaces that carry once they are that much nearer.
pub(crate) fn points_within(
    evaluator: &Evaluator<'_>,
    contact: usize,
    pair: &ConvexPair,
    motion: &PointMotion,
    skin: f64,
) -> Vec<ManifoldMotion> {
    let bodies = evaluator.table.pairs[evaluator.table.contacts[contact].pair].bodies;
    let placed = Placed::of(pair.surfaces, bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    // Along the normal that was found, which is that of the search or against it: another search there could find another one.
    let normal = if pair.swapped { -motion.normal } else { motion.normal };
    let nearer = Pose { translation: placed.poses[1].translation - normal * skin, ..*placed.poses[1] };
    let moved = Placed { poses: [placed.poses[0], &nearer], bodies: placed.bodies };
    let half = 0.5 * motion.gap * normal;
    let found = ContactPoint {
        gap: motion.gap - skin,
        normal,
        point_a: motion.position - half,
        point_b: motion.position + half - normal * skin,
    };
    let mut points = Vec::new();
    evaluator.search.collect_points(&evaluator.system, pair, &moved, &found, &mut points);
    for ManifoldMotion { motion, .. } in &mut points {
        motion.position += 0.5 * skin * normal;
        motion.gap += skin;
    }
    points
}

/// A contact point of a search with its motion, in the model's order.
pub(crate) fn of_model(pair: &ConvexPair, point: &ContactPoint, placed: &Placed<'_>) -> PointMotion {
    let point = if pair.swapped { point.swapped() } else { *point };
    let size = placed.poses.iter().map(|x| x.translation.amax()).fold(point.position().amax(), f64::max);
    motion_at(&point, placed.bodies, SEARCH_ULPS * size)
}
