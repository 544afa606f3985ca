//! Contact elements finer than the triangles of the base: leaves of triangles that are bisected at their longest edges, near the
//! middle, to a depth that each triangle has. Leaves are made where they are asked for and not stored.
//!
//! A leaf is known by its triangle and its path, the parts that were taken from the triangle down; the first bisection is
//! the path's highest bit. Leaves are numbered triangle by triangle, and by path in each: a mesh that stores the same leaves
//! as triangles in this order gives the same elements with the same numbers, to the last bit.

mod bisect;
mod known;
mod part;
mod walk;

use carom_math::Vec3;

use super::{BaseElement, SurfaceFault, corners, make_element};
use crate::TriangleMesh;
use bisect::cut_in_two;

pub(crate) use known::KnownClusters;
pub(crate) use part::{Part, Parts};
pub(crate) use walk::LeafWalk;

/// Leaves of a triangle are at most 2 to the power of this.
pub const MOST_BISECTIONS: u8 = 26;

/// Number of leaves that can be numbered in all.
pub const MOST_LEAVES: usize = 1 << 30;

/// The triangles of a base with the depths to which they are bisected.
#[derive(Clone, Debug)]
pub(crate) struct Leaves {
    triangles: Vec<[Vec3; 3]>,
    depths: Vec<u8>,
    /// The first leaf of each triangle, and behind the last one the number of leaves.
    first: Vec<u32>,
}

impl Leaves {
    /// Of a mesh whose triangles are bisected `depths` times; degenerate ones are not.
    pub(crate) fn new(mesh: &TriangleMesh, depths: &[u8]) -> Result<Self, SurfaceFault> {
        let triangles: Vec<_> = mesh.corners().collect();
        let depths: Vec<u8> = triangles
            .iter()
            .zip(depths)
            .map(|(triangle, &depth)| if corners::is_degenerate(triangle) { 0 } else { depth })
            .collect();
        let leaves = depths.iter().map(|&depth| 1_usize << depth.min(MOST_BISECTIONS)).sum();
        if leaves > MOST_LEAVES || depths.iter().any(|&depth| depth > MOST_BISECTIONS) {
            return Err(SurfaceFault::TooManyLeaves { leaves, limit: MOST_LEAVES });
        }
        let mut next = 0;
        let mut first = Vec::with_capacity(depths.len() + 1);
        first.push(0);
        first.extend(depths.iter().map(|&depth| {
            next += 1_u32 << depth;
            next
        }));
        Ok(Self { triangles, depths, first })
    }

    /// Number of leaves.
    pub(crate) fn count(&self) -> usize {
        self.first[self.triangles.len()] as usize
    }

    /// Triangle and path of a leaf.
    pub(crate) fn place(&self, leaf: u32) -> (u32, u32) {
        let triangle = self.first.partition_point(|&first| first <= leaf) - 1;
        (triangle as u32, leaf - self.first[triangle])
    }

    /// Corners of a leaf (m).
    pub(crate) fn corners(&self, leaf: u32) -> [Vec3; 3] {
        let (triangle, path) = self.place(leaf);
        let bisections = (0..self.depths[triangle as usize]).rev();
        bisections.fold(self.triangles[triangle as usize], |corners, bit| {
            cut_in_two(&corners)[(path >> bit & 1) as usize]
        })
    }

    /// The element of a leaf.
    pub(crate) fn element(&self, leaf: u32) -> BaseElement {
        make_element(self.corners(leaf))
    }

    /// Triangles that are bisected, as wholes, and the leaves that are triangles. Neither has degenerate ones.
    pub(crate) fn parts(&self, reach: f64, radius: f64) -> (Vec<Part>, Vec<u32>) {
        let (mut parts, mut whole) = (Vec::new(), Vec::new());
        for (index, triangle) in self.triangles.iter().enumerate() {
            let (depth, first) = (self.depths[index], self.first[index]);
            if depth > 0 {
                parts.push(Part::of_triangle(triangle, first, depth, reach, radius));
            } else if !corners::is_degenerate(triangle) {
                whole.push(first);
            }
        }
        (parts, whole)
    }
}
