use carom_math::Vec2;

use super::corner::Corner;
use super::edge::{Edge, Foot};
use super::placement::Planar;
use super::{Nearest, Polygon};

/// Rounding of a place over its coordinates: a vertex that is on the side of the other polygon as well as under a face is under
/// the face, whatever the last digits say.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// An edge that is so many times as deep as another one's end is far is not the one that a vertex has come in through.
const PASSED: f64 = 8.0;

/// Over the size of its body: a vertex that is farther from an edge has not come out behind it by what bodies give.
const SHALLOW: f64 = 1e-3;

/// A vertex of one polygon against another: signed distance and normal to the outside of the other, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtVertex {
    pub(super) gap: f64,
    pub(super) outward: Vec2,
    /// The vertex in the other's frame.
    pub(super) point: Vec2,
    /// The edge that it is over, or under.
    pub(super) edge: usize,
}

/// Outside, the distance of the vertex from the outline. Inside, the depth under the nearest edge that the vertex can have
/// come through: one that faces it ([`super::corner::Corner::least_cosine`]) and under which it lies, or has passed its end, or its end in a hollow:
/// between the normals of two edges there the corner is nearest, and pushes back. A vertex that no edge faces is under the nearest one. One that has come
/// out a little behind an edge that it cannot push is still under those that it can: what a floor gives does not let a corner go below the tip of a wedge.
pub(super) fn at_vertex(own: &Polygon, vertex: usize, other: &Polygon, place: &Planar) -> AtVertex {
    let point = place.point(&own.points()[vertex]);
    let signed = other.signed_distance(&point);
    // What is not a number goes through.
    let nearest = AtVertex { gap: signed.gap, outward: signed.outward, point, edge: signed.edge };
    let rounding = place.rounding(&point);
    if signed.gap > rounding || signed.gap.is_nan() {
        let limits = (SHALLOW * own.size(), |_: &Edge| rounding);
        let beneath = beneath_next((own, vertex), (other, place), &nearest, limits);
        return beneath.map_or(nearest, |edge| on_line(other, edge, point));
    }
    let is_among = |edge: usize, foot: &Foot| {
        other.edges[edge].is_over(foot, rounding) || other.is_beyond_hollow(edge, foot)
    };
    let over = other.nearest_faced((own, vertex), (place, &point), is_among);
    // Where a corner is blunt, what slides off past the end of the edge that it came in through is under the next one before it is out.
    let any = other.nearest_faced((own, vertex), (place, &point), |_, _| true);
    let distance = |found: &Nearest| found.square.sqrt();
    let has_passed = |any: &Nearest| over.as_ref().is_none_or(|over| distance(over) > PASSED * distance(any));
    match any.filter(has_passed).or(over) {
        None => nearest,
        Some(faced) if other.is_beyond_hollow(faced.edge, &other.edges[faced.edge].foot(&point)) => {
            let signed = other.signed_from(&point, &faced);
            AtVertex { gap: signed.gap, outward: signed.outward, point, edge: faced.edge }
        }
        Some(faced) => on_line(other, faced.edge, point),
    }
}

/// The edge next to the nearest one, at its nearer end, beneath which a vertex is that is outside, just behind the nearest, which it cannot have come through from there,
/// no farther behind it than a depth (m). Edges reach as far beyond their ends as is stated.
pub(super) fn beneath_next(
    (own, vertex): (&Polygon, usize),
    (other, place): (&Polygon, &Planar),
    at: &AtVertex,
    (deepest, beyond): (f64, impl Fn(&Edge) -> f64),
) -> Option<usize> {
    let is_shallow = at.gap <= deepest;
    let (corner, pushes) = (&own.corners[vertex], place.turned(&own.corners[vertex].outward));
    let faces = |edge: usize| is_faced(corner, &pushes, &other.edges[edge]);
    let is_over = |edge: usize| {
        let line = &other.edges[edge];
        line.is_over(&line.foot(&at.point), beyond(line))
    };
    let is_behind = is_shallow && is_over(at.edge) && !faces(at.edge);
    if !is_behind || !leads_in((own, vertex), (other, place), (at.edge, &at.point), 0.0) {
        return None;
    }
    let (line, count) = (&other.edges[at.edge], other.edges.len());
    let is_at_start = 2.0 * line.foot(&at.point).place < line.length;
    let next = (at.edge + if is_at_start { count - 1 } else { 1 }) % count;
    let is_beneath = other.edges[next].foot(&at.point).height < 0.0;
    (faces(next) && is_over(next) && is_beneath).then_some(next)
}

