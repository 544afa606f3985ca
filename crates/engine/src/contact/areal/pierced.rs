use carom_geometry::polygonal::ElementHit;

use super::active;
use crate::contact::Evaluator;
use crate::system::WALL_DEPTH;

/// An element that is deeper behind a wall of the target than it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pierced {
    pub(crate) depth: f64,
    /// Thickness of the wall (m).
    pub(crate) wall: f64,
}

impl Pierced {
    /// That of a contact in the last evaluation.
    pub(in crate::contact) fn last(evaluator: &Evaluator<'_>, contact: usize) -> Option<Self> {
        evaluator.areal.get(evaluator.table.contacts[contact].pair)?.as_ref()?.pierced
    }

    /// The one that is deepest for its wall.
    pub(super) fn find(hits: &[ElementHit], walls: &[f64]) -> Option<Self> {
        let share = |pierced: &Self| pierced.depth / pierced.wall;
        let all = active(hits).map(|hit| Self { depth: hit.depth, wall: walls[hit.triangle as usize] });
        all.filter(|one| share(one) > WALL_DEPTH).max_by(|a, b| share(a).total_cmp(&share(b)))
    }
}
