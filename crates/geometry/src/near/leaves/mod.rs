//! Contact elements finer than the triangles of the base: leaves of triangles that are bisected at their longest edges, near the
//! middle, to a depth that each triangle has. Leaves are made where they are asked for and not stored.
//!
//! A leaf is known by its triangle and its path, the parts that were taken from the triangle down; the first bisection is
//! the path's highest bit. Leaves are numbered triangle by triangle, and by path in each: a mesh that stores the same leaves
//! as triangles in this order gives the same elements with the same numbers, to the last bit.
//!
//! Along edges and at corners that stick out leaves must be finer than elsewhere: there a triangle is a number of [`Cell`]s, parts
//! of it that have a depth each. Cells are stored.

mod bisect;
mod graded;
mod known;
mod opened;
mod part;
mod walk;

use carom_math::Vec3;

use super::{BaseElement, SurfaceFault, corners, make_element};
use crate::TriangleMesh;
use bisect::cut_in_two;

pub use graded::{Cell, EdgeLine};
pub(crate) use known::KnownClusters;
pub(crate) use opened::OpenedParts;
pub(crate) use part::{Part, Parts};
pub(crate) use walk::LeafWalk;

/// Leaves of a triangle are at most 2 to the power of this.
pub const MOST_BISECTIONS: u8 = 26;

/// Number of leaves that can be numbered in all.
pub const MOST_LEAVES: usize = 1 << 30;

/// Cells that are the triangles of a mesh, bisected `depths` times, one number a triangle.
pub(crate) fn whole_cells(mesh: &TriangleMesh, depths: &[u8]) -> Vec<Cell> {
    let corners = (0..).zip(mesh.corners());
    corners.zip(depths).map(|((k, corners), &depth)| Cell::whole(k, corners, depth)).collect()
}

/// The triangles of a base, or parts of them, with the depths to which they are bisected.
#[derive(Clone, Debug)]
pub(crate) struct Leaves {
    cells: Vec<[Vec3; 3]>,
    depths: Vec<u8>,
    /// The first leaf of each cell, and behind the last one the number of leaves.
    first: Vec<u32>,
    /// The first leaf of each triangle.
    first_of_triangle: Vec<u32>,
}

impl Leaves {
    /// Of the cells of a mesh of as many triangles, in the order of triangles and paths; degenerate ones are not bisected.
    pub(crate) fn new(cells: &[Cell], triangles: usize) -> Result<Self, SurfaceFault> {
        let depth_of = |cell: &Cell| if corners::is_degenerate(&cell.corners) { 0 } else { cell.depth };
        let depths: Vec<u8> = cells.iter().map(depth_of).collect();
        let leaves = depths.iter().map(|&depth| 1_usize << depth.min(MOST_BISECTIONS)).sum();
        if leaves > MOST_LEAVES || depths.iter().any(|&depth| depth > MOST_BISECTIONS) {
            return Err(SurfaceFault::TooManyLeaves { leaves, limit: MOST_LEAVES });
        }
        let mut next = 0;
        let mut first = Vec::with_capacity(cells.len() + 1);
        let mut first_of_triangle = Vec::with_capacity(triangles);
        for (cell, depth) in cells.iter().zip(&depths) {
            if first_of_triangle.len() <= cell.triangle as usize {
                first_of_triangle.push(next);
            }
            first.push(next);
            next += 1_u32 << depth;
        }
        first.push(next);
        let cells = cells.iter().map(|cell| cell.corners).collect();
        Ok(Self { cells, depths, first, first_of_triangle })
    }

    /// Number of leaves.
    pub(crate) fn count(&self) -> usize {
        self.first[self.cells.len()] as usize
    }

    /// Triangle of a leaf, and its number among the leaves of that triangle.
    pub(crate) fn place(&self, leaf: u32) -> (u32, u32) {
        let triangle = self.first_of_triangle.partition_point(|&first| first <= leaf) - 1;
        (triangle as u32, leaf - self.first_of_triangle[triangle])
    }

    /// Triangle of a leaf, and the leaf behind the last one of that triangle.
    pub(crate) fn triangle_of(&self, leaf: u32) -> (u32, u32) {
        let (triangle, _) = self.place(leaf);
        (triangle, self.first_of_triangle.get(triangle as usize + 1).map_or(u32::MAX, |first| *first))
    }

    /// Cell of a leaf.
    fn cell(&self, leaf: u32) -> usize {
        self.first.partition_point(|&first| first <= leaf) - 1
    }

    /// Corners of a leaf (m).
    pub(crate) fn corners(&self, leaf: u32) -> [Vec3; 3] {
        let cell = self.cell(leaf);
        let path = leaf - self.first[cell];
        let bisections = (0..self.depths[cell]).rev();
        bisections.fold(self.cells[cell], |corners, bit| cut_in_two(&corners)[(path >> bit & 1) as usize])
    }

    /// The element of a leaf.
    pub(crate) fn element(&self, leaf: u32) -> BaseElement {
        make_element(self.corners(leaf))
    }

    /// Cells that are bisected, as wholes, and those that are leaves. Neither has degenerate ones.
    pub(crate) fn parts(&self, reach: f64, radius: f64) -> (Vec<Part>, Vec<u32>) {
        let (mut parts, mut whole) = (Vec::new(), Vec::new());
        for (index, cell) in self.cells.iter().enumerate() {
            let (depth, first) = (self.depths[index], self.first[index]);
            if depth > 0 {
                parts.push(Part::of_cell(cell, first, depth, reach, radius));
            } else if !corners::is_degenerate(cell) {
                whole.push(first);
            }
        }
        (parts, whole)
    }
}
