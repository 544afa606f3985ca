//! Features of pairs of planar shapes, and the contact of each.

use std::ops::Range;

use carom_math::{Pose, Vec2};

use super::circle::{AtEdge, at_edge, own_at_edge};
use super::hollow::{Against, at_vertex_against};
use super::placement::{Planar, to_world};
use super::plane::over_half_space;
use super::vertex::AtVertex;
use super::{Outline, Polygon};
use crate::{ContactPoint, Shape};

/// What touches what. `swapped` takes B first.
#[derive(Clone, Copy)]
pub(super) enum Meeting<'a> {
    /// Vertices of A, then those of B.
    Polygons(&'a Polygon, &'a Polygon),
    /// A circle with every edge of a polygon.
    Circle { radius: f64, polygon: &'a Polygon, swapped: bool },
    /// Two circles.
    Circles([f64; 2]),
    /// Vertices of a polygon with a half-space.
    Vertices { polygon: &'a Polygon, swapped: bool },
    /// A circle with a half-space.
    Rim { radius: f64, swapped: bool },
}

pub(super) fn meet<'a>(a: &'a Shape, b: &'a Shape) -> Option<Meeting<'a>> {
    let outline = |shape: &'a Shape| match shape {
        Shape::Planar(planar) => Some(&planar.outline),
        _ => None,
    };
    match (outline(a), outline(b)) {
        (Some(Outline::Polygon(a)), Some(Outline::Polygon(b))) => Some(Meeting::Polygons(a, b)),
        (Some(Outline::Circle { radius }), Some(Outline::Polygon(polygon))) => {
            Some(Meeting::Circle { radius: *radius, polygon, swapped: false })
        }
        (Some(Outline::Polygon(polygon)), Some(Outline::Circle { radius })) => {
            Some(Meeting::Circle { radius: *radius, polygon, swapped: true })
        }
        (Some(Outline::Circle { radius: a }), Some(Outline::Circle { radius: b })) => {
            Some(Meeting::Circles([*a, *b]))
        }
        (Some(outline), None) if *b == Shape::HalfSpace => Some(over(outline, false)),
        (None, Some(outline)) if *a == Shape::HalfSpace => Some(over(outline, true)),
        _ => None,
    }
}

fn over(outline: &Outline, swapped: bool) -> Meeting<'_> {
    match outline {
        Outline::Polygon(polygon) => Meeting::Vertices { polygon, swapped },
        Outline::Circle { radius } => Meeting::Rim { radius: *radius, swapped },
    }
}

/// Can two shapes touch each other in the plane?
pub fn is_served(a: &Shape, b: &Shape) -> bool {
    meet(a, b).is_some()
}

/// Number of features of a pair: contacts that it may have at once.
pub fn count_features(a: &Shape, b: &Shape) -> usize {
    match meet(a, b) {
        None => 0,
        Some(Meeting::Polygons(a, b)) => a.convex_points().len() + b.convex_points().len(),
        Some(Meeting::Circle { polygon, .. }) => polygon.points().len(),
        Some(Meeting::Vertices { polygon, .. }) => polygon.convex_points().len(),
        Some(Meeting::Circles(_) | Meeting::Rim { .. }) => 1,
    }
}

/// Name of a feature in messages; empty where there is one.
pub fn feature_name(a: &Shape, b: &Shape, feature: usize) -> String {
    match meet(a, b) {
        Some(Meeting::Polygons(a, b)) => match vertex_of(a, b, feature) {
            (false, vertex) => format!("vertex {vertex} of A"),
            (true, vertex) => format!("vertex {vertex} of B"),
        },
        Some(Meeting::Circle { .. }) => format!("edge {feature}"),
        Some(Meeting::Vertices { polygon, .. }) => format!("vertex {}", polygon.convex_points()[feature]),
        Some(Meeting::Circles(_) | Meeting::Rim { .. }) | None => String::new(),
    }
}

/// Whose vertex a feature is, that of B or of A, and its index in the outline.
pub(super) fn vertex_of(a: &Polygon, b: &Polygon, feature: usize) -> (bool, usize) {
    let of_a = a.convex_points();
    match of_a.get(feature) {
        Some(&vertex) => (false, vertex as usize),
        None => (true, b.convex_points()[feature - of_a.len()] as usize),
    }
}

/// Features that are vertices which may lie in hollows of the other, and so touch a second edge.
pub fn second_features(a: &Shape, b: &Shape) -> Range<usize> {
    let Some(Meeting::Polygons(a, b)) = meet(a, b) else { return 0..0 };
    let (of_a, of_b) = (a.convex_points().len(), b.convex_points().len());
    let from = if b.has_hollows() { 0 } else { of_a };
    from..if a.has_hollows() { of_a + of_b } else { of_a }.max(from)
}

