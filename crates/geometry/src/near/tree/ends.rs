use super::base_tree::Cluster;
use super::leaf::{Leaf, PlacedLeaf};
use super::query::{above, below};
use crate::near::TargetTriangle;
use crate::near::simd::{LANES, any_of, lane};
use crate::near::{Placement, dot};

/// Ends of eight lines in the target's frame, and boxes around them that are inflated by the skin, about the target's centre as its own
/// boxes are, in 32-bit numbers that err outwards.
pub(crate) struct Ends {
    from: [[f64; LANES]; 3],
    to: [[f64; LANES]; 3],
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

impl Leaf for Cluster {
    type Placed = Ends;

    #[inline(always)]
    fn place(&self, placement: &Placement, reach: f64, skin: f64, centre: [f64; 3]) -> Ends {
        let none = [[0.0; LANES]; 3];
        let mut ends = Ends { from: none, to: none, low: [[0.0; LANES]; 3], high: [[0.0; LANES]; 3] };
        let (o, d) = (&self.origin, &self.direction);
        for k in 0..LANES {
            let from = placement.take([o[0][k], o[1][k], o[2][k]]);
            let along = placement.turn([d[0][k], d[1][k], d[2][k]]);
            for i in 0..3 {
                let (a, b) = (from[i], from[i] + reach * along[i]);
                ends.from[i][k] = a;
                ends.to[i][k] = b;
                let (lower, higher) = if a < b { (a, b) } else { (b, a) };
                ends.low[i][k] = below(lower - skin - centre[i]);
                ends.high[i][k] = above(higher + skin - centre[i]);
            }
        }
        ends
    }

    #[inline(always)]
    fn elements(&self) -> &[u32; LANES] {
        &self.element
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.lines
    }
}

impl PlacedLeaf for Ends {
    #[inline(always)]
    fn touch(&self, low: [f32; 3], high: [f32; 3]) -> u8 {
        let mut touch = [0_u32; LANES];
        for k in 0..LANES {
            let mut is_near = true;
            for i in 0..3 {
                is_near &= (self.low[i][k] <= high[i]) & (self.high[i][k] >= low[i]);
            }
            touch[k] = if is_near { 1 << k } else { 0 };
        }
        any_of(touch)
    }

    /// The part of a line that is within the skin of the plane is not beyond an edge by more than the skin. Coordinates grow by |g| per metre. The part is cut longer than need be,
    /// for rounding. Most lines are already told by the plane.
    #[inline(always)]
    fn near(&self, triangle: &TargetTriangle, skin: f64, asked: u8) -> u8 {
        let plane = &triangle.plane;
        let (mut below, mut above, mut near) = ([0.0; LANES], [0.0; LANES], [0_u32; LANES]);
        for k in 0..LANES {
            let p = dot(plane.normal, lane(&self.from, k)) - plane.offset;
            let q = dot(plane.normal, lane(&self.to, k)) - plane.offset;
            let is_near = ((p <= skin) | (q <= skin)) & ((p >= -skin) | (q >= -skin));
            (below[k], above[k]) = (p, q);
            near[k] = if is_near { 1 << k } else { 0 };
        }
        let asked = any_of(near) & asked;
        if asked == 0 {
            return 0;
        }
        let (beta_skin, gamma_skin) = (triangle.growth[0] * skin, triangle.growth[1] * skin);
        let sum_skin = triangle.growth[2] * skin;
        let slab = 1.001 * skin;
        for k in 0..LANES {
            let (from, to) = (lane(&self.from, k), lane(&self.to, k));
            let (p, q) = (below[k], above[k]);
            let (b, d) = (dot(plane.g1, from) - plane.c1, dot(plane.g1, to) - plane.c1);
            let (c, e) = (dot(plane.g2, from) - plane.c2, dot(plane.g2, to) - plane.c2);
            // Shares of the line where it enters and leaves the slab; the whole line if it runs along it.
            let slope = 1.0 / (q - p);
            let (s, t) = ((-slab - p) * slope, (slab - p) * slope);
            let (s, t) = if s < t { (s, t) } else { (t, s) };
            let s = if s > 0.0 { s } else { 0.0 };
            let t = if t < 1.0 { t } else { 1.0 };
            let (b, d) = (b + s * (d - b), b + t * (d - b));
            let (c, e) = (c + s * (e - c), c + t * (e - c));
            let is_near = ((b >= -beta_skin) | (d >= -beta_skin))
                & ((c >= -gamma_skin) | (e >= -gamma_skin))
                & ((b + c <= plane.limit + sum_skin) | (d + e <= plane.limit + sum_skin));
            near[k] = if is_near { 1 << k } else { 0 };
        }
        any_of(near) & asked
    }
}
