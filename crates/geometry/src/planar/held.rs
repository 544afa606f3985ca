//! A vertex that is held on an edge of another polygon: it stays on the edge's line, and leaves at a sharp end.

use carom_math::{Pose, Vec2};

use super::Polygon;
use super::feature::{Meeting, meet, vertex_of, vertex_point};
use super::placement::Planar;
use super::vertex::{at_vertex, on_line};
use crate::{ContactPoint, Shape};

/// Cosine of the turn of a convex corner at which an edge ends: 20°. Over what turns by less a vertex goes on, as over a curve.
const SHARP: f64 = 0.94;

/// How far beyond a sharp end a vertex leaves, of the edge's length: of two corners that meet, one has come onto the other's edge by then.
const MARGIN: f64 = 1e-9;

/// A feature that is a polygon's vertex against another polygon.
struct Held<'a> {
    of_b: bool,
    own: (&'a Polygon, &'a Pose),
    other: (&'a Polygon, &'a Pose),
    vertex: usize,
}

fn held<'a>(a: (&'a Shape, &'a Pose), b: (&'a Shape, &'a Pose), feature: usize) -> Option<Held<'a>> {
    let Some(Meeting::Polygons(of_a, of_b)) = meet(a.0, b.0) else { return None };
    let (is_of_b, vertex) = vertex_of(of_a, of_b, feature);
    let (a, b) = ((of_a, a.1), (of_b, b.1));
    let (own, other) = if is_of_b { (b, a) } else { (a, b) };
    Some(Held { of_b: is_of_b, own, other, vertex })
}

impl Held<'_> {
    fn place(&self) -> Planar {
        Planar::of(self.own.1, self.other.1)
    }

    fn point(&self) -> Vec2 {
        self.place().point(&self.own.0.points()[self.vertex])
    }

    /// How far the vertex is from the nearer sharp end of an edge (m), negative beyond it.
    fn room(&self, edge: usize) -> f64 {
        let polygon = self.other.0;
        let line = &polygon.edges[edge];
        let place = line.foot(&self.point()).place;
        let next = (edge + 1) % polygon.edges.len();
        let room = |corner: usize, left: f64| if polygon.is_sharp(corner) { left } else { f64::INFINITY };
        room(edge, place).min(room(next, line.length - place))
    }
}

impl Polygon {
    /// Does an outline that follows the edges around this corner have to let go of them?
    fn is_sharp(&self, corner: usize) -> bool {
        let before = (corner + self.edges.len() - 1) % self.edges.len();
        self.corners[corner].is_convex && self.edges[before].along.dot(&self.edges[corner].along) < SHARP
    }
}

/// The edge that a feature's vertex is over, or under; none of features that are no vertices against edges.
pub fn edge_under(a: (&Shape, &Pose), b: (&Shape, &Pose), feature: usize) -> Option<usize> {
    let held = held(a, b, feature)?;
    Some(at_vertex(held.own.0, held.vertex, held.other.0, &held.place()).edge)
}

/// How far a feature's vertex is from leaving the edge that it is held on at its nearer sharp end (m), negative where it has; infinite
/// where there is none.
pub fn room_on_edge(a: (&Shape, &Pose), b: (&Shape, &Pose), feature: usize, edge: usize) -> f64 {
    held(a, b, feature)
        .map_or(f64::INFINITY, |held| held.room(edge) + MARGIN * held.other.0.edges[edge].length)
}

/// Contact of a feature beyond the sharp end of the edge that it is held on, on the edge's line; none where it is not.
pub fn beyond_edge(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    feature: usize,
    edge: usize,
) -> Option<ContactPoint> {
    let held = held(a, b, feature).filter(|held| held.room(edge) < 0.0)?;
    let at = on_line(held.other.0, edge, held.point());
    let point = vertex_point(held.own, held.vertex, held.other.1, &at);
    Some(if held.of_b { point.swapped() } else { point })
}