/// Does an edge of a vertex, from where it is, lead in through an edge of the other outline, and not at an end of that, to the `margin` (m)?
pub(super) fn leads_in(
    (own, vertex): (&Polygon, usize),
    (other, place): (&Polygon, &Planar),
    (edge, point): (usize, &Vec2),
    margin: f64,
) -> bool {
    let edge = &other.edges[edge];
    let foot = edge.foot(point);
    let before = (vertex + own.edges.len() - 1) % own.edges.len();
    [own.edges[before].start, own.edges[vertex].end].into_iter().any(|end| {
        let there = edge.foot(&place.point(&end));
        let share = (foot.height / (foot.height - there.height)).max(0.0);
        let crossing = foot.place + share * (there.place - foot.place);
        // At the end it is what the vertex has come over, not the vertex itself.
        let is_inside = |crossing: f64, place: f64| crossing > margin.min(0.5 * place);
        let is_between =
            is_inside(crossing, foot.place) && is_inside(edge.length - crossing, edge.length - foot.place);
        there.height < foot.height.min(0.0) && is_between
    })
}

/// Does a vertex push an edge that it touches from outside, or may it after a turn of at most `turn` (rad): is the edge's inward normal between
/// those of its own edges? A cosine changes by no more than its angle.
pub(super) fn is_pushed(corner: &Corner, pushes: &Vec2, edge: &Edge, turn: f64) -> bool {
    pushes_along(corner, pushes, &edge.outward, turn)
}

/// The same of an edge with this normal to its outside.
pub(super) fn pushes_along(corner: &Corner, pushes: &Vec2, outward: &Vec2, turn: f64) -> bool {
    -outward.dot(pushes) >= corner.own_cosine - turn
}

/// Does a vertex face an edge: is the edge's inward normal among the directions in which it may push, in the edge's frame?
pub(super) fn is_faced(corner: &Corner, pushes: &Vec2, edge: &Edge) -> bool {
    -edge.outward.dot(pushes) >= corner.least_cosine
}

impl Polygon {
    /// Is a foot beyond the end of an edge where a hollow begins?
    fn is_beyond_hollow(&self, edge: usize, foot: &Foot) -> bool {
        let end = if foot.place < 0.0 {
            edge
        } else if foot.place > self.edges[edge].length {
            (edge + 1) % self.edges.len()
        } else {
            return false;
        };
        self.corners[end].is_hollow
    }

    /// The nearest edge among some that a vertex faces and under whose line it lies.
    pub(super) fn nearest_faced(
        &self,
        (own, vertex): (&Self, usize),
        (place, point): (&Planar, &Vec2),
        is_among: impl Fn(usize, &Foot) -> bool,
    ) -> Option<Nearest> {
        let corner = &own.corners[vertex];
        let pushes = place.turned(&corner.outward);
        let rounding = place.rounding(point);
        let faced = self.nearest_of(point, |index, foot| {
            let edge = &self.edges[index];
            let is_under = foot.height <= rounding && is_among(index, foot);
            if is_under && is_faced(corner, &pushes, edge) { foot.square } else { f64::INFINITY }
        });
        faced.filter(|faced| faced.square < f64::INFINITY)
    }

    /// The edge that a vertex pushes where it lies on one: that edge, or one next to it among some.
    pub(super) fn pushed_at(
        &self,
        (own, vertex): (&Self, usize),
        (place, point): (&Planar, &Vec2),
        edge: usize,
        is_among: impl Fn(usize, &Foot) -> bool,
    ) -> Option<usize> {
        let corner = &own.corners[vertex];
        let pushes = place.turned(&corner.outward);
        let count = self.edges.len();
        let [before, after] = [(edge + count - 1) % count, (edge + 1) % count];
        let suits = |edge: &usize| {
            let other = &self.edges[*edge];
            is_pushed(corner, &pushes, other, 0.0) && is_among(*edge, &other.foot(point))
        };
        [edge, before, after].into_iter().find(suits)
    }
}

impl Planar {
    /// What rounding leaves of the place of a point (m).
    pub(super) fn rounding(&self, point: &Vec2) -> f64 {
        ROUNDING * (point.amax() + self.shift().amax())
    }
}

/// A vertex over the line of an edge, or under it, wherever along it.
pub(super) fn on_line(other: &Polygon, edge: usize, point: Vec2) -> AtVertex {
    let line = &other.edges[edge];
    AtVertex { gap: line.foot(&point).height, outward: line.outward, point, edge }
}