/// Contact of a feature of two shapes that are placed in the world; `None` if they do not meet in a plane.
///
/// | pair | features | gap, outside | gap, inside |
/// |---|---|---|---|
/// | polygon–polygon | convex vertices of both | distance from the outline | depth under the nearest edge that faces the vertex |
/// | circle–polygon | edges, each with the corner at its start | height over the edge, distance of the corner, less R | height less R |
/// | polygon–half-space | convex vertices | height | height |
/// | circle–circle, circle–half-space | one | distance, height, less the radii | the same |
///
/// The normal points from A to B; `point_b = point_a + gap · normal`. Degenerate: centres of circles in one place have the x axis of A.
pub fn contact(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> Option<ContactPoint> {
    contact_against((a, x_wa), (b, x_wb), feature, Against::Soft)
}

/// The same of a vertex against some edges of the other; other features are against what they are.
pub fn contact_against(
    (a, x_wa): (&Shape, &Pose),
    (b, x_wb): (&Shape, &Pose),
    feature: usize,
    against: Against,
) -> Option<ContactPoint> {
    let turned = |swapped: bool, point: ContactPoint| if swapped { point.swapped() } else { point };
    Some(match meet(a, b)? {
        Meeting::Polygons(a, b) => match vertex_of(a, b, feature) {
            (false, vertex) => vertex_on((a, x_wa), vertex, (b, x_wb), against),
            (true, vertex) => vertex_on((b, x_wb), vertex, (a, x_wa), against).swapped(),
        },
        Meeting::Circle { radius, polygon, swapped } => {
            let (circle, other) = if swapped { (x_wb, x_wa) } else { (x_wa, x_wb) };
            turned(swapped, circle_on(radius, circle, polygon, other, feature))
        }
        Meeting::Circles(radii) => circles(radii, x_wa, x_wb),
        Meeting::Vertices { polygon, swapped } => {
            let (owner, half_space) = if swapped { (x_wb, x_wa) } else { (x_wa, x_wb) };
            let vertex = polygon.points()[polygon.convex_points()[feature] as usize];
            turned(swapped, over_half_space(&to_world(owner, &vertex), 0.0, owner, half_space))
        }
        Meeting::Rim { radius, swapped } => {
            let (owner, half_space) = if swapped { (x_wb, x_wa) } else { (x_wa, x_wb) };
            let centre = to_world(owner, &Vec2::zeros());
            turned(swapped, over_half_space(&centre, radius, owner, half_space))
        }
    })
}

/// Is a circle where this feature of it is its contact with a polygon, and not another one? True of all other features.
pub fn is_own_place((a, x_wa): (&Shape, &Pose), (b, x_wb): (&Shape, &Pose), feature: usize) -> bool {
    let Some(Meeting::Circle { radius, polygon, swapped }) = meet(a, b) else { return true };
    let (circle, other) = if swapped { (x_wb, x_wa) } else { (x_wa, x_wb) };
    let centre = Planar::of(circle, other).point(&Vec2::zeros());
    own_at_edge(polygon, feature, &centre, radius).is_some()
}

fn vertex_on(
    (own, x_own): (&Polygon, &Pose),
    vertex: usize,
    (other, x_other): (&Polygon, &Pose),
    against: Against,
) -> ContactPoint {
    let AtVertex { gap, outward, .. } =
        at_vertex_against(own, vertex, other, (&Planar::of(x_own, x_other), against));
    vertex_point((own, x_own), vertex, x_other, &AtEdge { gap, outward })
}

/// Contact of a vertex, which it is the A of.
pub(super) fn vertex_point(
    (own, x_own): (&Polygon, &Pose),
    vertex: usize,
    x_other: &Pose,
    at: &AtEdge,
) -> ContactPoint {
    let normal = -to_world(x_other, &at.outward);
    let point_a = x_own.translation + to_world(x_own, &own.points()[vertex]);
    ContactPoint { gap: at.gap, normal, point_a, point_b: point_a + normal * at.gap }
}

fn circle_on(radius: f64, circle: &Pose, polygon: &Polygon, other: &Pose, edge: usize) -> ContactPoint {
    let centre = Planar::of(circle, other).point(&Vec2::zeros());
    circle_point((radius, circle), other, &at_edge(polygon, edge, &centre, radius))
}

/// Contact of a circle, which is the A of it.
pub(super) fn circle_point((radius, circle): (f64, &Pose), other: &Pose, at: &AtEdge) -> ContactPoint {
    let normal = -to_world(other, &at.outward);
    let point_a = circle.translation + normal * radius;
    ContactPoint { gap: at.gap, normal, point_a, point_b: point_a + normal * at.gap }
}

fn circles([a, b]: [f64; 2], x_wa: &Pose, x_wb: &Pose) -> ContactPoint {
    let place = Planar::of(x_wb, x_wa).point(&Vec2::zeros());
    let distance = place.norm();
    let along = if distance > 0.0 { place / distance } else { Vec2::x() };
    let normal = to_world(x_wa, &along);
    let gap = distance - (a + b);
    let point_a = x_wa.translation + normal * a;
    ContactPoint { gap, normal, point_a, point_b: point_a + normal * gap }
}
