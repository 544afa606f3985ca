//! A vertex or a circle that is held on an edge of a polygon: it stays on the edge's line, and leaves at its end, but for hollows.

use carom_math::{Pose, Vec2, Vec3};

use super::Polygon;
use super::arrival::{Arrival, Within};
use super::circle::{AtEdge, at_piece, is_on_corner, room_of_circle};
use super::feature::{Meeting, circle_point, meet, vertex_of, vertex_point};
use super::hollow::{Against, at_vertex_against};
use super::placement::Planar;
use super::vertex::{AtVertex, on_line};
use crate::{ContactPoint, Shape};

/// How far beyond an end a vertex leaves, of the edge's length: of two corners that meet, one has come onto the other's edge by then.
pub(super) const MARGIN: f64 = 1e-9;

/// How far beyond an end a circle leaves, of its radius or of the edge's length: what stands there does not change its piece by rounding, and
/// what rolls on still moves along the next piece.
const CIRCLE_MARGIN: f64 = 1e-12;

/// Piece of a circle's feature: the corner at the start of its edge.
const ON_CORNER: usize = 1;

/// A feature that is a polygon's vertex against another polygon, or a circle against an edge of one.
pub(super) struct Held<'a> {
    pub(super) of_b: bool,
    pub(super) own: &'a Pose,
    pub(super) tip: Tip<'a>,
    pub(super) other: (&'a Polygon, &'a Pose),
}

pub(super) enum Tip<'a> {
    Vertex(&'a Polygon, usize),
    Circle { radius: f64, edge: usize },
}

pub(super) fn held<'a>(
    a: (&'a Shape, &'a Pose),
    b: (&'a Shape, &'a Pose),
    feature: usize,
) -> Option<Held<'a>> {
    match meet(a.0, b.0)? {
        Meeting::Polygons(of_a, of_b) => {
            let (is_of_b, vertex) = vertex_of(of_a, of_b, feature);
            let (a, b) = ((of_a, a.1), (of_b, b.1));
            let (own, other) = if is_of_b { (b, a) } else { (a, b) };
            Some(Held { of_b: is_of_b, own: own.1, tip: Tip::Vertex(own.0, vertex), other })
        }
        Meeting::Circle { radius, polygon, swapped } => {
            let (own, other) = if swapped { (b.1, a.1) } else { (a.1, b.1) };
            let tip = Tip::Circle { radius, edge: feature };
            Some(Held { of_b: swapped, own, tip, other: (polygon, other) })
        }
        _ => None,
    }
}

impl Tip<'_> {
    /// The vertex, or the circle's centre, in its own frame.
    pub(super) fn centre(&self) -> Vec2 {
        match self {
            Tip::Vertex(own, vertex) => own.points()[*vertex],
            Tip::Circle { .. } => Vec2::zeros(),
        }
    }

    pub(super) fn radius(&self) -> f64 {
        match self {
            Tip::Vertex(..) => 0.0,
            Tip::Circle { radius, .. } => *radius,
        }
    }
}

impl Held<'_> {
    fn place(&self) -> Planar {
        Planar::of(self.own, self.other.1)
    }

    /// The vertex, or the circle's centre, in the other's frame.
    fn point(&self) -> Vec2 {
        self.place().point(&self.tip.centre())
    }

    /// A vertex as one that begins to touch, where B moves at a velocity against A (m/s, world axes).
    fn arrival<'b>(
        &'b self,
        (own, vertex): (&'b Polygon, usize),
        against: Against,
        velocity: &Vec3,
    ) -> Arrival<'b> {
        let (other, place) = (self.other.0, self.place());
        let edge = at_vertex_against(own, vertex, other, (&place, against)).edge;
        let moving = if self.of_b { *velocity } else { -velocity };
        let velocity = self.other.1.rotation.tr_mul(&moving).xy();
        Arrival { own, vertex, other, place, edge, velocity }
    }

    /// How it is over a piece, however far beyond its end.
    pub(super) fn at(&self, piece: usize) -> AtEdge {
        let (polygon, point) = (self.other.0, self.point());
        match self.tip {
            Tip::Vertex(..) => {
                let AtVertex { gap, outward, .. } = on_line(polygon, piece, point);
                AtEdge { gap, outward }
            }
            Tip::Circle { radius, edge } => at_piece(polygon, edge, &point, radius, piece == ON_CORNER),
        }
    }

    /// From the corner that it is about, in the other's frame (m).
    pub(super) fn away(&self, piece: usize) -> Option<Vec2> {
        match self.tip {
            Tip::Circle { edge, .. } if piece == ON_CORNER => {
                Some(self.point() - self.other.0.points()[edge])
            }
            _ => None,
        }
    }

    /// How far it is from the end of its piece (m), negative beyond it.
    fn room(&self, piece: usize) -> f64 {
        let (polygon, point) = (self.other.0, self.point());
        match self.tip {
            Tip::Vertex(..) => {
                room_between(polygon, piece, &point, |corner| polygon.corners[corner].is_convex)
            }
            Tip::Circle { radius: 0.0, edge } => {
                room_between(polygon, edge, &point, |corner| !polygon.corners[corner].is_hollow)
            }
            Tip::Circle { radius, edge } => {
                let margin = CIRCLE_MARGIN * radius.min(polygon.edges[edge].length);
                room_of_circle(polygon, edge, &point, piece == ON_CORNER) + margin
            }
        }
    }
}

