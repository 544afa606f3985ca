//! Which of the features of rounded solids is the contact where several see the same place, at the same distance.
//!
//! An end on an edge and the edge that ends there, crossing that, come to one place with one normal. With both their rows would differ
//! by hardly more than rounding, and who lets go would be chance. So each has a territory of its own, and where one ends the
//! next begins: a margin inside the end of an edge, so that what lies flush with a border is held by its end.

use carom_math::{Pose, Vec3};

use super::{Facets, Feature};

/// How far a feature is inside its territory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Territory {
    /// Along an edge (m), negative outside; infinite where nothing else could be the contact.
    pub(super) room: f64,
    /// Sine of the angle at which edges cross whose crossing this is about: it moves as much faster than they do.
    pub(super) sine: f64,
}

impl Territory {
    const ALL: Self = Self { room: f64::INFINITY, sine: 1.0 };
    const NONE: Self = Self { room: f64::NEG_INFINITY, sine: 1.0 };

    fn smaller(self, other: Self) -> Self {
        if other.room < self.room { other } else { self }
    }
}

impl Facets {
    /// That of a feature of rounded solids, a vertex being over a piece of the other one. Edges that cross have it between their ends,
    /// parallel ones nowhere; a vertex over an edge where no edge of its own crosses that; of two vertices A's, where none of its edges
    /// comes nearer. `place` takes A into B's frame.
    pub(super) fn territory(&self, index: usize, piece: usize, place: &Pose) -> Territory {
        let Some(b) = &self.b else { return Territory::ALL };
        let beside_crossings = |edges: &mut dyn Iterator<Item = [usize; 2]>| {
            let crossings = edges.filter_map(|[i, j]| self.cross(i, j, place));
            let own = crossings.map(|at| Territory { room: self.margin - at.room, sine: at.lines.sine });
            own.fold(Territory::ALL, Territory::smaller)
        };
        match self.feature(index) {
            Feature::Edges(i, j) => self
                .cross(i, j, place)
                .map_or(Territory::NONE, |at| Territory { room: at.room - self.margin, sine: at.lines.sine }),
            Feature::VertexOfA(vertex) => match (b.edge_of_piece(piece), b.vertex_of_piece(piece)) {
                (Some(edge), _) => beside_crossings(&mut self.a.edges_at(vertex).map(|own| [own, edge])),
                (None, Some(met)) => {
                    let along = self.along_edges_of_a(vertex, &b.vertices[met], place);
                    Territory { room: self.margin - along, sine: 1.0 }
                }
                (None, None) => Territory::ALL,
            },
            Feature::VertexOfB(vertex) => {
                let point = &b.vertices[vertex];
                let over_end = |end: usize| Territory {
                    room: self.along_edges_of_a(end, point, place) - self.margin,
                    sine: 1.0,
                };
                match (self.a.edge_of_piece(piece), self.a.vertex_of_piece(piece)) {
                    (Some(edge), _) => {
                        let [first, last] = self.a.edges[edge].ends.map(over_end);
                        let crossings = beside_crossings(&mut b.edges_at(vertex).map(|own| [edge, own]));
                        first.smaller(last).smaller(crossings)
                    }
                    (None, Some(met)) => over_end(met),
                    (None, None) => Territory::ALL,
                }
            }
        }
    }

    /// How far along an edge that leaves a vertex of A a point of B is (m), the farthest.
    fn along_edges_of_a(&self, vertex: usize, point: &Vec3, place: &Pose) -> f64 {
        let point = place.rotation.tr_mul(&(point - place.translation));
        let away = point - self.a.vertices[vertex];
        self.a.spokes[vertex].iter().map(|spoke| away.dot(spoke)).fold(f64::NEG_INFINITY, f64::max)
    }
}
