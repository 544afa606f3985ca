//! How far a convex part reaches beyond the solid that it stands for.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use carom_math::Vec3;

use crate::clearance::ClearanceTree;
use crate::convex::ConvexHull;

/// Cells that are looked at in a hull.
const MOST_CELLS: usize = 30_000;
/// Share of the reach that bounds may be apart.
const ACCURACY: f64 = 0.02;

/// Greatest distance from a solid of a point outside of it (m), between bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// A point is so far from the solid.
    pub at_least: f64,
    /// None is farther.
    pub at_most: f64,
}

/// A tetrahedron with the greatest distance that one of its points can have.
struct Cell {
    corners: [Vec3; 4],
    bound: f64,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Of the points of a hull. From place to place the distance grows by no more than the way: the cell that may have the farthest point
/// is halved, until bounds agree or so many have been looked at.
pub(super) fn find_reach(hull: &ConvexHull, solid: &ClearanceTree) -> Reach {
    let vertices = hull.vertices();
    let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let mut search = Search { solid, cells: BinaryHeap::new(), at_least: 0.0 };
    for triangle in hull.triangles() {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        search.add([middle, a, b, c]);
    }
    let mut looked = 0;
    while let Some(cell) = search.cells.pop() {
        if cell.bound <= search.at_least * (1.0 + ACCURACY) || looked == MOST_CELLS {
            return Reach { at_least: search.at_least, at_most: cell.bound.max(search.at_least) };
        }
        looked += 1;
        for half in halves(&cell.corners) {
            search.add(half);
        }
    }
    Reach { at_least: search.at_least, at_most: search.at_least }
}

struct Search<'a> {
    solid: &'a ClearanceTree,
    cells: BinaryHeap<Cell>,
    at_least: f64,
}

impl Search<'_> {
    fn add(&mut self, corners: [Vec3; 4]) {
        let middle = corners.iter().sum::<Vec3>() / 4.0;
        let size = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
        let (distance, _) = self.solid.nearest(&middle);
        let distance = if self.solid.is_inside(&middle) { -distance } else { distance };
        self.at_least = self.at_least.max(distance);
        let bound = distance + size;
        if bound > self.at_least {
            self.cells.push(Cell { corners, bound });
        }
    }
}

/// Both halves across the middle of the longest edge.
fn halves(corners: &[Vec3; 4]) -> [[Vec3; 4]; 2] {
    let mut longest = (0, 1);
    let length = |(i, j): (usize, usize)| (corners[i] - corners[j]).norm_squared();
    for edge in [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        if length(edge) > length(longest) {
            longest = edge;
        }
    }
    let (i, j) = longest;
    let middle = 0.5 * (corners[i] + corners[j]);
    let mut both = [*corners; 2];
    both[0][i] = middle;
    both[1][j] = middle;
    both
}
