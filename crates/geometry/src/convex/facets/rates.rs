//! How the contact of a feature moves and turns while its solids do.

use carom_math::{Pose, Vec3};

use super::piece::Piece;
use super::polyhedron::Polyhedron;
use super::{Facets, Feature};
use crate::convex::lines::PassingLines;
use crate::rates::{ContactRates, RigidMotion, TipOver};

impl Facets {
    /// Rates of the contact of a feature that is held on a piece of the other solid, for A and B as they move.
    ///
    /// With u the unit vector from the piece to a vertex c, ρ their distance and w the velocity of c as the piece sees it: u̇ = ω × u of a
    /// face, and (w⊥ − u u·w⊥)/ρ beside that over an edge or a vertex, with w⊥ across the edge. Edges that cross: [`PassingLines`].
    pub fn rates(
        &self,
        index: usize,
        piece: usize,
        [x_wa, x_wb]: [&Pose; 2],
        [a, b]: [&RigidMotion; 2],
    ) -> ContactRates {
        match self.feature(index) {
            Feature::VertexOfA(vertex) => {
                let core = x_wa.transform_point(&self.a.vertices[vertex]);
                self.rates_over([self.b.as_deref(), Some(&*self.a)], piece, x_wb, core, [b, a])
            }
            Feature::VertexOfB(vertex) => {
                let own = self.b.as_deref();
                let core = own.map_or_else(Vec3::zeros, |own| x_wb.transform_point(&own.vertices[vertex]));
                self.rates_over([Some(&*self.a), own], piece, x_wa, core, [a, b]).swapped()
            }
            Feature::Edges(i, j) => self.rates_of_edges([i, j], [x_wa, x_wb], [a, b]),
        }
    }

    /// Those of a vertex, at `core`, over a piece of another solid with the pose `x`, or over a half-space; the normal goes from the vertex.
    fn rates_over(
        &self,
        [other, own]: [Option<&Polyhedron>; 2],
        piece: usize,
        x: &Pose,
        core: Vec3,
        [under, over]: [&RigidMotion; 2],
    ) -> ContactRates {
        let speed = over.at(&core) - under.at(&core);
        let seen = x.inverse().transform_point(&core);
        // Over an edge or a vertex: from there to the vertex, and what of the speed turns that.
        let (away, across) = match other.map(|other| (other, other.piece(piece))) {
            None => (None, x.z_axis()),
            Some((other, Piece::Face(face))) => (None, x.rotation * other.faces[face].normal),
            Some((_, Piece::Edge(edge))) => {
                let along = x.rotation * edge.along;
                (Some(x.rotation * edge.away(&seen)), speed - along * along.dot(&speed))
            }
            Some((other, Piece::Vertex(met))) => (Some(x.rotation * (seen - other.vertices[met])), speed),
        };
        let (outward, turning) = match away {
            None => (across, Vec3::zeros()),
            Some(away) => (away.normalize(), TipOver::turning(&away, &across)),
        };
        let rounding = own.map_or(0.0, |own| own.rounding);
        let distance = away.map_or_else(|| self.height(other, piece, x, &core), |away| away.norm());
        let depth = rounding + 0.5 * (distance - self.reach);
        TipOver { centre: core, outward, turning, depth }.rates([under, over])
    }

    /// Height of a point over a face, or over a half-space (m).
    fn height(&self, other: Option<&Polyhedron>, piece: usize, x: &Pose, point: &Vec3) -> f64 {
        let seen = x.inverse().transform_point(point);
        other.map_or(seen.z, |other| other.faces[piece].height(&seen))
    }

    fn rates_of_edges(
        &self,
        [i, j]: [usize; 2],
        [x_wa, x_wb]: [&Pose; 2],
        motions: [&RigidMotion; 2],
    ) -> ContactRates {
        let place = x_wb.inverse().compose(x_wa);
        let Some((b, at)) = self.b.as_ref().zip(self.cross(i, j, &place)) else {
            return ContactRates { position: Vec3::zeros(), normal: Vec3::zeros() };
        };
        let lines = PassingLines {
            along: [x_wa.rotation * self.a.edges[i].along, x_wb.rotation * b.edges[j].along],
            normal: x_wb.rotation * at.lines.normal,
            points: at.lines.points.map(|point| x_wb.transform_point(&point)),
            ..at.lines
        };
        lines.rates([self.a.rounding, self.reach], motions)
    }
}
