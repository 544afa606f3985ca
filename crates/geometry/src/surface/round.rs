//! Triangles of round surfaces against the surfaces that they stand for.
//!
//! With their vertices on the surface all triangles lie inside: contact begins late by what they cut off, and is too soft. A triangle
//! with the edges eₖ whose vertices have the normals nᵢ on a surface of the second fundamental form II lies below it by
//!
//! (1/24) Σ II(e, e) ≈ (1/24) Σ (nⱼ − nᵢ)·(vⱼ − vᵢ)
//!
//! in the mean, over its three edges: the height ½ (Σ λᵢ II(vᵢ, vᵢ) − II(Σ λᵢ vᵢ, Σ λᵢ vᵢ)) at the barycentric coordinates λ is
//! ½ Σ λᵢ λⱼ II(e, e), and λᵢ λⱼ is 1/12 in the mean. Moved out by that, they are on the surface in the mean, and what depends on
//! volumes that are pressed in is off by the square of what it was off by.

use carom_math::Vec3;

use crate::convex::Core;
use crate::shape::Cylinder;
use crate::{Shape, TriangleMesh};

/// Normals that differ by less belong to one piece of the surface: cosine of 26°.
const ONE_PIECE: f64 = 0.9;

/// Pieces that meet in a vertex at most for it to be moved: the rim of a cylinder has two, the tip of a cone has many.
const MOST_PIECES: usize = 2;

/// A surface with known normals, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Round {
    /// About the origin.
    Ball,
    /// About the origin, with these semi-axes (m).
    Ellipsoid(Vec3),
    /// About the segment z = ±half length (m): with half balls at its ends.
    Rod(f64),
    /// Of revolution about z with a straight side that turns towards +z by this (rad), and flat ends.
    Cone(f64),
    /// About the circle of this radius in z = 0 (m).
    Ring(f64),
    /// About the box of these half edges (m).
    Brick(Vec3),
}

impl Round {
    /// The surface of a shape; `None` if nothing is cut off by its triangles, or their normals are not known here.
    pub fn of_shape(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Sphere { .. } => Some(Self::Ball),
            Shape::Cylinder(Cylinder { .. }) => Some(Self::Cone(0.0)),
            Shape::Capsule { half_length, .. } => Some(Self::Rod(*half_length)),
            Shape::Convex(solid) => match (&solid.core, solid.radius > 0.0) {
                (Core::Point, true) => Some(Self::Ball),
                (Core::Segment { half_length }, true) => Some(Self::Rod(*half_length)),
                (Core::Box { half }, true) => Some(Self::Brick(*half)),
                (Core::Ellipsoid { semi_axes }, false) => Some(Self::Ellipsoid(*semi_axes)),
                (Core::Frustum { radius_low, radius_high, half_length }, false) => {
                    Some(Self::Cone(libm::atan2(radius_low - radius_high, 2.0 * half_length)))
                }
                _ => None,
            },
            Shape::HalfSpace | Shape::Box { .. } | Shape::Mesh(_) | Shape::Planar(_) => None,
        }
    }

    /// Normal at a vertex of a triangle with the normal `facet`, on its side.
    fn normal(&self, at: &Vec3, facet: &Vec3) -> Vec3 {
        let out = match self {
            Self::Ball => *at,
            Self::Ellipsoid(axes) => at.component_div(&axes.component_mul(axes)),
            Self::Rod(half) => at - at.z.clamp(-half, *half) * Vec3::z(),
            Self::Cone(lean) => {
                let across = Vec3::new(at.x, at.y, 0.0);
                let along_side = Vec3::new(facet.x, facet.y, 0.0).norm() > 0.5 * libm::cos(*lean);
                match across.try_normalize(0.0) {
                    Some(across) if along_side => across * libm::cos(*lean) + Vec3::z() * libm::sin(*lean),
                    _ => *facet,
                }
            }
            Self::Ring(radius) => {
                let across = Vec3::new(at.x, at.y, 0.0);
                at - across * (radius / across.norm())
            }
            Self::Brick(half) => at - at.inf(half).sup(&-half),
        };
        let out = out.try_normalize(0.0).unwrap_or(*facet);
        if out.dot(facet) < 0.0 { -out } else { out }
    }

    /// By triangle: its corners' normals, how far the surface stands above it in the mean (m; below 0 where that is hollow), and its area.
    fn heights<'a>(&'a self, mesh: &'a TriangleMesh) -> impl Iterator<Item = ([Vec3; 3], f64, f64)> + 'a {
        mesh.corners().map(|v| {
            let twice = (v[1] - v[0]).cross(&(v[2] - v[0]));
            let facet = twice.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let n = v.each_ref().map(|v| self.normal(v, &facet));
            let turn = |i: usize, j: usize| (n[j] - n[i]).dot(&(v[j] - v[i]));
            (n, (turn(0, 1) + turn(1, 2) + turn(2, 0)) / 24.0, 0.5 * twice.norm())
        })
    }

    /// The largest distance between the surface and one of its triangles, in the mean over that (m), as long as vertices are on the surface.
    pub fn sag(&self, mesh: &TriangleMesh) -> f64 {
        self.heights(mesh).map(|(_, height, _)| height.abs()).fold(0.0, f64::max)
    }

    /// Moves vertices that are on the surface so far out that the triangles around each are on it in the mean.
    pub fn balance(&self, mesh: &mut TriangleMesh) {
        let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); mesh.vertices.len()];
        for (triangle, (normals, height, area)) in mesh.triangles.iter().zip(self.heights(mesh)) {
            for (&vertex, normal) in triangle.iter().zip(normals) {
                let own = &mut pieces[vertex as usize];
                let known = own.iter_mut().find(|piece| piece.normal.dot(&normal) > ONE_PIECE);
                match known {
                    Some(piece) => {
                        piece.area += area;
                        piece.volume += area * height;
                    }
                    None => own.push(Piece { normal, area, volume: area * height }),
                }
            }
        }
        for (vertex, pieces) in mesh.vertices.iter_mut().zip(pieces) {
            if pieces.len() <= MOST_PIECES {
                *vertex += way_out(&pieces);
            }
        }
    }
}

