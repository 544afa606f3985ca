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
