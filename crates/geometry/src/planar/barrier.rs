//! What a point must pass before it touches: the part of certified searches that only the outline knows.

use carom_math::Vec2;

use super::Polygon;

/// Heights of a point over the lines around the place where it can touch an edge (m): as long as one of them stays
/// positive, it does not. Each is the least of heights over fixed lines.
pub(super) type Barriers = [f64; 5];

/// Calls for the barriers of a point against every edge among some that is not farther away than a distance (m): its heights over three lines, at
/// two places of the point, and the unit vectors along which they are measured.
pub(super) fn for_each_barrier(
    polygon: &Polygon,
    [from, to]: [&Vec2; 2],
    (distance, is_among): (f64, impl Fn(usize) -> bool),
    mut each: impl FnMut([[f64; 3]; 2], [Vec2; 3]),
) {
    polygon.tree.for_each_within(from, distance * distance, |index| {
        let edge = &polygon.edges[index];
        // What else is in its leaf may be anywhere, and the point behind it.
        if !is_among(index) || edge.foot(from).square > distance * distance {
            return;
        }
        let at = |point: &Vec2| {
            let foot = edge.foot(point);
            [foot.height, foot.place - edge.length, -foot.place]
        };
        each([at(from), at(to)], [edge.outward, edge.along, -edge.along]);
    });
}

/// Barriers of a circle against an edge and the corner at its start, along a unit vector from the corner.
pub(super) fn barriers_of_circle(
    polygon: &Polygon,
    edge: usize,
    (centre, radius): (&Vec2, f64),
    direction: &Vec2,
) -> Barriers {
    let edges = &polygon.edges;
    let (own, before) = (&edges[edge], &edges[(edge + edges.len() - 1) % edges.len()]);
    let foot = own.foot(centre);
    let from_start = -foot.place;
    let (before_sector, beside_sector) = if polygon.corners[edge].is_reflex {
        (from_start, f64::NEG_INFINITY)
    } else {
        let off_corner = direction.dot(&(centre - own.start)) - radius;
        (from_start.min(before.length - before.foot(centre).place), from_start.min(off_corner))
    };
    // Behind the edge the circle has the body between: it has to come to the front first.
    [foot.height - radius, foot.place - own.length, before_sector, beside_sector, -foot.height]
}
