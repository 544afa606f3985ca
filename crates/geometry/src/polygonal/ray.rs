//! The one formula by which a penetration line meets a triangle.
//!
//! Everything that decides about contact calls [`meet`], so that brute force, lists and the classic construction agree
//! in every bit. It has no branches, so that a compiler can run it for several pairs at once, and no fused
//! multiply-add, so that it gives the same bits on every machine.

use carom_math::{Pose, Vec3};

use super::SearchFault;

/// |m·d| below which a line runs along a plane and does not meet it.
const GRAZING: f64 = 1e-9;

/// Slack of the barycentric coordinates: a line through an edge meets both neighbours.
const EDGE_SLACK: f64 = 1e-11;

/// Greatest slack, which slivers at the limit of rounding have.
pub(super) const GREATEST_EDGE_SLACK: f64 = 1e-6;

/// Rounding errors of a barycentric coordinate, in units of rounding of the operands.
const ROUNDINGS: f64 = 16.0;

/// `X_TB`, the pose of the base in the target, as plain numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) rows: [[f64; 3]; 3],
    pub(super) shift: [f64; 3],
}

impl Placement {
    pub(super) fn checked(x_tb: &Pose) -> Result<Self, SearchFault> {
        let r = &x_tb.rotation;
        let placement = Self {
            rows: [0, 1, 2].map(|i| [r[(i, 0)], r[(i, 1)], r[(i, 2)]]),
            shift: x_tb.translation.into(),
        };
        let mut numbers = placement.rows.as_flattened().iter().chain(&placement.shift);
        if numbers.all(|x| x.is_finite()) { Ok(placement) } else { Err(SearchFault::PoseNotFinite) }
    }

    #[inline(always)]
    pub(super) fn turn(&self, v: [f64; 3]) -> [f64; 3] {
        [dot(self.rows[0], v), dot(self.rows[1], v), dot(self.rows[2], v)]
    }

    #[inline(always)]
    pub(super) fn take(&self, p: [f64; 3]) -> [f64; 3] {
        let v = self.turn(p);
        [v[0] + self.shift[0], v[1] + self.shift[1], v[2] + self.shift[2]]
    }
}

/// A triangle as its plane m·x = `offset` and two barycentric coordinates β = g₁·x − c₁, γ = g₂·x − c₂, in the
/// target's frame. The constants c contain the slack e, so that the triangle is β ≥ 0, γ ≥ 0, β + γ ≤ `limit`
/// = 1 + 3e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrianglePlane {
    pub(super) normal: [f64; 3],
    pub(super) offset: f64,
    pub(super) g1: [f64; 3],
    pub(super) c1: f64,
    pub(super) g2: [f64; 3],
    pub(super) c2: f64,
    pub(super) limit: f64,
}

impl TrianglePlane {
    /// Of a degenerate triangle: comparisons with it fail.
    pub(super) const NOWHERE: Self = Self {
        normal: [f64::NAN; 3],
        offset: f64::NAN,
        g1: [f64::NAN; 3],
        c1: f64::NAN,
        g2: [f64::NAN; 3],
        c2: f64::NAN,
        limit: f64::NAN,
    };

    /// With n = e₁ × e₂: g₁ = e₂ × n/|n|², g₂ = n × e₁/|n|². The slack is 1e-11, or more for triangles so thin
    /// that coordinates as large as `radius` (m), the farthest of the surface, are rounded by more than that.
    pub(super) fn new([v0, v1, v2]: &[Vec3; 3], radius: f64) -> Self {
        let (e1, e2) = (v1 - v0, v2 - v0);
        let n = e1.cross(&e2);
        let squared = n.norm_squared();
        let (g1, g2) = (e2.cross(&n) / squared, n.cross(&e1) / squared);
        let normal = n / squared.sqrt();
        let rounding = ROUNDINGS * f64::EPSILON * radius * (g1.norm() + g2.norm());
        let slack = rounding.clamp(EDGE_SLACK, GREATEST_EDGE_SLACK);
        Self {
            normal: normal.into(),
            offset: normal.dot(v0),
            g1: g1.into(),
            c1: g1.dot(v0) - slack,
            g2: g2.into(),
            c2: g2.dot(v0) - slack,
            limit: 1.0 + 3.0 * slack,
        }
    }
}

/// Where a line meets a plane, and whether that is a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Distance along the line (m).
    pub(super) depth: f64,
    /// m·d, > 0 if the line comes from the inner side.
    pub(super) cosine: f64,
    /// Within the reach and within the triangle.
    pub(super) is_hit: bool,
}

/// Line from `o` along the unit vector `d`, both in the base's frame: t = (m·v₀ − m·o′)/(m·d′), a hit if 0 ≤ t ≤
/// `reach` and o′ + t d′ is in the triangle.
#[inline(always)]
pub(super) fn meet(
    placement: &Placement,
    o: [f64; 3],
    d: [f64; 3],
    triangle: &TrianglePlane,
    reach: f64,
) -> Meeting {
    let (o, d) = (placement.take(o), placement.turn(d));
    let cosine = dot(triangle.normal, d);
    let depth = (triangle.offset - dot(triangle.normal, o)) / cosine;
    let x = [o[0] + depth * d[0], o[1] + depth * d[1], o[2] + depth * d[2]];
    let beta = dot(triangle.g1, x) - triangle.c1;
    let gamma = dot(triangle.g2, x) - triangle.c2;
    // A depth that is not a number, from a line along the plane, fails every comparison.
    let is_hit = (cosine.abs() >= GRAZING)
        & (depth >= 0.0)
        & (depth <= reach)
        & (beta >= 0.0)
        & (gamma >= 0.0)
        & (beta + gamma <= triangle.limit);
    Meeting { depth, cosine, is_hit }
}

#[inline(always)]
pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
