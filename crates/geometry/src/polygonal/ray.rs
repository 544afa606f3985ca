//! The one formula by which a penetration line meets a triangle.
//!
//! Everything that decides about contact calls [`meet`], so that brute force, lists and the classic construction agree
//! in every bit. It has no branches, so that a compiler can run it for several pairs at once, and no fused
//! multiply-add, so that it gives the same bits on every machine.

use crate::near::{Placement, TrianglePlane, dot};

/// |m·d| below which a line runs along a plane and does not meet it.
const GRAZING: f64 = 1e-9;

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
