use carom_math::Vec2;

use super::Polygon;
use super::placement::Planar;

/// A vertex of one polygon against another: signed distance and normal to the outside of the other, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtVertex {
    pub(super) gap: f64,
    pub(super) outward: Vec2,
    /// The vertex in the other's frame.
    pub(super) point: Vec2,
}

/// Outside, the distance of the vertex from the outline. Inside, the depth under the nearest edge that the vertex can have
/// come through: one that faces it ([`super::corner::Corner::least_cosine`]) and under which it lies. A vertex
/// that no edge faces is under the nearest one.
pub(super) fn at_vertex(own: &Polygon, vertex: usize, other: &Polygon, place: &Planar) -> AtVertex {
    let point = place.point(&own.points()[vertex]);
    let signed = other.signed_distance(&point);
    // Not a number goes through.
    if !(signed.gap < 0.0) {
        return AtVertex { gap: signed.gap, outward: signed.outward, point };
    }
    let corner = &own.corners[vertex];
    let pushes = place.turned(&corner.outward);
    let faced = other.nearest_of(&point, |edge, foot| {
        let edge = &other.edges[edge];
        let is_under = foot.place >= 0.0 && foot.place <= edge.length && foot.height < 0.0;
        if is_under && -edge.outward.dot(&pushes) >= corner.least_cosine { foot.square } else { f64::INFINITY }
    });
    let found = faced.map_or(signed, |faced| other.signed_from(&point, &faced));
    AtVertex { gap: found.gap, outward: found.outward, point }
}
