use super::neighbours::{NO_EDGE, Neighbours};
use crate::TriangleMesh;
use crate::mesh::{Findings, Forest, find_representatives};

/// Vertices at which several fans of triangles meet in nothing but the point.
pub(super) fn find_pinched(mesh: &TriangleMesh, neighbours: &Neighbours) -> Findings<u32> {
    let is_pinched = is_pinched(mesh, neighbours);
    Findings::of((0..).zip(is_pinched).filter(|(_, is_pinched)| *is_pinched).map(|(vertex, _)| vertex))
}

/// By vertex, the first of those at one place, whether it is one of them.
pub(super) fn is_pinched(mesh: &TriangleMesh, neighbours: &Neighbours) -> Vec<bool> {
    // Corners of triangles, joined over the edges that they share.
    let mut corners = Forest::new(3 * mesh.triangles.len());
    let number = |triangle: u32, corner: usize| 3 * triangle as usize + corner;
    for sides in neighbours.edges() {
        for vertex in [sides[0].low, sides[0].high] {
            let corner = |k: usize| number(sides[k].triangle, Neighbours::corner_at(&sides[k], vertex));
            for k in 1..sides.len() {
                corners.join(corner(0), corner(k), false);
            }
        }
    }
    let same = find_representatives(&mesh.vertices, 0.0);
    let mut fan: Vec<Option<usize>> = vec![None; mesh.vertices.len()];
    let mut is_pinched = vec![false; mesh.vertices.len()];
    for (t, triangle) in (0..).zip(&mesh.triangles) {
        let has_edges = neighbours.edge(t, 0) != NO_EDGE;
        for (k, vertex) in triangle.iter().enumerate().filter(|_| has_edges) {
            let vertex = same[*vertex as usize] as usize;
            let (root, _) = corners.find(number(t, k));
            is_pinched[vertex] |= *fan[vertex].get_or_insert(root) != root;
        }
    }
    is_pinched
}
