//! Two convex polyhedra, or one over a half-space, as features that touch on their own: vertices of each on faces of the other, and
//! edges of both that cross. Rigid contact holds each by rows of its own, so that a face rests on a face at every corner of
//! their overlap.
//!
//! | feature | gap, apart | gap, touching or overlapping |
//! |---|---|---|
//! | vertex–face | height over the highest plane of the other solid: never above the distance | the same, which is the depth |
//! | edge–edge | distance of the edges | along the normal to both, where they cross and no solid rises over it |
//! | vertex–half-space | height | height |
//!
//! Two polyhedra touch where the least of these gaps is zero. What two features would both be at one place, within a *margin* of 1e-7 of
//! the smaller solid, is one of them: a vertex on the border of a face touches the face and no edge, of two vertices that meet A's. The
//! others have a gap a little above rounding there. No gap is above the distance by more.

mod course;
mod crossing;
mod polyhedron;
mod vertex;

use std::sync::Arc;

use carom_math::{Pose, Vec3};

use crate::ContactPoint;
pub use course::FacetLooks;
use crossing::{Crossing, RISE, cross_edges, nearest_on_edges};
pub use polyhedron::Polyhedron;
use vertex::{over_face, room_on_face};

/// Margin at borders, of the smaller solid's radius.
const MARGIN: f64 = 1e-7;
/// Gap of what touches without being a contact, in units in the last place of the largest coordinate: above what rounding leaves.
const BESIDE_ULPS: f64 = 64.0;
/// Depth to which edges that cross touch, of the thinner solid's width.
const DEEPEST: f64 = 0.1;

/// The features of two solids.
#[derive(Clone, Debug, PartialEq)]
pub struct Facets {
    a: Arc<Polyhedron>,
    /// None: a half-space, solid z ≤ 0 in its frame.
    b: Option<Arc<Polyhedron>>,
    margin: f64,
    /// Edges that cross farther inside each other than this are on the far sides of their solids (m).
    deepest: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    VertexOfA(usize),
    VertexOfB(usize),
    Edges(usize, usize),
}

impl Facets {
    /// Of A and B, or of A over a half-space.
    pub fn new(a: Arc<Polyhedron>, b: Option<Arc<Polyhedron>>) -> Self {
        let smaller = b.as_ref().map_or(a.radius, |b| a.radius.min(b.radius));
        let thinner = b.as_ref().map_or(a.width, |b| a.width.min(b.width));
        Self { a, b, margin: MARGIN * smaller, deepest: DEEPEST * thinner }
    }

    /// Number of features.
    pub fn count(&self) -> usize {
        let of_a = self.a.vertices.len();
        self.b.as_ref().map_or(of_a, |b| of_a + b.vertices.len() + self.a.edges.len() * b.edges.len())
    }

    fn feature(&self, index: usize) -> Feature {
        let of_a = self.a.vertices.len();
        let Some(b) = &self.b else { return Feature::VertexOfA(index) };
        let of_both = of_a + b.vertices.len();
        if index < of_a {
            Feature::VertexOfA(index)
        } else if index < of_both {
            Feature::VertexOfB(index - of_a)
        } else {
            let edges = b.edges.len();
            Feature::Edges((index - of_both) / edges, (index - of_both) % edges)
        }
    }

    /// Name of a feature in messages, for sides that are called so.
    pub fn name(&self, index: usize, [a, b]: [&str; 2]) -> String {
        match self.feature(index) {
            Feature::VertexOfA(vertex) => format!("vertex {vertex} of {a}"),
            Feature::VertexOfB(vertex) => format!("vertex {vertex} of {b}"),
            Feature::Edges(i, j) => format!("edge {i} of {a} on edge {j} of {b}"),
        }
    }

