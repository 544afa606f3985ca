//! Outlines that lie across each other: no corner of one need be in the other.

use carom_math::{Pose, Vec2};

use super::Polygon;
use super::edge::Edge;
use super::feature::{Meeting, meet};
use super::placement::{Planar, to_world};
use crate::{ContactPoint, Shape};

/// Over the sizes of both outlines, how far an edge that crosses another one reaches to either side of it at least: edges that touch do not cross.
const PIERCES: f64 = 1e-9;
/// Most sides of an outline along whose normals a way out is looked for.
const WAYS: usize = 256;

/// Where two polygons cross each other, with the shortest way along a normal of a side on which B leaves A altogether: the gap is that, negative, and the
/// normal leads along it, away from A (world axes). None of other shapes, and of what does not cross.
pub fn crossed(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose) -> Option<ContactPoint> {
    let Some(Meeting::Polygons(a, b)) = meet(a, b) else { return None };
    let place = Planar::of(x_wb, x_wa);
    let at = first_crossing(a, b, &place)?;
    let every = |polygon: &Polygon| 1 + polygon.edges.len() / WAYS;
    let of_a = a.edges.iter().step_by(every(a)).map(|edge| edge.outward);
    let of_b = b.edges.iter().step_by(every(b)).map(|edge| -place.turned(&edge.outward));
    let way = |along: &Vec2| {
        let front = a.points().iter().map(|p| along.dot(p)).fold(f64::NEG_INFINITY, f64::max);
        front - b.points().iter().map(|p| along.dot(&place.point(p))).fold(f64::INFINITY, f64::min)
    };
    let (along, way) =
        of_a.chain(of_b).map(|along| (along, way(&along))).min_by(|p, q| p.1.total_cmp(&q.1))?;
    let point = x_wa.translation + to_world(x_wa, &at);
    Some(ContactPoint { gap: -way, normal: to_world(x_wa, &along), point_a: point, point_b: point })
}

/// The middle of an edge of B, in A's frame, that crosses one of A.
fn first_crossing(a: &Polygon, b: &Polygon, place: &Planar) -> Option<Vec2> {
    let least = PIERCES * (a.size() + b.size());
    b.edges.iter().find_map(|edge| {
        let edge = Edge::between(place.point(&edge.start), place.point(&edge.end));
        let mut crosses = false;
        a.tree.for_each_meeting(&edge, |own| {
            let own = &a.edges[own];
            crosses |= pierces(own, &edge, least) && pierces(&edge, own, least);
        });
        crosses.then(|| 0.5 * (edge.start + edge.end))
    })
}

/// Is one end of an edge in front of the line of another one, and the other end behind it, both farther than that (m)?
fn pierces(line: &Edge, edge: &Edge, least: f64) -> bool {
    let [start, end] = [&edge.start, &edge.end].map(|point| line.foot(point).height);
    start.max(end) > least && start.min(end) < -least
}
