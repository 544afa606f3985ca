//! What a rigid contact of a polyhedron or a polygon is held on, a face, an edge or a vertex, and where that ends.

use carom_geometry::Shape;
use carom_geometry::convex::Arriving;
use carom_geometry::planar::{other_piece, piece_after, piece_under, room_on_piece};
use carom_math::{Pose, Vec3};

use super::Evaluator;
use super::facets::velocity_at;
use super::planar::edges_of;
use super::rims::{follow_rim, land, room_on_end, turn_over};
use crate::record::ContactMode;
use crate::system::{FacetPair, PairSource, PlanarPair};

/// Over the scale of speeds: what comes more slowly begins on the piece on which it was, if it can.
const SLOW: f64 = 1e-3;

/// Margins of a border within which another contact is at the same place.
const AT_PLACE: f64 = 8.0;

/// Shapes of two outlines and where the evaluator is with them.
fn outlines<'e>(evaluator: &'e Evaluator<'_>, pair: &PlanarPair) -> [(&'e Shape, &'e Pose); 2] {
    pair.surfaces.map(|s| (&evaluator.system.surfaces[s].shape, &evaluator.surfaces[s]))
}

/// Takes the face, edge or vertex that a contact begins on where the evaluator is, if there is one, or how its round end lies.
pub(super) fn begin_on_face(evaluator: &mut Evaluator<'_>, contact: usize) {
    let data = &evaluator.table.contacts[contact];
    let face = match &evaluator.table.pairs[data.pair].source {
        PairSource::Facets(pair) => {
            let velocity = velocity_at(pair, &evaluator.motion_of(contact));
            // Where its bounces come to rest the way that it comes is rounding.
            let memory = &evaluator.contacts.memory[contact];
            let is_slow = velocity.norm() <= SLOW * evaluator.system.scales.velocity;
            let arriving = Arriving {
                piece: (is_slow && memory.begin > 0.0).then_some(memory.face as usize),
                ground: ground_at(evaluator, contact, pair),
            };
            let poses = pair.surfaces.map(|s| &evaluator.surfaces[s]);
            pair.facets.piece_met(data.feature, poses, &velocity, &arriving)
        }
        PairSource::Planar(pair) => {
            let velocity = evaluator.motion_of(contact).velocity();
            let [a, b] = outlines(evaluator, pair);
            let how = (edges_of(evaluator, pair, contact), &velocity);
            piece_under(a, b, pair.primary(data.feature), how)
        }
        PairSource::Rims(_) | PairSource::Convex(_) => return land(evaluator, contact),
        _ => 0,
    };
    evaluator.contacts.memory[contact].face = face as u32;
}

/// The normal along which another closed contact pushes the solid of a vertex at the place where that begins to touch (world axes).
fn ground_at(evaluator: &Evaluator<'_>, contact: usize, pair: &FacetPair) -> Option<Vec3> {
    let table = &evaluator.table;
    let side = usize::from(pair.facets.is_vertex_of_b(table.contacts[contact].feature));
    let own = evaluator.system.surfaces[pair.surfaces[side]].body;
    let place = evaluator.motion_of(contact).position;
    let of_own = evaluator.contacts.active.iter().filter(|&&other| {
        let data = &table.pairs[table.contacts[other].pair];
        let is_closed = evaluator.contacts.memory[other].mode != ContactMode::Open;
        other != contact && data.bodies.contains(&own) && is_closed && data.source.surfaces().is_some()
    });
    let mut pushes = of_own.filter_map(|&other| {
        let motion = evaluator.motion_of(other);
        let is_there = (motion.position - place).norm() <= AT_PLACE * pair.facets.margin();
        let is_b = table.pairs[table.contacts[other].pair].bodies[1] == own;
        is_there.then_some(if is_b { motion.normal } else { -motion.normal })
    });
    pushes.next()
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
        PairSource::Rims(_) | PairSource::Convex(_) => room_on_end(evaluator, contact),
        _ => f64::INFINITY,
    }
}

/// Takes the edge that a vertex has come to over a corner that is straight, and where the lowest point of a rim is.
pub(super) fn follow_face(evaluator: &mut Evaluator<'_>, contact: usize) {
    let data = &evaluator.table.contacts[contact];
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Planar(pair) => {
            let [a, b] = outlines(evaluator, pair);
            let edge = evaluator.contacts.memory[contact].face as usize;
            let edge = piece_after(a, b, pair.primary(data.feature), edge) as u32;
            evaluator.contacts.memory[contact].face = edge;
        }
        PairSource::Rims(_) | PairSource::Convex(_) => follow_rim(evaluator, contact),
        _ => {}
    }
}

/// Takes the next piece, where it leaves one, of what is round: of a circle's feature an edge or the corner at its start, of a rounded
/// solid a face, edge or vertex, and a round end lies flat or rolls; false where the contact ends.
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
        PairSource::Rims(_) | PairSource::Convex(_) => return turn_over(evaluator, contact),
        _ => None,
    };
    if let Some(piece) = other {
        evaluator.contacts.memory[contact].face = piece as u32;
    }
    other.is_some()
}