/// Triangles around a vertex whose normals there are one.
#[derive(Clone, Copy)]
struct Piece {
    normal: Vec3,
    area: f64,
    /// Between them and the surface (m³).
    volume: f64,
}

/// The shortest way that goes along each normal as far as the surface stands above the triangles there.
fn way_out(pieces: &[Piece]) -> Vec3 {
    let height = |piece: &Piece| if piece.area > 0.0 { piece.volume / piece.area } else { 0.0 };
    match pieces {
        [one] => one.normal * height(one),
        [one, other] => {
            let (a, b, along) = (height(one), height(other), one.normal.dot(&other.normal));
            let rest = 1.0 - along * along;
            one.normal * ((a - along * b) / rest) + other.normal * ((b - along * a) / rest)
        }
        _ => Vec3::zeros(),
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::convex::ConvexShape;
    use crate::shape::CylinderSide;
    use crate::surface::{Resolution, tessellate, torus};

    fn volume(mesh: &TriangleMesh) -> f64 {
        mesh.corners().map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }

    /// With their vertices moved out surfaces of 2000 triangles enclose what their shapes do: what is missing, 0.1 to 2 % before, falls to
    /// less than a fiftieth. At the tip of a cone and along rims of few sides something is left.
    #[test]
    fn balanced_triangles_enclose_what_their_shapes_do() {
        let tube = |side| Shape::Cylinder(Cylinder { radius: 1.0, half_length: 1.0, side });
        let semi_axes = Vec3::new(1.0, 2.0, 0.5);
        let cone = Core::Frustum { radius_low: 1.0, radius_high: 0.0, half_length: 1.5 };
        let cases = [
            (Shape::Sphere { radius: 1.0, hollow: false }, 4.0 / 3.0 * PI, 0.02),
            (Shape::Sphere { radius: 1.0, hollow: true }, -4.0 / 3.0 * PI, 0.02),
            (tube(CylinderSide::Solid), 2.0 * PI, 0.02),
            (tube(CylinderSide::Hollow { closed: true }), -2.0 * PI, 0.02),
            (Shape::Capsule { radius: 1.0, half_length: 2.0 }, 16.0 / 3.0 * PI, 0.02),
            (Shape::Convex(ConvexShape::sharp(Core::Ellipsoid { semi_axes })), 4.0 / 3.0 * PI, 0.02),
            (Shape::Convex(ConvexShape::sharp(cone)), PI, 0.1),
        ];
        let meshes = cases.map(|(shape, exact, left)| {
            let mesh = tessellate(&shape, 2000).expect("a solid with triangles").unwrap();
            (Round::of_shape(&shape).expect("a round shape"), mesh, exact, left)
        });
        let ring = torus(2.0, 0.5, Resolution::Facets(2000)).unwrap();
        let ring = (Round::Ring(2.0), ring, 2.0 * PI * 2.0 * PI * 0.25, 0.02);
        for (round, mut mesh, exact, left) in meshes.into_iter().chain([ring]) {
            let before = (volume(&mesh) / exact - 1.0).abs();
            round.balance(&mut mesh);
            let after = (volume(&mesh) / exact - 1.0).abs();
            assert!(before > 1e-3 && after < left * before, "{round:?}: {before} {after}");
        }
    }

    /// A triangle of the equator of a ball cuts off ρ²/(2 R) · 3/4 in the mean, with the radius ρ of its circumcircle: the largest of a geodesic
    /// one is a fifth above the mean triangle. A prism of n sides cuts off R (π/n)²/3 of a cylinder, less what is of fourth order.
    #[test]
    fn sags_are_those_of_chords() {
        let ball = Shape::Sphere { radius: 1.0, hollow: false };
        let mesh = tessellate(&ball, 20_000).expect("triangles").unwrap();
        let mean = 16.0 * PI / (3.0 * 3.0_f64.sqrt() * mesh.triangles.len() as f64) * 3.0 / 8.0;
        let sag = Round::Ball.sag(&mesh);
        assert!(sag > mean && sag < 1.4 * mean, "{sag} {mean}");
        let mesh = crate::surface::cylinder(1.0, 1.0, Resolution::Divisions(64)).unwrap();
        let exact = (PI / 64.0_f64).powi(2) / 3.0;
        let sag = Round::Cone(0.0).sag(&mesh);
        assert!((sag / exact - 1.0).abs() < 0.01, "{sag} {exact}");
    }
}
