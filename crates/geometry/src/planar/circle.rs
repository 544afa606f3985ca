use carom_math::Vec2;

use super::Polygon;
use super::hollow::TOUCH;
use super::nearest::Signed;

/// What touches at an edge of a polygon or at a corner, a circle or a vertex: gap and normal to the outside of the polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtEdge {
    pub(super) gap: f64,
    pub(super) outward: Vec2,
}

/// Over the length of an edge: how far it reaches beyond its ends.
const REACH: f64 = 5e-10;

/// How far an edge reaches beyond its end at a corner (m). Past a corner outwards it does a little: a centre that goes along the line of a side stays over one
/// piece, whatever rounding says.
pub(super) fn reach_of(polygon: &Polygon, edge: usize, corner: usize) -> f64 {
    if polygon.corners[corner].is_convex { REACH * polygon.edges[edge].length } else { 0.0 }
}

/// How far a centre with this foot is within both ends of an edge (m), negative beyond.
fn within_ends(polygon: &Polygon, edge: usize, place: f64) -> [f64; 2] {
    let after = (edge + 1) % polygon.edges.len();
    [
        place + reach_of(polygon, edge, edge),
        polygon.edges[edge].length + reach_of(polygon, edge, after) - place,
    ]
}

fn is_over(polygon: &Polygon, edge: usize, place: f64) -> bool {
    let [start, end] = within_ends(polygon, edge, place);
    start >= 0.0 && end > 0.0
}

/// Is the centre in the sector of the corner at the start of an edge?
fn is_in_sector(polygon: &Polygon, edge: usize, centre: &Vec2) -> bool {
    let edges = &polygon.edges;
    let before = (edge + edges.len() - 1) % edges.len();
    let [start, _] = within_ends(polygon, edge, edges[edge].foot(centre).place);
    let [_, end] = within_ends(polygon, before, edges[before].foot(centre).place);
    !polygon.corners[edge].is_reflex && start < 0.0 && end <= 0.0
}

/// Gap and normal of a circle whose place is this edge's or its first corner's; nothing elsewhere, where others are its contact.
pub(super) fn own_at_edge(polygon: &Polygon, edge: usize, centre: &Vec2, radius: f64) -> Option<AtEdge> {
    let side = &polygon.edges[edge];
    let foot = side.foot(centre);
    let is_over = is_over(polygon, edge, foot.place);
    // In the corner of a hollow rounding would choose the normal.
    if is_over && foot.height >= -TOUCH * side.length {
        return Some(AtEdge { gap: foot.height - radius, outward: side.outward });
    }
    if foot.height < 0.0
        && let Some(inside) = nearest_within(polygon, edge, centre)
    {
        return Some(AtEdge { gap: inside.gap - radius, outward: inside.outward });
    }
    let end = if foot.place < 0.0 { edge } else { (edge + 1) % polygon.edges.len() };
    if !is_over && foot.height >= 0.0 && polygon.is_in_hollow(edge, end, centre, 0.0) {
        return Some(AtEdge { gap: foot.height - radius, outward: side.outward });
    }
    let distance = foot.square.sqrt();
    is_in_sector(polygon, edge, centre).then(|| {
        let arm = centre - side.start;
        let outward = if distance > 0.0 { arm / distance } else { polygon.corners[edge].outward };
        AtEdge { gap: distance - radius, outward }
    })
}

/// Gap of the rim: over the edge, and before a hollow at its end, its height less the radius; in the sector the distance of the corner less
/// the radius.
/// Elsewhere it is a lower bound of what the outlines must travel to touch, and not below zero but where it would have to come from the
/// edge's inside.
pub(super) fn at_edge(polygon: &Polygon, edge: usize, centre: &Vec2, radius: f64) -> AtEdge {
    if let Some(own) = own_at_edge(polygon, edge, centre, radius) {
        return own;
    }
    let side = &polygon.edges[edge];
    let foot = side.foot(centre);
    let distance = foot.square.sqrt();
    let [start, end] = within_ends(polygon, edge, foot.place);
    let entry = if is_over(polygon, edge, foot.place) {
        -foot.height
    } else if start < 0.0 {
        way_to_sector(polygon, edge, centre, -start)
    } else {
        -end
    };
    // The end belongs to the next edge: at the place itself the gap is not zero.
    let entry = travel_along(polygon, entry, distance);
    AtEdge { gap: entry.max(distance - radius).max(f64::MIN_POSITIVE), outward: side.outward }
}

/// What outlines travel against each other at least (m) while a centre that is so far away from the polygon goes on by `way` in its frame. The
/// centre is on no surface: a polygon of size d no point of which goes farther than s turns by 2 s/d at most, which takes what is D away
/// from it s (1 + 2 D/d) along.
fn travel_along(polygon: &Polygon, way: f64, distance: f64) -> f64 {
    way / (1.0 + 2.0 * (distance + way) / polygon.size())
}

/// Is a circle about the corner at the start of an edge, not over the edge?
pub(super) fn is_on_corner(polygon: &Polygon, edge: usize, centre: &Vec2) -> bool {
    let [start, _] = within_ends(polygon, edge, polygon.edges[edge].foot(centre).place);
    !polygon.corners[edge].is_reflex && start < 0.0
}

/// Gap of a circle that is held over the line of an edge, or about the corner at its start: smooth however far.
pub(super) fn at_piece(
    polygon: &Polygon,
    edge: usize,
    centre: &Vec2,
    radius: f64,
    is_on_corner: bool,
) -> AtEdge {
    let side = &polygon.edges[edge];
    if is_on_corner {
        let arm = centre - side.start;
        let distance = arm.norm();
        return AtEdge { gap: distance - radius, outward: arm / distance };
    }
    AtEdge { gap: side.foot(centre).height - radius, outward: side.outward }
}

/// How far a circle is from the ends of what it is held on (m), negative beyond: of the corner's sector, or of the edge but for ends in
/// hollows, which it does not come to.
pub(super) fn room_of_circle(polygon: &Polygon, edge: usize, centre: &Vec2, is_on_corner: bool) -> f64 {
    let edges = &polygon.edges;
    let within = |edge: usize| within_ends(polygon, edge, edges[edge].foot(centre).place);
    let [start, end] = within(edge);
    if is_on_corner {
        let [_, end] = within((edge + edges.len() - 1) % edges.len());
        return (-start).min(-end);
    }
    let room =
        |corner: usize, left: f64| if polygon.corners[corner].is_reflex { f64::INFINITY } else { left };
    room(edge, start).min(room((edge + 1) % edges.len(), end))
}

/// How far the centre is from the sector at the start of an edge, or from the strip if the corner is reflex and has none.
fn way_to_sector(polygon: &Polygon, edge: usize, centre: &Vec2, to_strip: f64) -> f64 {
    let edges = &polygon.edges;
    let before = (edge + edges.len() - 1) % edges.len();
    let [_, to_sector] = within_ends(polygon, before, edges[before].foot(centre).place);
    if polygon.corners[edge].is_reflex || to_sector < 0.0 { to_strip } else { to_sector.min(to_strip) }
}

/// Depth of a centre that is inside the polygon, nearest to this edge or to a hollow at its end.
fn nearest_within(polygon: &Polygon, edge: usize, centre: &Vec2) -> Option<Signed> {
    let signed = polygon.signed_distance(centre);
    (signed.gap < 0.0 && signed.edge == edge).then_some(signed)
}