    /// Contact of a feature, and the face that a vertex touches. A contact that is held stays on the face that it began on, and edges
    /// on their lines, so that its gap is smooth: [`Self::room`] says when it ends.
    pub fn contact(
        &self,
        index: usize,
        x_wa: &Pose,
        x_wb: &Pose,
        held_on: Option<usize>,
    ) -> (ContactPoint, usize) {
        let Some(b) = &self.b else {
            let (outward, Feature::VertexOfA(vertex)) = (x_wb.z_axis(), self.feature(index)) else {
                unreachable!("over a half-space there are vertices alone")
            };
            let arm = x_wa.rotation * self.a.vertices[vertex];
            let gap = outward.dot(&(x_wa.translation - x_wb.translation + arm));
            let point_a = x_wa.translation + arm;
            return (ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }, 0);
        };
        let place = x_wb.inverse().compose(x_wa);
        let beside = self.beside(x_wa, x_wb);
        match self.feature(index) {
            Feature::VertexOfA(vertex) => {
                let over = over_face(&self.a, vertex, b, &place, self.margin, held_on);
                let normal = -(x_wb.rotation * b.faces[over.face].normal);
                (at_vertex(x_wb, &over.point, over.gap, normal), over.face)
            }
            Feature::VertexOfB(vertex) => {
                let back = x_wa.inverse().compose(x_wb);
                let mut over = over_face(b, vertex, &self.a, &back, self.margin, held_on);
                let meets = |of_a: &Vec3| (of_a - over.point).amax() <= self.margin;
                if held_on.is_none() && over.gap.abs() <= self.margin && self.a.vertices.iter().any(meets) {
                    over.gap = beside;
                }
                let normal = -(x_wa.rotation * self.a.faces[over.face].normal);
                (at_vertex(x_wa, &over.point, over.gap, normal).swapped(), over.face)
            }
            Feature::Edges(i, j) => {
                let (of_a, of_b) = (&self.a.edges[i], &b.edges[j]);
                let crossing = cross_edges(of_a, &place, of_b);
                let touching = crossing.filter(|at| held_on.is_some() || self.can_touch(at));
                let (points, normal, least) = match touching {
                    Some(at) => (at.points, at.normal, f64::NEG_INFINITY),
                    None => {
                        let points = nearest_on_edges(of_a, &place, of_b);
                        let way = points[1] - points[0];
                        (points, way.try_normalize(0.0).unwrap_or_else(Vec3::zeros), beside)
                    }
                };
                let gap = normal.dot(&(points[1] - points[0])).max(least);
                let [point_a, point_b] = points.map(|point| x_wb.transform_point(&point));
                (ContactPoint { gap, normal: x_wb.rotation * normal, point_a, point_b }, 0)
            }
        }
    }

    /// Do edges that cross so touch, or come to touch?
    fn can_touch(&self, at: &Crossing) -> bool {
        at.room >= 0.5 * self.margin && at.rise <= RISE && at.gap() >= -self.deepest
    }

    /// Gap of features that touch where others are the contact (m).
    fn beside(&self, x_wa: &Pose, x_wb: &Pose) -> f64 {
        let coordinate = x_wa.translation.amax().max(x_wb.translation.amax());
        let radius = self.b.as_ref().map_or(self.a.radius, |b| self.a.radius.max(b.radius));
        BESIDE_ULPS * f64::EPSILON * (coordinate + radius)
    }

    /// How far a contact that is held is from leaving the face, or the edges, that it is on (m), negative where it has.
    pub fn room(&self, index: usize, x_wa: &Pose, x_wb: &Pose, face: usize) -> f64 {
        let Some(b) = &self.b else { return f64::INFINITY };
        let on_face = |own: &Polyhedron, vertex: usize, other: &Polyhedron, place: &Pose| {
            room_on_face(other, face, &place.transform_point(&own.vertices[vertex])) + 2.0 * self.margin
        };
        let place = x_wb.inverse().compose(x_wa);
        match self.feature(index) {
            Feature::VertexOfA(vertex) => on_face(&self.a, vertex, b, &place),
            Feature::VertexOfB(vertex) => on_face(b, vertex, &self.a, &x_wa.inverse().compose(x_wb)),
            Feature::Edges(i, j) => {
                cross_edges(&self.a.edges[i], &place, &b.edges[j]).map_or(-self.margin, |at| {
                    let length = self.a.radius.min(b.radius);
                    (at.room - 0.25 * self.margin).min((2.0 * RISE - at.rise) * length)
                })
            }
        }
    }
}

/// Contact of a vertex over a face of another solid, whose pose is `x`: the point in the solid's frame, the normal towards it.
fn at_vertex(x: &Pose, point: &Vec3, gap: f64, normal: Vec3) -> ContactPoint {
    let point_a = x.transform_point(point);
    ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal }
}
