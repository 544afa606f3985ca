//! Lower bounds of a gap between two looks at it: what a search inside a step calls clear is clear.

use carom_math::{Pose, Vec2};

use super::barrier::{Border, barriers_of_circle, for_each_barrier};
use super::feature::{Meeting, meet, vertex_of};
use super::held::MARGIN;
use super::hollow::{Against, TOUCH, at_vertex_against};
use super::placement::Planar;
use super::vertex::is_pushed;
use super::{Polygon, contact};
use crate::Shape;

/// Two looks at a feature of A and B.
#[derive(Clone, Copy)]
pub struct Looks<'a> {
    /// Poses of A and B at the first look and at the second.
    pub poses: [[&'a Pose; 2]; 2],
    /// What a surface point of one can travel against the other between them (m).
    pub travel: f64,
    /// What one can turn against the other between them (rad).
    pub turn: f64,
    /// What is added to every gap (m).
    pub slack: f64,
}

/// Least gap of a feature between two looks, of a vertex against some edges. `chord` bounds a height from below, from its values at both: that of a point of A (0) or of
/// B (1) over a line that is fixed to the other, whose normal is stated in the other's frame where there is but one line.
///
/// The gap of a vertex outside of a polygon is neither convex nor concave. But the vertex enters only through an edge,
/// and stays out of an edge as long as it is in front of it, or beside it on one side, or still behind it, with the outline between: heights over
/// lines, each of which is above its chord by all but how far the vertex bends off a straight way.
pub fn least_gap(
    (a, b): (&Shape, &Shape),
    looks: &Looks<'_>,
    (feature, against): (usize, Against),
    chord: impl Fn((usize, Option<Vec2>), f64, f64) -> f64,
) -> f64 {
    let Some(meeting) = meet(a, b) else { return f64::INFINITY };
    match meeting {
        Meeting::Polygons(a, b) => {
            let (of_b, vertex) = vertex_of(a, b, feature);
            let (own, other) = if of_b { (b, a) } else { (a, b) };
            let place = looks.placement(of_b, 0);
            let gap = match against {
                Against::Soft => other.signed_distance(&place.point(&own.points()[vertex])).gap,
                _ => at_vertex_against(own, vertex, other, (&place, against)).gap,
            };
            let places = looks.places(of_b, &own.points()[vertex]);
            let is_in_reach = other.filter(against, &places[0]);
            let (corner, pushes) = (&own.corners[vertex], place.turned(&own.corners[vertex].outward));
            let may_push = |edge: usize| {
                against == Against::Soft || is_pushed(corner, &pushes, &other.edges[edge], looks.turn)
            };
            let is_among = |edge: usize| is_in_reach(edge) && may_push(edge);
            // Bodies that give are beside an edge or over it by rounding alone: a search that saw more would find touches that there are not. Far away one that saw less
            // would find none.
            let rounding = [0, 1].map(|look| looks.placement(of_b, look).rounding(&places[look]));
            let border = |look: usize, length: f64| match against {
                Against::Soft => {
                    Border { inside: looks.rounding().max(rounding[look]), beyond: rounding[look] }
                }
                _ => {
                    let margin = looks.rounding().max(MARGIN * length);
                    Border { inside: margin, beyond: margin }
                }
            };
            least_of_vertex((other, is_among), (places, gap), (looks, border), |n, u, v| {
                chord((usize::from(of_b), Some(n)), u, v)
            })
        }
        Meeting::Circle { radius, polygon, swapped } => {
            let places = looks.places(swapped, &Vec2::zeros());
            least_of_circle((polygon, feature), (&places, radius), looks.slack, |u, v| {
                chord((usize::from(swapped), None), u, v)
            })
        }
        Meeting::Circles([r, s]) => {
            let places = looks.places(true, &Vec2::zeros());
            let along = |direction: Option<Vec2>| {
                let height = |place: &Vec2| direction.map_or(-1.0, |n| n.dot(place)) - (r + s) + looks.slack;
                chord((1, None), height(&places[0]), height(&places[1]))
            };
            along(places[0].try_normalize(0.0)).max(along(places[1].try_normalize(0.0)))
        }
        Meeting::Vertices { swapped, .. } | Meeting::Rim { swapped, .. } => {
            let gap = |k: usize| {
                let found = contact(a, looks.poses[k][0], b, looks.poses[k][1], feature);
                found.map_or(f64::NAN, |point| point.gap) + looks.slack
            };
            chord((usize::from(swapped), None), gap(0).max(0.0), gap(1))
        }
    }
}

/// Rounding of places in the world over their coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Looks<'_> {
    /// What rounding leaves of where A and B are against each other (m).
    fn rounding(&self) -> f64 {
        let farthest = self.poses.iter().flatten().map(|pose| pose.translation.amax());
        ROUNDING * farthest.fold(0.0, f64::max)
    }

    /// A point of B (or of A) in the frame of the other, at both looks.
    fn places(&self, of_b: bool, point: &Vec2) -> [Vec2; 2] {
        [0, 1].map(|look| self.placement(of_b, look).point(point))
    }

    /// B in the frame of A, or A in that of B, at a look.
    fn placement(&self, of_b: bool, look: usize) -> Planar {
        let [a, b] = self.poses[look];
        if of_b { Planar::of(b, a) } else { Planar::of(a, b) }
    }
}

