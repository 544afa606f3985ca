use super::TriangleMesh;
use super::weld::find_representatives;

/// An edge and how often triangles walk it from its lower to its higher vertex, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) forward: u32,
    pub(super) backward: u32,
}

/// All edges of the triangles, in the order of their vertices. Triangles with equal corners are left out.
pub(super) fn collect_edges(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<Edge> {
    let mut walks: Vec<(u32, u32, bool)> = triangles
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(from, to)| (from.min(to), from.max(to), from < to))
        .collect();
    // Sorting, not hashing: the order of what is reported must not depend on a hash.
    walks.sort_unstable();
    walks
        .chunk_by(|x, y| (x.0, x.1) == (y.0, y.1))
        .map(|walks| {
            let forward = walks.iter().filter(|walk| walk.2).count() as u32;
            Edge { low: walks[0].0, high: walks[0].1, forward, backward: walks.len() as u32 - forward }
        })
        .collect()
}

/// A triangle at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) triangle: usize,
    /// The edge goes from this corner of the triangle to the next.
    pub(super) corner: usize,
    /// It goes from the lower vertex to the higher.
    pub(super) forward: bool,
}

/// All edges with their triangles, in the order of their vertices. Vertices at equal positions are one; triangles
/// with equal corners are left out.
pub(super) struct EdgeSides(Vec<Side>);

impl EdgeSides {
    pub(super) fn of(mesh: &TriangleMesh) -> Self {
        let same = find_representatives(&mesh.vertices, 0.0);
        let mut sides = Vec::with_capacity(3 * mesh.triangles.len());
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            let corners = corners.map(|k| same[k as usize]);
            let [a, b, c] = corners;
            if a == b || b == c || c == a {
                continue;
            }
            for corner in 0..3 {
                let (from, to) = (corners[corner], corners[(corner + 1) % 3]);
                sides.push(Side {
                    low: from.min(to),
                    high: from.max(to),
                    triangle,
                    corner,
                    forward: from < to,
                });
            }
        }
        sides.sort_unstable();
        Self(sides)
    }

    fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.0.chunk_by(|x, y| (x.low, x.high) == (y.low, y.high))
    }

    /// Edges with two triangles.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [Side; 2]> {
        self.edges().filter_map(|sides| <[Side; 2]>::try_from(sides).ok())
    }

    /// Triangles at edges with one or more than two.
    pub(super) fn unpaired(&self) -> impl Iterator<Item = &Side> {
        self.edges().filter(|sides| sides.len() != 2).flatten()
    }

    /// Mean length of the edges (m); 0 without edges.
    pub(super) fn mean_length(&self, mesh: &TriangleMesh) -> f64 {
        let length = |sides: &[Side]| {
            (mesh.vertices[sides[0].high as usize] - mesh.vertices[sides[0].low as usize]).norm()
        };
        let (sum, count) = self.edges().fold((0.0, 0_usize), |(sum, n), sides| (sum + length(sides), n + 1));
        if count == 0 { 0.0 } else { sum / count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_edge_is_walked_both_ways() {
        let edges = collect_edges([[0, 1, 2], [2, 1, 3], [3, 3, 0]].into_iter());
        assert_eq!(edges.len(), 5);
        assert_eq!(edges[2], Edge { low: 1, high: 2, forward: 1, backward: 1 });
        assert_eq!(edges[0], Edge { low: 0, high: 1, forward: 1, backward: 0 });
    }
}
