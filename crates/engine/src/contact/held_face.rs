//! What a rigid contact of a polyhedron or a polygon is held on, a face, an edge or a vertex, and where that ends.

use carom_geometry::Shape;
use carom_geometry::planar::{other_piece, piece_after, piece_under, room_on_piece};
use carom_math::Pose;

use super::Evaluator;
use super::planar::edges_of;
use crate::system::{PairSource, PlanarPair};

/// Shapes of two outlines and where the evaluator is with them.
fn outlines<'e>(evaluator: &'e Evaluator<'_>, pair: &PlanarPair) -> [(&'e Shape, &'e Pose); 2] {
    pair.surfaces.map(|s| (&evaluator.system.surfaces[s].shape, &evaluator.surfaces[s]))
}

/// The face, edge or vertex that a contact begins on where the evaluator is; 0 where there is none.
pub(super) fn face_under(evaluator: &Evaluator<'_>, contact: usize) -> u32 {
    let data = &evaluator.table.contacts[contact];
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Facets(pair) => {
            let [x_wa, x_wb] = pair.surfaces.map(|s| &evaluator.surfaces[s]);
            pair.facets.contact(data.feature, x_wa, x_wb, None).1 as u32
        }
        PairSource::Planar(pair) => {
            let [a, b] = outlines(evaluator, pair);
            piece_under(a, b, pair.primary(data.feature), edges_of(evaluator, pair, contact)) as u32
        }
        _ => 0,
    }
}

/// How far a closed contact is from the end of its piece, or of its edges, where the evaluator is (m); infinite of all others.
pub(super) fn room_left(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    let data = &evaluator.table.contacts[contact];
    let face = evaluator.contacts.memory[contact].face as usize;
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Facets(pair) => {
            let [x_wa, x_wb] = pair.surfaces.map(|s| &evaluator.surfaces[s]);
            pair.facets.room(data.feature, x_wa, x_wb, face)
        }
        PairSource::Planar(pair) => {
            let [a, b] = outlines(evaluator, pair);
            room_on_piece(a, b, pair.primary(data.feature), face)
        }
        _ => f64::INFINITY,
    }
}

/// Takes the edge that a vertex has come to over a corner that is straight.
pub(super) fn follow_edge(evaluator: &mut Evaluator<'_>, contact: usize) {
    let data = &evaluator.table.contacts[contact];
    if let PairSource::Planar(pair) = &evaluator.table.pairs[data.pair].source {
        let [a, b] = outlines(evaluator, pair);
        let edge = evaluator.contacts.memory[contact].face as usize;
        let edge = piece_after(a, b, pair.primary(data.feature), edge) as u32;
        evaluator.contacts.memory[contact].face = edge;
    }
}

/// Takes the next piece, where it leaves one, of what is round: of a circle's feature an edge or the corner at its start, of a rounded
/// solid a face, edge or vertex; false where the contact ends.
pub(super) fn goes_on(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let data = &evaluator.table.contacts[contact];
    let piece = evaluator.contacts.memory[contact].face as usize;
    let other = match &evaluator.table.pairs[data.pair].source {
        PairSource::Planar(pair) => {
            let [a, b] = outlines(evaluator, pair);
            other_piece(a, b, pair.primary(data.feature), piece)
        }
        PairSource::Facets(pair) => {
            let [x_wa, x_wb] = pair.surfaces.map(|s| &evaluator.surfaces[s]);
            pair.facets.next_piece(data.feature, x_wa, x_wb, piece)
        }
        _ => None,
    };
    if let Some(piece) = other {
        evaluator.contacts.memory[contact].face = piece as u32;
    }
    other.is_some()
}
