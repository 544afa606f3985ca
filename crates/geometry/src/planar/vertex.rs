use carom_math::Vec2;

use super::Polygon;
use super::placement::Planar;

/// Rounding of a place over its coordinates: a vertex that is on the side of the other polygon as well as under a face is under
/// the face, whatever the last digits say.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

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
/// come through: one that faces it ([`super::corner::Corner::least_cosine`]) and under which it lies. A vertex
/// that no edge faces is under the nearest one.
pub(super) fn at_vertex(own: &Polygon, vertex: usize, other: &Polygon, place: &Planar) -> AtVertex {
    let point = place.point(&own.points()[vertex]);
    let signed = other.signed_distance(&point);
    let rounding = ROUNDING * (point.amax() + place.shift().amax());
    // What is not a number goes through.
    let nearest = AtVertex { gap: signed.gap, outward: signed.outward, point, edge: signed.edge };
    if signed.gap > rounding || signed.gap.is_nan() {
        return nearest;
    }
    let corner = &own.corners[vertex];
    let pushes = place.turned(&corner.outward);
    let faced = other.nearest_of(&point, |edge, foot| {
        let edge = &other.edges[edge];
        let is_over = foot.place >= -rounding && foot.place <= edge.length + rounding;
        let is_under = is_over && foot.height <= rounding;
        let is_faced = is_under && -edge.outward.dot(&pushes) >= corner.least_cosine;
        if is_faced { foot.height * foot.height } else { f64::INFINITY }
    });
    match faced {
        None => nearest,
        Some(faced) => on_line(other, faced.edge, point),
    }
}

/// A vertex over the line of an edge, or under it, wherever along it.
pub(super) fn on_line(other: &Polygon, edge: usize, point: Vec2) -> AtVertex {
    let line = &other.edges[edge];
    AtVertex { gap: line.foot(&point).height, outward: line.outward, point, edge }
}
