use std::collections::BTreeSet;

use carom_math::Vec3;

use super::borders::{Border, find_borders};
use super::flat::is_low;
use super::neighbours::Neighbours;
use crate::TriangleMesh;
use crate::mesh::is_flat;

/// Corners of a hole that is filled; the time grows with the third power.
const MOST_CORNERS: usize = 300;

/// What a flat triangle costs, in areas of a square around the hole: only what has no width at all is closed by them.
const FLAT_COST: f64 = 1e6;
/// Share of the squared length of an edge that is added to the areas beside it: of several ways with the same area the one with short
/// edges is taken.
const SHORT_FIRST: f64 = 1e-6;

/// What became of the holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filling {
    pub(super) holes: usize,
    /// Those that had no width.
    pub(super) cracks: usize,
    pub(super) triangles: usize,
    /// Borders that are longer, or no loops, or have no triangles that fit.
    pub(super) left: usize,
}

/// Closes every border that is a loop with no two vertices farther apart than `largest` (m), without a new vertex: by the triangles
/// of least area (Barequet and Sharir, Comput. Aided Geom. Des. 12 (1995) 207–229), of which no edge is one of the mesh already.
/// Loops that are closed by triangles no higher than `tolerance` (m) are cracks, as along an edge with a vertex on one side only, and
/// are closed however long; what closes them is flat.
pub(super) fn fill_holes(mesh: &mut TriangleMesh, largest: f64, tolerance: f64) -> Filling {
    let neighbours = Neighbours::of(mesh);
    let mut edges: BTreeSet<[u32; 2]> =
        neighbours.edges().map(|sides| [sides[0].low, sides[0].high]).collect();
    let mut filling = Filling::default();
    for border in find_borders(mesh, &neighbours) {
        let may_close = border.is_loop && border.vertices.len() <= MOST_CORNERS;
        let triangles = may_close.then(|| triangulate(mesh, &border, &edges)).flatten();
        let is_crack = triangles.as_ref().is_some_and(|triangles| {
            triangles.iter().all(|corners| is_low(&corners.map(|v| mesh.vertices[v as usize]), tolerance))
        });
        match triangles.filter(|_| is_crack || border.size(mesh, largest) <= largest) {
            Some(triangles) => {
                filling.holes += usize::from(!is_crack);
                filling.cracks += usize::from(is_crack);
                filling.triangles += if is_crack { 0 } else { triangles.len() };
                for &[a, b, c] in &triangles {
                    edges.extend([(a, b), (b, c), (c, a)].map(|(a, b)| [a.min(b), a.max(b)]));
                }
                mesh.triangles.extend(triangles);
            }
            None => filling.left += 1,
        }
    }
    filling
}

/// Dynamic programming over the stretches from corner i to corner j of the loop: the least area on their left.
fn triangulate(mesh: &TriangleMesh, border: &Border, edges: &BTreeSet<[u32; 2]>) -> Option<Vec<[u32; 3]>> {
    let corners = &border.vertices;
    let n = corners.len();
    if n < 3 {
        return None;
    }
    let place = |k: usize| mesh.vertices[corners[k] as usize];
    let is_border = |i: usize, j: usize| j == i + 1 || (i == 0 && j + 1 == n);
    let may_join = |i: usize, j: usize| {
        let (a, b) = (corners[i], corners[j]);
        is_border(i, j) || (a != b && !edges.contains(&[a.min(b), a.max(b)]))
    };
    let (low, high) = corners
        .iter()
        .map(|v| mesh.vertices[*v as usize])
        .fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), p| {
            (low.inf(&p), high.sup(&p))
        });
    let flat_cost = FLAT_COST * (high - low).norm_squared();
    let cost = |corners: &[Vec3; 3]| {
        let [p, q, r] = corners;
        let area = 0.5 * (q - p).cross(&(r - p)).norm();
        let edges = (q - p).norm_squared() + (r - q).norm_squared() + (p - r).norm_squared();
        area + SHORT_FIRST * edges + if is_flat(corners) { flat_cost } else { 0.0 }
    };
    let mut least = vec![0.0; n * n];
    let mut third = vec![0; n * n];
    for stretch in 2..n {
        for i in 0..n - stretch {
            let j = i + stretch;
            let (mut best, mut at) = (f64::INFINITY, i + 1);
            if may_join(i, j) {
                for k in i + 1..j {
                    let sum = least[i * n + k] + least[k * n + j] + cost(&[place(i), place(k), place(j)]);
                    if sum < best {
                        (best, at) = (sum, k);
                    }
                }
            }
            (least[i * n + j], third[i * n + j]) = (best, at);
        }
    }
    if !least[n - 1].is_finite() {
        return None;
    }
    let mut triangles = Vec::with_capacity(n - 2);
    let mut waiting = vec![(0, n - 1)];
    while let Some((i, j)) = waiting.pop() {
        if j < i + 2 {
            continue;
        }
        let k = third[i * n + j];
        // Against the border's direction, which is that of the triangles on its other side.
        triangles.push([corners[j], corners[k], corners[i]]);
        waiting.extend([(i, k), (k, j)]);
    }
    Some(triangles)
}