fn least_of_vertex(
    (other, is_among): (&Polygon, impl Fn(usize) -> bool),
    ([from, to], gap): ([Vec2; 2], f64),
    (looks, border): (&Looks<'_>, impl Fn(usize, f64) -> Border),
    chord: impl Fn(Vec2, f64, f64) -> f64,
) -> f64 {
    let gap = gap + looks.slack;
    // In front of edges that it cannot reach it stays.
    let mut least = gap - looks.travel;
    if least > 0.0 {
        return least;
    }
    least = f64::INFINITY;
    let touch = TOUCH * other.size();
    for_each_barrier(
        other,
        [&from, &to],
        looks.travel + looks.slack,
        border,
        is_among,
        |[mut first, mut last], normals| {
            first[0] += looks.slack;
            last[0] += looks.slack;
            // What is open is not inside, whatever rounding says.
            if gap <= 0.0 {
                first[0] = first[0].max(0.0);
            }
            let is_behind = gap > 0.0 && first[3] > touch;
            let kept_out = (0..3 + usize::from(is_behind)).map(|k| chord(normals[k], first[k], last[k]));
            let kept_out = kept_out.fold(f64::NEG_INFINITY, f64::max);
            least = least.min(kept_out);
        },
    );
    least
}

fn least_of_circle(
    (polygon, edge): (&Polygon, usize),
    (places, radius): (&[Vec2; 2], f64),
    slack: f64,
    chord: impl Fn(f64, f64) -> f64,
) -> f64 {
    let corner = polygon.points()[edge];
    let along = |direction: Option<Vec2>| {
        let direction = direction.unwrap_or_else(Vec2::x);
        let [mut first, last] = places
            .each_ref()
            .map(|place| barriers_of_circle(polygon, edge, (place, radius - slack), &direction));
        // What is open is not inside, whatever rounding says.
        let [[over_edge, ..], [over_line, .., off_corner]] = &mut first;
        for height in [over_edge, over_line, off_corner].into_iter().filter(|height| height.abs() <= slack) {
            *height = height.max(0.0);
        }
        let kept_off = |place: usize| {
            let least = (0..4).map(|k| chord(first[place][k], last[place][k]));
            least.fold(f64::NEG_INFINITY, f64::max)
        };
        kept_off(0).min(kept_off(1))
    };
    let from = |place: &Vec2| (place - corner).try_normalize(0.0);
    along(from(&places[0])).max(along(from(&places[1])))
}
