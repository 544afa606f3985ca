//! Which of two triangles cut each other, eight pairs at a time.
//!
//! Edges against the other's triangle, as everywhere: a pair has nine determinants of an edge and an edge and six of a triangle
//! and a corner, which its six tests share. Rounding is bounded as in [`super::meeting`]; what the bound leaves open goes to exact
//! signs.

use super::meeting::{LEAST, ROUNDING, greater, longest};
use super::nodes::{Posed, Side};
use crate::near::simd::{Kernel, LANES, any_of, lane};
use crate::near::{Placement, cross, dot, minus};

/// Corners of eight pairs, each surface's in its own frame; lanes after the last repeat it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct CornerBlock([[[[f64; LANES]; 3]; 3]; 2]);

/// What became of eight pairs: bit k for lane k.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutBlock {
    /// They cut each other, and rounding cannot have changed that.
    pub(super) cut: u8,
    /// Rounding can have changed whether they do.
    pub(super) unsure: u8,
}

/// Replaces `cuts` by those of pairs (triangle of A · 2³² + triangle of B).
pub(super) struct CutAll<'a> {
    pub(super) posed: &'a Posed<'a>,
    pub(super) pairs: &'a [u64],
    pub(super) cuts: &'a mut Vec<CutBlock>,
}

impl Kernel for CutAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.cuts.clear();
        let mut block = CornerBlock([[[[0.0; LANES]; 3]; 3]; 2]);
        for eight in self.pairs.chunks(LANES) {
            for k in 0..LANES {
                let pair = eight[if k < eight.len() { k } else { eight.len() - 1 }];
                block.set(k, self.posed, pair);
            }
            self.cuts.push(block.cut(self.posed.placement));
        }
    }
}

impl CornerBlock {
    #[inline(always)]
    fn set(&mut self, k: usize, posed: &Posed<'_>, pair: u64) {
        let triangles = [(pair >> 32) as usize, pair as u32 as usize];
        for (side, surface) in [posed.a, posed.b].into_iter().enumerate() {
            let corners = surface.triangles[triangles[side]];
            for j in 0..3 {
                let corner = &surface.vertices[corners[j] as usize];
                self.0[side][j][0][k] = corner.x;
                self.0[side][j][1][k] = corner.y;
                self.0[side][j][2][k] = corner.z;
            }
        }
    }

    #[inline(always)]
    fn cut(&self, placement: &Placement) -> CutBlock {
        let none = [0_u32; LANES];
        let (mut cut, mut unsure) = (none, none);
        let [a, b] = &self.0;
        for k in 0..LANES {
            let a0 = placement.take(lane(&a[0], k));
            let a1 = placement.take(lane(&a[1], k));
            let a2 = placement.take(lane(&a[2], k));
            let (b0, b1, b2) = (lane(&b[0], k), lane(&b[1], k), lane(&b[2], k));
            // Edges of B from b₀ and of A from a₀, and A's corners from b₀: no difference below is longer than twice these.
            let (u, v) = (minus(b1, b0), minus(b2, b0));
            let (e, f) = (minus(a1, a0), minus(a2, a0));
            let (p, q, r) = (minus(a0, b0), minus(a1, b0), minus(a2, b0));
            let size = |axis| greater(longest(u, v, p, q, axis), r[axis].abs());
            let bound = ROUNDING * (size(0) * size(1) * size(2)) + LEAST;
            let far = 8.0 * bound;
            // Corners of A over the plane of B, and of B over that of A.
            let normal = cross(u, v);
            let (s0, s1, s2) = (dot(normal, p), dot(normal, q), dot(normal, r));
            let normal = cross(e, f);
            let (t0, t1, t2) = (-dot(normal, p), dot(normal, minus(b1, a0)), dot(normal, minus(b2, a0)));
            // Edges of A around those of B: each row of one edge of A.
            let (pq, qr, rp) = (cross(p, q), cross(q, r), cross(r, p));
            // The turns of one edge of A add up to n·(its end − its start).
            let (c00, c02) = (dot(pq, u), -dot(pq, v));
            let (c10, c12) = (dot(qr, u), -dot(qr, v));
            let (c20, c22) = (dot(rp, u), -dot(rp, v));
            let c01 = (s1 - s0) - (c00 + c02);
            let c11 = (s2 - s1) - (c10 + c12);
            let c21 = (s0 - s2) - (c20 + c22);
            let is_sure = sure(s0, s1, s2, bound)
                & sure(t0, t1, t2, far)
                & sure(c00, c10, c20, bound)
                & sure(c02, c12, c22, bound)
                & sure(c01, c11, c21, far);
            let is_cut = across(s0, s1) & same(c00, c01, c02)
                | across(s1, s2) & same(c10, c11, c12)
                | across(s2, s0) & same(c20, c21, c22)
                | across(t0, t1) & same(c00, c10, c20)
                | across(t1, t2) & same(c01, c11, c21)
                | across(t2, t0) & same(c02, c12, c22);
            // All corners of one on one side of the other: nothing else matters.
            let is_apart =
                sure(s0, s1, s2, bound) & same(s0, s1, s2) | sure(t0, t1, t2, far) & same(t0, t1, t2);
            cut[k] = if is_sure & is_cut { 1 << k } else { 0 };
            unsure[k] = if is_sure | is_apart { 0 } else { 1 << k };
        }
        CutBlock { cut: any_of(cut), unsure: any_of(unsure) }
    }
}

#[inline(always)]
fn sure(a: f64, b: f64, c: f64, bound: f64) -> bool {
    (a.abs() > bound) & (b.abs() > bound) & (c.abs() > bound)
}

#[inline(always)]
fn across(a: f64, b: f64) -> bool {
    (a < 0.0) != (b < 0.0)
}

#[inline(always)]
fn same(a: f64, b: f64, c: f64) -> bool {
    ((a < 0.0) == (b < 0.0)) & ((b < 0.0) == (c < 0.0))
}

/// The same by exact signs: whether an edge of one goes through the other.
pub(super) fn cut_exactly(posed: &Posed<'_>, triangles: [u32; 2]) -> bool {
    [Side::A, Side::B].into_iter().any(|side| {
        let (own, other) = (triangles[side as usize], triangles[side.other() as usize]);
        let edges = posed.surface(side).triangle_edges[own as usize];
        edges.into_iter().any(|edge| posed.pierces(side, edge, other).is_some())
    })
}
