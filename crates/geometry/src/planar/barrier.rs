//! What a point must pass before it touches: the part of certified searches that only the outline knows.

use carom_math::Vec2;

use super::Polygon;
use super::circle::reach_of;
use super::hollow::TOUCH;

/// Heights of a point over the lines around the places where it can touch (m): as long as one of each place's stays positive, it does not.
pub(super) type Barriers = [[f64; 4]; 2];

/// How far inside the end of an edge, and how far beyond it, a point is at the end (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub(super) inside: f64,
    pub(super) beyond: f64,
}

/// Calls for the barriers of a point against every edge among some that is not farther away than a distance (m): its heights over the edge, beyond
/// its ends and behind it, at two places of the point, and the unit vectors along which they are measured. What is at an end of an edge, to the `border` of a place
/// (0 or 1) and an edge of a length (m), is over the edge, as it is where the gap is taken. What is behind an edge is kept out by that only if it is outside.
pub(super) fn for_each_barrier(
    polygon: &Polygon,
    [from, to]: [&Vec2; 2],
    distance: f64,
    border: impl Fn(usize, f64) -> Border,
    is_among: impl Fn(usize) -> bool,
    mut each: impl FnMut(Barriers, [Vec2; 4]),
) {
    polygon.tree.for_each_within(from, distance * distance, |index| {
        let edge = &polygon.edges[index];
        let feet = [from, to].map(|point| edge.foot(point));
        // What else is in its leaf may be anywhere, and the point behind it.
        if !is_among(index) || feet[0].square > distance * distance {
            return;
        }
        // What comes over an end, but for rounding, is not kept out by that: on faces of one width corners meet corners. What is at the corner at both looks stays there.
        let borders = [0, 1].map(|place| border(place, edge.length));
        let stays = feet.iter().zip(borders).all(|(foot, border)| foot.height.abs() <= border.inside);
        // What is held on the other edge of a hollow comes over this one's end and under its line at once.
        let beside = |corner: usize, beyond: f64, border: Border| {
            let is_over_end = !stays && (-border.inside..=border.beyond).contains(&beyond);
            if is_over_end || polygon.corners[corner].is_hollow { f64::NEG_INFINITY } else { beyond }
        };
        let after = (index + 1) % polygon.edges.len();
        let at = |place: usize| {
            let (foot, border) = (&feet[place], borders[place]);
            let ends = [beside(after, foot.place - edge.length, border), beside(index, -foot.place, border)];
            [foot.height, ends[0], ends[1], -foot.height]
        };
        each([at(0), at(1)], [edge.outward, edge.along, -edge.along, -edge.outward]);
    });
}

/// Barriers of a circle against an edge, and against the corner at its start, along a unit vector from the corner. A corner in a hollow it
/// does not touch. Behind the edge the circle has the body between, but may be about a corner that is acute.
pub(super) fn barriers_of_circle(
    polygon: &Polygon,
    edge: usize,
    (centre, radius): (&Vec2, f64),
    direction: &Vec2,
) -> Barriers {
    let edges = &polygon.edges;
    let own = &edges[edge];
    let foot = own.foot(centre);
    // In a hollow a point comes over the edge's end and under its line at once.
    let is_point = radius <= TOUCH * own.length;
    let kept_by = |height: f64, border: f64| {
        if border > 0.0 && height.abs() <= border { f64::NEG_INFINITY } else { height }
    };
    let beside = |corner: usize, beyond: f64| {
        let is_open = is_point && polygon.corners[corner].is_hollow;
        if is_open { f64::NEG_INFINITY } else { kept_by(beyond, reach_of(polygon, edge, corner)) }
    };
    let (before_start, after_end) =
        (beside(edge, -foot.place), beside((edge + 1) % edges.len(), foot.place - own.length));
    // A point in a hollow is on both lines, and rounding says which of them keeps it.
    let behind = kept_by(-foot.height, if is_point { 0.0 } else { TOUCH * own.length });
    let off_edge = [foot.height - radius, after_end, before_start, behind];
    if polygon.corners[edge].is_reflex {
        return [off_edge, [f64::INFINITY; 4]];
    }
    let off_corner = direction.dot(&(centre - own.start)) - radius;
    let last = (edge + edges.len() - 1) % edges.len();
    let over_own = foot.place + reach_of(polygon, edge, edge);
    let over_last = edges[last].length + reach_of(polygon, last, edge) - edges[last].foot(centre).place;
    [off_edge, [foot.height - radius, over_own, over_last, off_corner]]
}
