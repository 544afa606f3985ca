//! Contact of two convex solids: the last answer if it still holds, else a search.

mod cache;
mod follow;
mod found;
mod overlap;
mod search;

use std::fmt;

use carom_math::Pose;

use super::ConvexShape;
use super::difference::{Difference, Pair};
use super::expand::Buffers;
use crate::ContactPoint;

pub use cache::ConvexCache;
use follow::{Followed, follow};
use overlap::find_rivals;
use search::search;

/// Why no contact was found: the search reached its limit. The caller names the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvexFault {
    /// Distance of cores apart: more than 500 iterations.
    Distance,
    /// Depth of overlapping cores: more than 255 vertices.
    Depth,
}

impl fmt::Display for ConvexFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Distance => "distance",
            Self::Depth => "depth",
        };
        write!(f, "the search for the {what} reached its limit")
    }
}

impl std::error::Error for ConvexFault {}

/// Buffers of the searches: make one per thread and use it for all pairs. Nothing in it outlives a call.
#[derive(Clone, Debug)]
pub struct ConvexWorkspace {
    buffers: Buffers,
}

impl ConvexWorkspace {
    /// Allocates everything that any search needs.
    pub fn new() -> Self {
        Self { buffers: Buffers::new() }
    }
}

impl Default for ConvexWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

/// A contact of two convex solids.
#[derive(Clone, Copy, Debug)]
pub struct ConvexContact {
    /// Gap, normal and surface points in world axes. The gap is the distance of solids apart, and minus the minimum
    /// translation of solids that overlap.
    pub point: ContactPoint,
    /// Start for the next search.
    pub cache: ConvexCache,
}

/// Nearest points of two convex solids apart, or the minimum translation of two that overlap.
///
/// With core distance d and rounding radii r the gap is d − r_A − r_B: continuous through contact, exact to rounding
/// of the relative coordinates. Where the minimum is not unique (parallel faces, medial axes) one of the
/// answers is given; gap and, but for medial axes, normal do not depend on which.
pub fn find_convex_contact(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    cache: &ConvexCache,
    workspace: &mut ConvexWorkspace,
) -> Result<ConvexContact, ConvexFault> {
    let difference = Difference::new(&a.core, x_wa, &b.core, x_wb);
    let mut start = [Pair::EMPTY; 4];
    let count = usize::from(cache.count);
    for (pair, (point_a, point_b)) in start.iter_mut().zip(&cache.points[..count]) {
        *pair = difference.pair(*point_a, *point_b);
    }
    // Read by the search until it knows the answer, and then written.
    let mut next = *cache;
    let (start, buffers) = (&start[..count], &mut workspace.buffers);
    let found = match follow(&difference, &mut next, start) {
        Followed::Answer(found) => found,
        Followed::Minimum(found) => find_rivals(&difference, found, &mut next, start, buffers)?,
        Followed::Lost => search(&difference, &mut next, start, buffers)?,
    };
    let normal = x_wa.rotation * found.normal;
    let gap = found.gap - (a.radius + b.radius);
    let point_a = x_wa.transform_point(&(found.point_a + a.radius * found.normal));
    let point = ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal };
    Ok(ConvexContact { point, cache: next })
}
