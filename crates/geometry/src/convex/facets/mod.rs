//! Two convex polyhedra, sharp or rounded, or one over a half-space, as features that touch on their own: vertices of each on faces
//! of the other, and edges of both that cross. Rigid contact holds each by rows of its own, so that a face rests on a face at every
//! corner of their overlap, and a capsule lies on both its ends.
//!
//! | feature | gap, apart | gap, touching or overlapping |
//! |---|---|---|
//! | vertex–face | height over the highest plane of the other solid: never above the distance | the same, which is the depth |
//! | edge–edge | distance of the edges | along the normal to both, where they cross and no solid rises over it |
//! | vertex–half-space | height | height |
//! | of rounded solids | distance from the other's core, of vertices and of edges that cross, less both radii | the same |
//!
//! Two polyhedra touch where the least of these gaps is zero. What two features would both be at one place, within a *margin* of 1e-7 of
//! the smaller solid, is one of them: a vertex on the border of a face touches the face and no edge, of two vertices that meet A's. The
//! others have a gap a little above rounding there, and so has a vertex that rises from the face which it could press on there: the end of an edge that has
//! slid over the corner. No gap is above the distance by more. Of rounded solids vertices touch edges and
//! vertices, too; as their gaps are smooth from piece to piece, a margin of 1e-11 is enough.

mod course;
mod crossing;
mod piece;
mod polyhedron;
mod rates;
mod territory;
mod vertex;

use std::sync::Arc;

use carom_math::{Pose, Vec3};

use crate::ContactPoint;
pub use course::FacetLooks;
use crossing::{Crossing, RISE, cross_apart, cross_edges, nearest_on_edges};
pub use polyhedron::Polyhedron;
pub use vertex::Arriving;
use vertex::{Over, met_face, over_face, passing_height, room_on_face};

