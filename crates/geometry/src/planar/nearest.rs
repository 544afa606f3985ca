use carom_math::Vec2;

use super::Polygon;
use super::edge::Foot;
use super::tree::DEPTH;

/// The edge of a polygon that is nearest to a point, the first of equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Index of the edge.
    pub edge: usize,
    /// Distance squared (m²).
    pub square: f64,
}

/// Signed distance of a point from the outline, and the unit normal to the outside there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Signed {
    /// Positive outside (m).
    pub(super) gap: f64,
    pub(super) outward: Vec2,
    /// The edge that is nearest.
    pub(super) edge: usize,
}

impl Nearest {
    const NONE: Self = Self { edge: usize::MAX, square: f64::INFINITY };

    #[inline]
    fn take(&mut self, edge: usize, square: f64) {
        // Not a number is nearer than nothing.
        if square < self.square || square == self.square && edge < self.edge {
            *self = Self { edge, square };
        }
    }
}

impl Polygon {
    /// The edge nearest to a point in the polygon's frame, by the tree.
    pub fn nearest(&self, point: &Vec2) -> Option<Nearest> {
        self.nearest_of(point, |_, foot| foot.square)
    }

    /// The same by looking at every edge.
    pub fn nearest_by_all(&self, point: &Vec2) -> Option<Nearest> {
        let mut best = Nearest::NONE;
        for (index, edge) in self.edges.iter().enumerate() {
            best.take(index, edge.foot(point).square);
        }
        (best.edge < self.edges.len()).then_some(best)
    }

    /// The edge for which a distance squared that depends on it is least; it may not be less than its own. An infinite one leaves
    /// it out.
    pub(super) fn nearest_of(
        &self,
        point: &Vec2,
        square_of: impl Fn(usize, &Foot) -> f64,
    ) -> Option<Nearest> {
        let nodes = &self.tree.nodes;
        let mut best = Nearest::NONE;
        let mut stack = [(0_u32, 0.0); DEPTH];
        stack[0] = (0, nodes[0].square(point));
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let (at, square) = stack[open];
            if square > best.square {
                continue;
            }
            let node = &nodes[at as usize];
            if node.is_leaf() {
                for edge in node.edges() {
                    best.take(edge, square_of(edge, &self.edges[edge].foot(point)));
                }
                continue;
            }
            let [first, second] =
                [at + 1, node.second].map(|child| (child, nodes[child as usize].square(point)));
            let (near, far) = if first.1 <= second.1 { (first, second) } else { (second, first) };
            (stack[open], stack[open + 1]) = (far, near);
            open += 2;
        }
        (best.edge < self.edges.len()).then_some(best)
    }

    /// Signed distance of a point; not a number where the point is none.
    pub(super) fn signed_distance(&self, point: &Vec2) -> Signed {
        self.nearest(point).map_or(Signed { gap: f64::NAN, outward: Vec2::x(), edge: 0 }, |nearest| {
            self.signed_from(point, &nearest)
        })
    }

    /// Signed distance from the edge that is nearest. At its ends the corner says which side is outside.
    pub(super) fn signed_from(&self, point: &Vec2, nearest: &Nearest) -> Signed {
        let edge = &self.edges[nearest.edge];
        let foot = edge.foot(point);
        let corner = if foot.place < 0.0 {
            nearest.edge
        } else if foot.place > edge.length {
            (nearest.edge + 1) % self.edges.len()
        } else {
            return Signed { gap: foot.height, outward: edge.outward, edge: nearest.edge };
        };
        let (from, sign) =
            (self.edges[corner].start, if self.corners[corner].is_reflex { -1.0 } else { 1.0 });
        let arm = point - from;
        let distance = arm.norm();
        let outward = if distance > 0.0 { arm * (sign / distance) } else { self.corners[corner].outward };
        Signed { gap: sign * distance, outward, edge: nearest.edge }
    }
}
