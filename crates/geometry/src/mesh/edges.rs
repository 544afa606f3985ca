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

/// A triangle at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) triangle: u32,
    /// The edge goes from this corner of the triangle to the next.
    pub(crate) corner: u8,
    /// It goes from the lower vertex to the higher.
    pub(crate) forward: bool,
}

/// All edges with their triangles, in the order of their vertices. Vertices at equal positions are one; triangles
/// with equal corners are left out.
pub(crate) struct EdgeSides(Vec<Side>);

impl EdgeSides {
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let same = find_representatives(&mesh.vertices, 0.0);
        let mut sides = Vec::with_capacity(3 * mesh.triangles.len());
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|k| same[k as usize]);
            if a == b || b == c || c == a {
                continue;
            }
            for (corner, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                sides.push(Side {
                    low: from.min(to),
                    high: from.max(to),
                    triangle: triangle as u32,
                    corner: corner as u8,
                    forward: from < to,
                });
            }
        }
        // Sorting, not hashing: the order of what is reported must not depend on a hash.
        sides.sort_unstable();
        Self(sides)
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Side]> {
        self.0.chunk_by(|x, y| (x.low, x.high) == (y.low, y.high))
    }

    /// The edges, in the order of their vertices.
    pub(super) fn edges(&self) -> Vec<Edge> {
        self.groups()
            .map(|sides| {
                let forward = sides.iter().filter(|side| side.forward).count() as u32;
                let backward = sides.len() as u32 - forward;
                Edge { low: sides[0].low, high: sides[0].high, forward, backward }
            })
            .collect()
    }

    /// Edges with two triangles.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [Side; 2]> {
        self.groups().filter_map(|sides| <[Side; 2]>::try_from(sides).ok())
    }

    /// Triangles at edges with one or more than two.
    pub(super) fn unpaired(&self) -> impl Iterator<Item = &Side> {
        self.groups().filter(|sides| sides.len() != 2).flatten()
    }

    /// Mean length of the edges (m); 0 without edges.
    pub(super) fn mean_length(&self, mesh: &TriangleMesh) -> f64 {
        let length = |sides: &[Side]| {
            (mesh.vertices[sides[0].high as usize] - mesh.vertices[sides[0].low as usize]).norm()
        };
        let (sum, count) = self.groups().fold((0.0, 0_usize), |(sum, n), sides| (sum + length(sides), n + 1));
        if count == 0 { 0.0 } else { sum / count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    #[test]
    fn shared_edge_is_walked_both_ways() {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let mesh =
            TriangleMesh { vertices: corners.to_vec(), triangles: vec![[0, 1, 2], [2, 1, 3], [3, 3, 0]] };
        let edges = EdgeSides::of(&mesh).edges();
        assert_eq!(edges.len(), 5);
        assert_eq!(edges[2], Edge { low: 1, high: 2, forward: 1, backward: 1 });
        assert_eq!(edges[0], Edge { low: 0, high: 1, forward: 1, backward: 0 });
    }
}
