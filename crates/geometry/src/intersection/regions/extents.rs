use super::layout::{Layout, OfRegion};
use crate::near::simd::{Kernel, LANES, lane};
use crate::near::{Placement, dot, minus};

/// Farthest nodes of a region along the plane's normal and its axes, as lowest and highest, and how far vertices reach.
pub(super) struct FindExtents<'a> {
    pub(super) layout: &'a Layout,
    pub(super) of: [OfRegion; 2],
    pub(super) spots: &'a [[f64; 3]],
    pub(super) through: [f64; 3],
    /// Axes of the plane, and its normal.
    pub(super) axes: [[f64; 3]; 3],
    /// A's frame in B's.
    pub(super) placement: &'a Placement,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Extents {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    /// Farthest points of A along the normal and of B against it (m).
    pub(super) reach: [f64; 2],
}

impl Kernel for FindExtents<'_> {
    type Output = Extents;

    #[inline(always)]
    fn run(self) -> Extents {
        let [from, to] = self.of;
        let (mut low, mut high) = ([[f64::INFINITY; LANES]; 3], [[f64::NEG_INFINITY; LANES]; 3]);
        for eight in self.layout.nodes[from.nodes as usize..to.nodes as usize].chunks(LANES) {
            let mut arms = [[0.0; LANES]; 3];
            for k in 0..LANES {
                let node = eight[if k < eight.len() { k } else { 0 }];
                let arm = minus(self.spots[node as usize], self.through);
                for i in 0..3 {
                    arms[i][k] = arm[i];
                }
            }
            for k in 0..LANES {
                for i in 0..3 {
                    let along = dot(self.axes[i], lane(&arms, k));
                    low[i][k] = if along < low[i][k] { along } else { low[i][k] };
                    high[i][k] = if along > high[i][k] { along } else { high[i][k] };
                }
            }
        }
        let mut extents = Extents { low: [0.0; 3], high: [0.0; 3], reach: [0.0; 2] };
        for i in 0..3 {
            for k in 0..LANES {
                low[i][k] = -low[i][k];
            }
            extents.low[i] = -most(low[i]);
            extents.high[i] = most(high[i]);
        }
        // Distances from the plane in each surface's own frame: B's is the one that everything is in.
        let normal = self.axes[2];
        let rows = &self.placement.rows;
        let mut turned = [0.0; 3];
        for j in 0..3 {
            turned[j] = normal[0] * rows[0][j] + normal[1] * rows[1][j] + normal[2] * rows[2][j];
        }
        let height = dot(normal, self.through);
        let of_a = self.farthest(0, turned, height - dot(normal, self.placement.shift));
        let of_b = self.farthest(1, [-normal[0], -normal[1], -normal[2]], -height);
        extents.reach = [of_a.max(extents.high[2]).max(0.0), of_b.max(-extents.low[2]).max(0.0)];
        extents
    }
}

impl FindExtents<'_> {
    /// Farthest vertex of a side that is inside beyond a plane n·x = h of its own frame (m).
    #[inline(always)]
    fn farthest(&self, side: usize, normal: [f64; 3], height: f64) -> f64 {
        let range = self.of[0].reaching[side] as usize..self.of[1].reaching[side] as usize;
        let mut farthest = [0.0; LANES];
        for block in &self.layout.reaching[side][range] {
            for k in 0..LANES {
                let along = dot(normal, lane(block, k)) - height;
                farthest[k] = if along > farthest[k] { along } else { farthest[k] };
            }
        }
        most(farthest)
    }
}

#[inline(always)]
fn most(lanes: [f64; LANES]) -> f64 {
    let mut most = lanes[0];
    for k in 1..LANES {
        most = if lanes[k] > most { lanes[k] } else { most };
    }
    most
}
