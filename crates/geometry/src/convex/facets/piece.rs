//! Features of solids of which one is rounded at least: what is near a vertex of one is the nearest place of the other's core, and the
//! gap is the distance less both radii. It is smooth where that place goes on from a face to an edge of it.

use carom_math::Vec3;

use super::polyhedron::{Edge, Polyhedron};
use super::vertex::{Over, room_on_face};

/// A part of a core.
pub(super) enum Piece<'a> {
    Face(usize),
    Edge(&'a Edge),
    Vertex(usize),
}

impl Polyhedron {
    /// Faces, edges and vertices are numbered on, so that one number says what a contact is held on.
    pub(super) fn piece(&self, index: usize) -> Piece<'_> {
        let of_faces = self.faces.len();
        let of_both = of_faces + self.edges.len();
        if index < of_faces {
            Piece::Face(index)
        } else if index < of_both {
            Piece::Edge(&self.edges[index - of_faces])
        } else {
            Piece::Vertex(index - of_both)
        }
    }

    /// The piece that is nearest to a point outside, or the highest face over one inside.
    pub(super) fn nearest_piece(&self, point: &Vec3) -> usize {
        let heights = self.faces.iter().map(|face| face.height(point)).enumerate();
        if let Some((face, height)) = heights.reduce(|a, b| if b.1 > a.1 { b } else { a }) {
            // All other planes are lower under the nearest place of a face than that place is.
            let foot = point - height * self.faces[face].normal;
            if height <= 0.0 || room_on_face(self, face, &foot) >= 0.0 {
                return face;
            }
        }
        let edges = self.edges.iter().map(|edge| {
            let [along, across] = edge.coordinates(point);
            if along.abs() < edge.half_length { across } else { f64::INFINITY }
        });
        let vertices = self.vertices.iter().map(|vertex| (point - vertex).norm());
        let all = edges.chain(vertices).enumerate();
        let (nearest, _) = all.fold((0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
        self.faces.len() + nearest
    }

    /// A point over a piece of the core, for solids that touch at the distance `reach` (m).
    pub(super) fn over_piece(&self, piece: usize, point: Vec3, reach: f64) -> Over {
        let away = match self.piece(piece) {
            Piece::Face(face) => {
                let face = &self.faces[face];
                return Over { piece, gap: face.height(&point) - reach, outward: face.normal, point };
            }
            Piece::Edge(edge) => edge.away(&point),
            Piece::Vertex(vertex) => point - self.vertices[vertex],
        };
        let distance = away.norm();
        let outward = away.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        Over { piece, gap: distance - reach, outward, point }
    }

    /// How far inside the places that are nearest to a piece a point is (m), negative outside.
    pub(super) fn room_over(&self, piece: usize, point: &Vec3) -> f64 {
        match self.piece(piece) {
            Piece::Face(face) => {
                let foot = point - self.faces[face].height(point) * self.faces[face].normal;
                room_on_face(self, face, &foot)
            }
            Piece::Edge(edge) => {
                let [along, _] = edge.coordinates(point);
                (edge.half_length - along.abs()).min(beside(&edge.away(point), self.sides_of(edge)))
            }
            Piece::Vertex(vertex) => beside(&(point - self.vertices[vertex]), &self.spokes[vertex]),
        }
    }

    /// The edge that a piece is, by its index.
    pub(super) fn edge_of_piece(&self, piece: usize) -> Option<usize> {
        let edge = piece.checked_sub(self.faces.len())?;
        (edge < self.edges.len()).then_some(edge)
    }

    /// The vertex that a piece is.
    pub(super) fn vertex_of_piece(&self, piece: usize) -> Option<usize> {
        piece.checked_sub(self.faces.len() + self.edges.len())
    }

    fn sides_of<'e>(&self, edge: &'e Edge) -> &'e [Vec3] {
        if self.is_solid() { &edge.inward } else { &[] }
    }
}

impl Edge {
    /// Coordinate along the edge from its middle, and distance from its line (m).
    fn coordinates(&self, point: &Vec3) -> [f64; 2] {
        [self.along.dot(&(point - self.middle)), self.away(point).norm()]
    }

    /// From the edge's line to a point.
    pub(super) fn away(&self, point: &Vec3) -> Vec3 {
        let offset = point - self.middle;
        offset - self.along.dot(&offset) * self.along
    }
}

/// How far a place is behind all of these ways from where it is taken (m).
fn beside(away: &Vec3, ways: &[Vec3]) -> f64 {
    ways.iter().map(|way| -away.dot(way)).fold(f64::INFINITY, f64::min)
}
