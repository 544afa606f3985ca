//! Convex solids: one contact a pair. Its gap is their distance, or minus their minimum translation; its force is the sum of
//! those at the points of a manifold.

use std::cell::RefCell;

use carom_geometry::ContactPoint;
use carom_geometry::convex::{
    ConvexCache, ConvexFault, ConvexWorkspace, Manifold, find_convex_contact, find_half_space_contact,
    find_half_space_manifold, find_manifold,
};

use super::PointMotion;
use super::placed::Placed;
use super::point::motion_at;
use crate::model::Solid;
use crate::system::{ConvexPair, System};

/// What rounding and the searches leave of a gap, over the largest coordinate, in units in the last place: 1e-12 where
/// surfaces are curved.
const SEARCH_ULPS: f64 = 600.0;

/// Searches of a run. Nothing but the fault outlives a call.
pub(crate) struct ConvexSearch {
    workspace: RefCell<ConvexWorkspace>,
    manifold: RefCell<Manifold>,
    /// The contact that a search has failed for.
    fault: RefCell<Option<(usize, ConvexFault)>>,
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

    /// The contact whose search has failed since this was asked last.
    pub(crate) fn take_fault(&self) -> Option<(usize, ConvexFault)> {
        self.fault.take()
    }

    /// Contact point of a pair with its motion, and the start of the next search. After a fault the gap is not a number.
    pub(crate) fn find(
        &self,
        system: &System,
        pair: &ConvexPair,
        contact: usize,
        placed: &Placed<'_>,
        cache: &ConvexCache,
    ) -> (PointMotion, ConvexCache) {
        let (point, next) = self.search(system, pair, placed, cache).unwrap_or_else(|fault| {
            *self.fault.borrow_mut() = Some((contact, fault));
            (ContactPoint { gap: f64::NAN, ..ContactPoint::ZERO }, *cache)
        });
        (of_model(pair, &point, placed), next)
    }

    fn search(
        &self,
        system: &System,
        pair: &ConvexPair,
        placed: &Placed<'_>,
        cache: &ConvexCache,
    ) -> Result<(ContactPoint, ConvexCache), ConvexFault> {
        let [a, b] = pair.surfaces.map(|s| system.solids[s].convex());
        let [x_wa, x_wb] = placed.poses;
        let a = a.expect("the first of a convex pair is a solid");
        let Some(b) = b else { return Ok((find_half_space_contact(a, x_wa, x_wb), *cache)) };
        let found = find_convex_contact(a, x_wa, b, x_wb, cache, &mut self.workspace.borrow_mut())?;
        Ok((found.point, found.cache))
    }

    /// Adds the points that carry the contact, which a search has found.
    pub(crate) fn collect_points(
        &self,
        system: &System,
        pair: &ConvexPair,
        placed: &Placed<'_>,
        cache: &ConvexCache,
        points: &mut Vec<ManifoldMotion>,
    ) {
        let Ok((point, _)) = self.search(system, pair, placed, cache) else { return };
        let [a, b] = pair.surfaces.map(|s| system.solids[s].convex());
        let [x_wa, x_wb] = placed.poses;
        let manifold = &mut *self.manifold.borrow_mut();
        match (a, b) {
            (Some(a), Some(b)) => find_manifold(a, x_wa, b, x_wb, &point, manifold),
            (Some(a), None) => find_half_space_manifold(a, x_wa, &point, manifold),
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

fn of_model(pair: &ConvexPair, point: &ContactPoint, placed: &Placed<'_>) -> PointMotion {
    let point = if pair.swapped { point.swapped() } else { *point };
    let size = placed.poses.iter().map(|x| x.translation.amax()).fold(point.position().amax(), f64::max);
    motion_at(&point, placed.bodies, SEARCH_ULPS * size)
}
