use carom_math::Vec3;

use super::bisect::{OFF_MIDDLE, cut_in_two};
use crate::near::BaseNode;
use crate::near::make_element;
use crate::near::simd::LANES;

/// Bisections that make as many parts as a node has children.
pub(super) const NODE_BISECTIONS: u8 = 3;

/// A triangle on the way from one of the base to its leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    corners: [Vec3; 3],
    /// Outward unit normal of the whole triangle.
    normal: Vec3,
    /// By how much lines of the leaves may leave the prism under the part (m): the corners of leaves are rounded, and their
    /// normals by as much over the least height of a leaf.
    margin: f64,
    /// Its first leaf.
    first: u32,
    /// Bisections that are left down to the leaves.
    left: u8,
}

/// Up to eight parts.
pub(crate) type Parts = [Part; LANES];

impl Part {
    pub(crate) const NONE: Self = Self {
        corners: [Vec3::new(0.0, 0.0, 0.0); 3],
        normal: Vec3::new(0.0, 0.0, 0.0),
        margin: 0.0,
        first: 0,
        left: 0,
    };

    /// A cell that is bisected `depth` times, with lines of the length `reach` (m), on a surface whose coordinates are
    /// up to `radius` (m).
    pub(super) fn of_cell(corners: &[Vec3; 3], first: u32, depth: u8, reach: f64, radius: f64) -> Self {
        let element = make_element(*corners);
        let [a, b, c] = corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // Twice the least area over an edge that is no longer than the triangle's.
        let least_height = 2.0 * element.area * libm::pow(0.5 - OFF_MIDDLE, f64::from(depth)) / longest;
        // Each cut adds less than two units of rounding.
        let margin = 64.0 * f64::EPSILON * radius * (1.0 + reach / least_height);
        Self { corners: *corners, normal: element.normal, margin, first, left: depth }
    }

    /// Ends of what its lines are within, without the margin.
    pub(crate) fn ends(&self, reach: f64) -> [Vec3; 6] {
        let [a, b, c] = self.corners;
        let along = self.normal * -reach;
        [a, b, c, a + along, b + along, c + along]
    }

    /// Lowest and highest coordinates of its lines (m).
    pub(crate) fn bounds(&self, reach: f64) -> (Vec3, Vec3) {
        let ends = self.ends(reach);
        let margin = Vec3::repeat(self.margin);
        let fold = |f: fn(&Vec3, &Vec3) -> Vec3| ends.iter().fold(ends[0], |so_far, end| f(&so_far, end));
        (fold(Vec3::inf) - margin, fold(Vec3::sup) + margin)
    }

    /// Direction of its lines.
    pub(crate) fn direction(&self) -> Vec3 {
        -self.normal
    }

    /// By how much its lines may leave the prism of [`Self::ends`] (m).
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    /// Are its leaves no more than a cluster has lines?
    pub(crate) fn is_cluster(&self) -> bool {
        self.left <= NODE_BISECTIONS
    }

    /// Its leaves, of which it has at most eight, and how many.
    pub(super) fn leaves(&self) -> (Parts, usize) {
        self.cut(self.left)
    }

    /// Number of its first leaf.
    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// Bisections that are left down to the leaves.
    pub(super) fn left(&self) -> u8 {
        self.left
    }

    pub(super) fn corners(&self) -> &[Vec3; 3] {
        &self.corners
    }

    /// What it is cut into on the way down, with boxes around each; bisections left over come first, so that clusters are
    /// full.
    pub(crate) fn open(&self, reach: f64) -> (Parts, BaseNode) {
        let over = self.left % NODE_BISECTIONS;
        let (parts, count) = self.cut(if over > 0 { over } else { NODE_BISECTIONS });
        (parts, BaseNode::of_parts(&parts[..count], reach))
    }

    /// Two to the power of `bisections` parts, at most eight, in the order of their leaves.
    fn cut(&self, bisections: u8) -> (Parts, usize) {
        let mut parts = [*self; LANES];
        let mut count = 1;
        for _ in 0..bisections {
            for k in (0..count).rev() {
                let whole = parts[k];
                let left = whole.left - 1;
                let [one, other] = cut_in_two(&whole.corners);
                parts[2 * k] = Self { corners: one, left, ..whole };
                parts[2 * k + 1] = Self { corners: other, left, first: whole.first + (1 << left), ..whole };
            }
            count *= 2;
        }
        (parts, count)
    }
}
