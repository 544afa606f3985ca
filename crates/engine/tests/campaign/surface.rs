//! Surfaces as the oracle knows them, and the distance of any two that scenes are made of.

use carom_math::{Pose, Vec3};
use carom_testkit::SupportSolid;

use crate::distance::{
    Triangle, least_of_convex, point_cylinder, point_segment, point_triangle, segment_segment,
    segment_triangle,
};
use crate::facets::Facets;

/// A surface in its frame. Lengths in m.
#[derive(Clone, Debug)]
pub(crate) enum Surface {
    Ball(f64),
    /// About z: radius, half length of the core.
    Capsule(f64, f64),
    /// About z: radius, half length.
    Cylinder(f64, f64),
    /// Below z = 0.
    HalfSpace,
    /// The solid is outside of the ball.
    Cavity(f64),
    /// A convex solid by its support function, over half-spaces only.
    Convex(SupportSolid),
    Facets(Facets),
}

use Surface::{Ball, Capsule, Cavity, Convex, Cylinder, HalfSpace};

/// Golden sections of a point along a segment, to rounding.
const ROUNDS: u32 = 76;

/// Core of a capsule in a frame.
fn core(half_length: f64, x: &Pose) -> [Vec3; 2] {
    [-1.0, 1.0].map(|side| x.transform_point(&Vec3::new(0.0, 0.0, side * half_length)))
}

/// Distance of A and B, whose frames are at `xa` and `xb`. Of two triangle surfaces it is zero while they intersect; others
/// are negative as long as no core of a rounded solid is reached. `None` for pairs that no scene has.
pub(crate) fn distance(a: &Surface, xa: &Pose, b: &Surface, xb: &Pose) -> Option<f64> {
    // B in A's frame; the difference of the places comes first, so that nothing is lost far from the origin.
    let x = Pose {
        rotation: xa.rotation.tr_mul(&xb.rotation),
        translation: xa.inverse_transform_point(&xb.translation),
    };
    between(a, b, &x).or_else(|| between(b, a, &x.inverse()))
}

fn between(a: &Surface, b: &Surface, x: &Pose) -> Option<f64> {
    let c = x.translation;
    Some(match (a, b) {
        (HalfSpace, other) => return height(other, x),
        (Cavity(outer), Ball(r)) => outer - r - c.norm(),
        (Ball(r), Ball(s)) => c.norm() - r - s,
        (Capsule(r, h), Ball(s)) => point_segment(&c, &core(*h, &Pose::identity())) - r - s,
        (Capsule(r, h), Capsule(s, g)) => segment_segment(&core(*h, &Pose::identity()), &core(*g, x)) - r - s,
        (Cylinder(r, h), Ball(s)) => point_cylinder(&c, *r, *h) - s,
        (Cylinder(r, h), Capsule(s, g)) => {
            let [p, q] = core(*g, x);
            least_of_convex(&|t| point_cylinder(&(p + t * (q - p)), *r, *h), ROUNDS) - s
        }
        (Cylinder(r, h), Surface::Facets(facets)) => {
            let to_a = |p: &Vec3| x.transform_point(p);
            let from_point = |p: &Vec3| point_cylinder(&to_a(p), *r, *h);
            facets.least(&from_point, &|t| triangle_cylinder(&t.map(|p| to_a(&p)), *r, *h))
        }
        (Surface::Facets(facets), Ball(r)) => {
            facets.least(&|p| (p - c).norm(), &|t| point_triangle(&c, t)) - r
        }
        (Surface::Facets(facets), Capsule(r, h)) => {
            let segment = core(*h, x);
            facets.least(&|p| point_segment(p, &segment), &|t| segment_triangle(&segment, t)) - r
        }
        (Surface::Facets(f), Surface::Facets(g)) => f.distance(g, x),
        _ => return None,
    })
}

/// Least of the signed distance over a triangle, which is a convex function of the place.
fn triangle_cylinder(t: &Triangle, radius: f64, half_length: f64) -> f64 {
    least_of_convex(
        &|u| {
            let (p, q) = (t[0] + u * (t[1] - t[0]), t[0] + u * (t[2] - t[0]));
            least_of_convex(&|v| point_cylinder(&(p + v * (q - p)), radius, half_length), ROUNDS)
        },
        ROUNDS,
    )
}

/// Height of the lowest point over the plane z = 0.
fn height(b: &Surface, x: &Pose) -> Option<f64> {
    let z = x.translation.z;
    // The world's z axis in B's frame.
    let n = x.rotation.row(2).transpose();
    Some(match b {
        Ball(r) => z - r,
        Capsule(r, h) => z - h * n.z.abs() - r,
        Cylinder(r, h) => z - h * n.z.abs() - r * n.x.hypot(n.y),
        Convex(solid) => z - solid.height(&[-n.x, -n.y, -n.z]),
        Surface::Facets(facets) => facets.corners().map(|p| z + n.dot(p)).fold(f64::INFINITY, f64::min),
        HalfSpace | Cavity(_) => return None,
    })
}

impl Surface {
    /// Is a point of the surface's frame inside the solid? An open surface has no inside.
    pub(crate) fn holds(&self, p: &Vec3) -> bool {
        match self {
            Ball(r) => p.norm() < *r,
            Capsule(r, h) => point_segment(p, &core(*h, &Pose::identity())) < *r,
            Cylinder(r, h) => point_cylinder(p, *r, *h) < 0.0,
            HalfSpace => p.z < 0.0,
            Cavity(r) => p.norm() > *r,
            Convex(_) => false,
            Surface::Facets(facets) => facets.holds(p),
        }
    }
}
