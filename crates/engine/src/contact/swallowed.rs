//! Surfaces of which one lies inside the other: nothing pushes there, so a state may look like rest (certificates.md 2).

use carom_geometry::clearance::{ClearanceWorkspace, contained, touching};

use super::Evaluator;
use super::areal::between;
use super::placed::Placed;
use crate::system::PairSource;

impl Evaluator<'_> {
    /// An areal pair, by its index, of whose surfaces one is inside the other at the present state, and no triangles touch.
    pub(crate) fn swallowed(&self) -> Option<usize> {
        let mut workspace = ClearanceWorkspace::new();
        self.table.pairs.iter().position(|pair| {
            let PairSource::Areal(areal) = &pair.source else { return false };
            let placed = Placed::of(areal.surfaces, pair.bodies, (&self.surfaces, &self.bodies));
            let [a, b] = &areal.trees;
            let x_ab = between(placed.poses[0], placed.poses[1]);
            touching(a, b, &x_ab, None, &mut workspace).is_none() && contained(a, b, &x_ab).is_some()
        })
    }
}