/// Margin at borders, of the smaller solid's radius.
const MARGIN: f64 = 1e-7;
/// Margins of a border within which a begin is at it.
const AT_BEGIN: f64 = 2.0;
/// Faces that are as high as each other there, over the gap of what touches without being a contact.
const LEVEL: f64 = 64.0;
/// Margin of rounded solids, of that or of the radius of their rounding: within it normals turn by no more than that.
const ROUNDED_MARGIN: f64 = 1e-11;
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
    /// Sum of the radii by which they are rounded: cores touch at this distance (m).
    reach: f64,
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
        let reach = a.rounding + b.as_ref().map_or(0.0, |b| b.rounding);
        let margin = if reach > 0.0 { ROUNDED_MARGIN * smaller.min(reach) } else { MARGIN * smaller };
        Self { a, b, reach, margin, deepest: DEEPEST * thinner }
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
        let is_solid_b = self.b.as_ref().is_none_or(|b| b.is_solid());
        let vertex = |k: usize, side: &str, is_solid: bool| {
            let word = if is_solid { "vertex" } else { "end" };
            format!("{word} {k} of {side}")
        };
        let edge = |k: usize, side: &str, is_solid: bool| {
            if is_solid { format!("edge {k} of {side}") } else { format!("side of {side}") }
        };
        match self.feature(index) {
            Feature::VertexOfA(k) => vertex(k, a, self.a.is_solid()),
            Feature::VertexOfB(k) => vertex(k, b, is_solid_b),
            Feature::Edges(i, j) => {
                format!("{} on {}", edge(i, a, self.a.is_solid()), edge(j, b, is_solid_b))
            }
        }
    }

    /// Contact of a feature, and the piece of the other solid, a face or more, that a vertex touches. A contact that is held stays
    /// on the piece that it began on, and edges on their lines, so that its gap is smooth: [`Self::room`] says when it ends.
    pub fn contact(
        &self,
        index: usize,
        x_wa: &Pose,
        x_wb: &Pose,
        held_on: Option<usize>,
    ) -> (ContactPoint, usize) {
        let rounding = self.a.rounding;
        let Some(b) = &self.b else {
            let (outward, Feature::VertexOfA(vertex)) = (x_wb.z_axis(), self.feature(index)) else {
                unreachable!("over a half-space there are vertices alone")
            };
            let arm = x_wa.rotation * self.a.vertices[vertex] - rounding * outward;
            let gap = outward.dot(&(x_wa.translation - x_wb.translation + arm));
            let point_a = x_wa.translation + arm;
            return (ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }, 0);
        };
        let place = x_wb.inverse().compose(x_wa);
        let beside = self.beside(x_wa, x_wb);
        let is_void =
            |over: &Over| held_on.is_none() && over.gap < beside && self.is_beside(index, over, &place);
        let settled = |over: Over| if is_void(&over) { Over { gap: beside, ..over } } else { over };
        match self.feature(index) {
            Feature::VertexOfA(vertex) => {
                let over = settled(self.over(&self.a, vertex, b, &place, held_on));
                (over.contact(x_wb, rounding), over.piece)
            }
            Feature::VertexOfB(vertex) => {
                let over = self.over(b, vertex, &self.a, &x_wa.inverse().compose(x_wb), held_on);
                let over = settled(over);
                (over.contact(x_wa, b.rounding).swapped(), over.piece)
            }
            Feature::Edges(i, j) => {
                let crossing = self.cross(i, j, &place);
                let touching = crossing.filter(|at| held_on.is_some() || self.can_touch(at));
                let (points, normal, least) = match touching {
                    Some(at) => (at.lines.points, at.lines.normal, f64::NEG_INFINITY),
                    None => {
                        let points = nearest_on_edges(&self.a.edges[i], &place, &b.edges[j]);
                        let way = points[1] - points[0];
                        (points, way.try_normalize(0.0).unwrap_or_else(Vec3::zeros), beside)
                    }
                };
                let gap = (normal.dot(&(points[1] - points[0])) - self.reach).max(least);
                let [core_a, core_b] = points.map(|point| x_wb.transform_point(&point));
                let normal = x_wb.rotation * normal;
                let (point_a, point_b) = (core_a + rounding * normal, core_b - b.rounding * normal);
                (ContactPoint { gap, normal, point_a, point_b }, 0)
            }
        }
    }

    /// A vertex over the piece of the other solid that is stated, or that it can touch; `place` takes it into the other's frame.
    fn over(
        &self,
        own: &Polyhedron,
        vertex: usize,
        other: &Polyhedron,
        place: &Pose,
        stated: Option<usize>,
    ) -> Over {
        if self.reach == 0.0 {
            return over_face(own, vertex, other, place, self.margin, stated);
        }
        let point = place.transform_point(&own.vertices[vertex]);
        other.over_piece(stated.unwrap_or_else(|| other.nearest_piece(&point)), point, self.reach)
    }

    /// Is a vertex over a place where another feature is the contact? `place` takes A into B's frame.
    fn is_beside(&self, index: usize, over: &Over, place: &Pose) -> bool {
        if self.reach > 0.0 {
            return self.territory(index, over.piece, place).room < 0.0;
        }
        let meets = |of_a: &Vec3| (of_a - over.point).amax() <= self.margin;
        let is_of_b = matches!(self.feature(index), Feature::VertexOfB(_));
        is_of_b && over.gap.abs() <= self.margin && self.a.vertices.iter().any(meets)
    }

    /// Where two edges cross, in B's frame. Those of rounded solids stay apart.
    fn cross(&self, of_a: usize, of_b: usize, place: &Pose) -> Option<Crossing> {
        let b = self.b.as_ref()?;
        let search = if self.reach == 0.0 { cross_edges } else { cross_apart };
        search(&self.a.edges[of_a], place, &b.edges[of_b])
    }

    /// Do edges that cross so touch, or come to touch?
    fn can_touch(&self, at: &Crossing) -> bool {
        if self.reach > 0.0 {
            return at.room >= self.margin;
        }
        at.room >= 0.5 * self.margin && at.rise <= RISE && at.lines.gap() >= -self.deepest
    }

    /// Gap of a vertex that touches another sharp solid, or nearly so, and passes a corner of that, where B moves at a velocity against A there (m/s,
    /// world axes): its height over the highest plane, and that of what touches where others are the contact at least (m). No face keeps it out. What
    /// moves no faster than what is `still` (m/s) does not pass.
    pub fn passing_gap(
        &self,
        index: usize,
        [x_wa, x_wb]: [&Pose; 2],
        velocity: &Vec3,
        still: f64,
    ) -> Option<f64> {
        let b = self.b.as_ref().filter(|_| self.reach == 0.0)?;
        let height = match self.feature(index) {
            Feature::VertexOfA(vertex) => {
                let (place, moving) = (x_wb.inverse().compose(x_wa), -x_wb.rotation.tr_mul(velocity));
                passing_height(&self.a, vertex, b, (&place, &moving), (self.margin, still))
            }
            Feature::VertexOfB(vertex) => {
                let (place, moving) = (x_wa.inverse().compose(x_wb), x_wa.rotation.tr_mul(velocity));
                passing_height(b, vertex, &self.a, (&place, &moving), (self.margin, still))
            }
            Feature::Edges(..) => None,
        };
        height.map(|height| height.max(self.beside(x_wa, x_wb)))
    }

    /// Within how much of a border both of what meets there are near (m).
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Gap of features that touch where others are the contact (m).
    fn beside(&self, x_wa: &Pose, x_wb: &Pose) -> f64 {
        let coordinate = x_wa.translation.amax().max(x_wb.translation.amax());
        let radius = self.b.as_ref().map_or(self.a.radius, |b| self.a.radius.max(b.radius));
        BESIDE_ULPS * f64::EPSILON * (coordinate + radius)
    }

    /// Is a feature that touches, or nearly so, the contact there, and not another one at the same place?
    pub fn is_alone(&self, index: usize, x_wa: &Pose, x_wb: &Pose) -> bool {
        let place = x_wb.inverse().compose(x_wa);
        match self.feature(index) {
            Feature::Edges(i, j) => self.cross(i, j, &place).is_some_and(|at| self.can_touch(&at)),
            _ => self.over_at(index, x_wa, x_wb).is_none_or(|over| !self.is_beside(index, &over, &place)),
        }
    }

    /// How far a contact that is held is from leaving the piece, or the edges, that it is on (m), negative where it has.
    pub fn room(&self, index: usize, x_wa: &Pose, x_wb: &Pose, piece: usize) -> f64 {
        let Some(b) = &self.b else { return f64::INFINITY };
        let place = x_wb.inverse().compose(x_wa);
        let over = match self.feature(index) {
            Feature::VertexOfA(vertex) => self.room_of_vertex(&self.a, vertex, b, piece, &place),
            Feature::VertexOfB(vertex) => {
                self.room_of_vertex(b, vertex, &self.a, piece, &x_wa.inverse().compose(x_wb))
            }
            Feature::Edges(..) if self.reach > 0.0 => f64::INFINITY,
            Feature::Edges(i, j) => self.cross(i, j, &place).map_or(-self.margin, |at| {
                let length = self.a.radius.min(b.radius);
                (at.room - 0.25 * self.margin).min((2.0 * RISE - at.rise) * length)
            }),
        };
        if self.reach > 0.0 { over.min(self.territory(index, piece, &place).room) } else { over }
    }

    /// That of a vertex on a piece of the other solid, into whose frame `place` takes it.
    fn room_of_vertex(
        &self,
        own: &Polyhedron,
        vertex: usize,
        other: &Polyhedron,
        piece: usize,
        place: &Pose,
    ) -> f64 {
        let point = place.transform_point(&own.vertices[vertex]);
        let room = if self.reach > 0.0 {
            other.room_over(piece, &point)
        } else {
            room_on_face(other, piece, &point)
        };
        room + 2.0 * self.margin
    }

    /// The piece that a held vertex of rounded solids goes on to where it leaves its own; none where its contact ends.
    pub fn next_piece(&self, index: usize, x_wa: &Pose, x_wb: &Pose, piece: usize) -> Option<usize> {
        if self.reach == 0.0 {
            return None;
        }
        let over = self.over_at(index, x_wa, x_wb)?;
        let goes_on = over.piece != piece && !self.is_beside(index, &over, &x_wb.inverse().compose(x_wa));
        goes_on.then_some(over.piece)
    }

    /// Is a feature a vertex of the second solid?
    pub fn is_vertex_of_b(&self, index: usize) -> bool {
        matches!(self.feature(index), Feature::VertexOfB(_))
    }

    /// The piece of the other solid that a vertex has come to as it begins to touch, where B moves at a velocity against A there (m/s, world axes). Its gap
    /// jumps at the margin of a border, where a corner that slides from one solid onto a flush one is no longer beside that but on it: a begin is
    /// located at such a jump to rounding, on either side.
    pub fn piece_met(
        &self,
        index: usize,
        [x_wa, x_wb]: [&Pose; 2],
        velocity: &Vec3,
        arriving: &Arriving,
    ) -> usize {
        let Some(b) = &self.b else { return 0 };
        let margins = (AT_BEGIN * self.margin, LEVEL * self.beside(x_wa, x_wb));
        let seen_in =
            |x: &Pose| Arriving { ground: arriving.ground.map(|n| x.rotation.tr_mul(&n)), ..*arriving };
        match self.feature(index) {
            Feature::Edges(..) => 0,
            _ if self.reach > 0.0 => self.over_at(index, x_wa, x_wb).map_or(0, |over| over.piece),
            Feature::VertexOfA(vertex) => {
                let (place, moving) = (x_wb.inverse().compose(x_wa), -x_wb.rotation.tr_mul(velocity));
                met_face(&self.a, vertex, b, (&place, &moving, &seen_in(x_wb)), margins)
            }
            Feature::VertexOfB(vertex) => {
                let (place, moving) = (x_wa.inverse().compose(x_wb), x_wa.rotation.tr_mul(velocity));
                met_face(b, vertex, &self.a, (&place, &moving, &seen_in(x_wa)), margins)
            }
        }
    }

    /// A feature's vertex over what it can touch; none of edges.
    fn over_at(&self, index: usize, x_wa: &Pose, x_wb: &Pose) -> Option<Over> {
        let b = self.b.as_ref()?;
        match self.feature(index) {
            Feature::VertexOfA(vertex) => {
                Some(self.over(&self.a, vertex, b, &x_wb.inverse().compose(x_wa), None))
            }
            Feature::VertexOfB(vertex) => {
                Some(self.over(b, vertex, &self.a, &x_wa.inverse().compose(x_wb), None))
            }
            Feature::Edges(..) => None,
        }
    }
}