/// How far a point is from the nearer end of an edge's line (m), of the ends where it has to leave: negative by more than `MARGIN` beyond.
fn room_between(polygon: &Polygon, edge: usize, point: &Vec2, ends_at: impl Fn(usize) -> bool) -> f64 {
    let line = &polygon.edges[edge];
    let place = line.foot(point).place;
    let room = |corner: usize, left: f64| if ends_at(corner) { left } else { f64::INFINITY };
    let next = (edge + 1) % polygon.edges.len();
    room(edge, place).min(room(next, line.length - place)) + MARGIN * line.length
}

/// Features of the edges that meet the edge of a circle's feature at corners outwards, or straight: it can touch none of them before it
/// leaves its own.
pub fn next_features(a: &Shape, b: &Shape, feature: usize) -> [Option<usize>; 2] {
    let Some(Meeting::Circle { polygon, .. }) = meet(a, b) else { return [None; 2] };
    let count = polygon.edges.len();
    let (before, after) = ((feature + count - 1) % count, (feature + 1) % count);
    let over = |corner: usize, edge: usize| (!polygon.corners[corner].is_hollow).then_some(edge);
    [over(feature, before), over(after, after)]
}

/// The piece of the other outline that a feature begins on, where B moves at a velocity against A (m/s, world axes): of a vertex the edge that it is over, or
/// under, or, at a corner, the one that it comes to most slowly, as on the seam of outlines that lie flush; of a circle whether it is
/// about the corner of its edge (1) or not (0), as of all others.
pub fn piece_under(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    feature: usize,
    (against, velocity): (Against, &Vec3),
) -> usize {
    let Some(held) = held(a, b, feature) else { return 0 };
    match held.tip {
        Tip::Vertex(own, vertex) => held.arrival((own, vertex), against, velocity).met_edge(),
        Tip::Circle { radius, edge } if radius > 0.0 && is_on_corner(held.other.0, edge, &held.point()) => {
            ON_CORNER
        }
        Tip::Circle { .. } => 0,
    }
}

/// Does a vertex that begins to touch, where B moves at a velocity against A (m/s, world axes), give way to a corner of the other outline, so far from it at most, on
/// one of its own edges?
pub fn gives_way(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    feature: usize,
    (against, velocity): (Against, &Vec3),
    within: Within,
) -> bool {
    let Some(held) = held(a, b, feature) else { return false };
    let Tip::Vertex(own, vertex) = held.tip else { return false };
    held.arrival((own, vertex), against, velocity).gives_way(within)
}

/// The edge of the other outline that a vertex meets which comes to a corner of that, or has come from there, where B moves at a velocity against A
/// (m/s, world axes): of both the one along which it goes on faster, or the one that it has `pressed` already, along this normal from A to B.
pub fn met_at_corner(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    feature: usize,
    (against, velocity): (Against, &Vec3),
    (within, pressed): (Within, Option<Vec3>),
) -> Option<usize> {
    let held = held(a, b, feature)?;
    let Tip::Vertex(own, vertex) = held.tip else { return None };
    let outward = |normal: Vec3| if held.of_b { normal } else { -normal };
    let pressed = pressed.map(|normal| held.other.1.rotation.tr_mul(&outward(normal)).xy());
    held.arrival((own, vertex), against, velocity).met_at_corner(within, pressed)
}

/// The piece that a feature has come to from the one that it is held on without leaving it: of a vertex an edge after corners that are
/// straight.
pub fn piece_after(a: (&Shape, &Pose), b: (&Shape, &Pose), feature: usize, piece: usize) -> usize {
    let vertex = held(a, b, feature).filter(|held| matches!(held.tip, Tip::Vertex(..)));
    let Some(held) = vertex else { return piece };
    let (polygon, point) = (held.other.0, held.point());
    let count = polygon.edges.len();
    let is_straight =
        |corner: usize| !polygon.corners[corner].is_convex && !polygon.corners[corner].is_hollow;
    let mut edge = piece;
    for _ in 0..count {
        let place = polygon.edges[edge].foot(&point).place;
        let next = (edge + 1) % count;
        if place > polygon.edges[edge].length && is_straight(next) {
            edge = next;
        } else if place < 0.0 && is_straight(edge) {
            edge = (edge + count - 1) % count;
        } else {
            break;
        }
    }
    edge
}

/// The piece of the same feature that a circle has come to where it has left one: its edge or the corner; none where it has left both.
pub fn other_piece(a: (&Shape, &Pose), b: (&Shape, &Pose), feature: usize, piece: usize) -> Option<usize> {
    let held = held(a, b, feature)?;
    let Tip::Circle { radius, edge } = held.tip else { return None };
    let has_other = radius > 0.0 && !held.other.0.corners[edge].is_reflex;
    let other = if piece == ON_CORNER { 0 } else { ON_CORNER };
    (has_other && held.room(other) >= 0.0).then_some(other)
}

/// How far a feature is from the end of the piece that it is held on (m), negative where it has left it: a vertex at a corner outwards, a point at
/// every end that is not in a hollow, a circle at either end of its edge, or of its corner's sector. Infinite where there is none.
pub fn room_on_piece(a: (&Shape, &Pose), b: (&Shape, &Pose), feature: usize, piece: usize) -> f64 {
    held(a, b, feature).map_or(f64::INFINITY, |held| held.room(piece))
}

/// Contact of a feature with the piece that it is held on, however far beyond its end; none of features that have no pieces.
pub fn on_held_piece(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    feature: usize,
    piece: usize,
) -> Option<ContactPoint> {
    let held = held(a, b, feature)?;
    let (at, x_other) = (held.at(piece), held.other.1);
    let point = match held.tip {
        Tip::Vertex(own, vertex) => vertex_point((own, held.own), vertex, x_other, &at),
        Tip::Circle { radius, .. } => circle_point((radius, held.own), x_other, &at),
    };
    Some(if held.of_b { point.swapped() } else { point })
}
