//! Open rigid contacts of faces that lie on each other, to what errors leave of flat: what happens to one of them is theirs, too.

use super::observe::gap_epsilon;
use super::rigid::{OVERLAP, STILL};
use super::{Evaluator, PointMotion};
use crate::record::ContactMode;
use crate::system::PairSource;

/// Does an open rigid contact of polyhedra, or of outlines, touch where others strike, and does not part? It is struck with them: one corner
/// after the other would set a block that comes down flat, or that lies on another, rocking through thousands of impacts in no time.
pub(super) fn lies_flush(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    let scales = &evaluator.system.scales;
    let data = &evaluator.table.contacts[contact];
    let touches = evaluator.table.is_rigid(contact)
        && evaluator.contacts.memory[contact].mode == ContactMode::Open
        && point.gap <= OVERLAP * scales.length
        && point.approach >= -STILL * scales.velocity;
    touches
        && match &evaluator.table.pairs[data.pair].source {
            PairSource::Facets(pair) => {
                let [a, b] = pair.surfaces.map(|surface| &evaluator.surfaces[surface]);
                pair.facets.is_alone(data.feature, a, b)
            }
            // A round end that is not flat touches with one point (`rims::lands`).
            PairSource::Rims(_) => false,
            _ => true,
        }
}

/// Does an open contact lie where one of the same pair leaves its face? It may have to carry from now on.
pub(super) fn takes_over(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    evaluator.contacts.memory[contact].mode == ContactMode::Open
        && point.gap <= gap_epsilon(point)
        && point.approach >= -STILL * evaluator.system.scales.velocity
}
