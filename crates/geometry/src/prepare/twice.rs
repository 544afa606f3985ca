use std::collections::BTreeMap;

use crate::TriangleMesh;

/// Drops copies of triangles and returns how many, and how many others lie on each other the other way round and stay.
///
/// A copy that faces the same way as the first always goes. One that faces the other way goes if an edge of it has an odd number of
/// triangles: it is a copy that was turned. Where all are even it is the other side of a sheet, or of a wall between two solids.
pub(super) fn remove_copies(mesh: &mut TriangleMesh) -> [usize; 2] {
    let mut copies: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
    let mut at_edge: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for (t, corners) in mesh.triangles.iter().enumerate() {
        copies.entry(sorted(corners)).or_default().push(t);
        edges(corners).for_each(|edge| *at_edge.entry(edge).or_default() += 1);
    }
    let mut is_gone = vec![false; mesh.triangles.len()];
    let (mut dropped, mut opposite) = (0, 0);
    for copies in copies.values() {
        let is_even = |t: usize| is_even(&mesh.triangles[t]);
        for &t in &copies[1..] {
            let faces_alike = is_even(t) == is_even(copies[0]);
            let corners = &mesh.triangles[t];
            if faces_alike || edges(corners).any(|edge| at_edge[&edge] % 2 == 1) {
                is_gone[t] = true;
                dropped += 1;
                edges(corners).for_each(|edge| *at_edge.entry(edge).or_default() -= 1);
            } else {
                opposite += 1;
            }
        }
    }
    let mut gone = is_gone.into_iter();
    mesh.triangles.retain(|_| !gone.next().unwrap_or(false));
    [dropped, opposite]
}

fn sorted(corners: &[u32; 3]) -> [u32; 3] {
    let mut sorted = *corners;
    sorted.sort_unstable();
    sorted
}

/// Whether the corners are an even permutation of their order.
fn is_even(&[a, b, c]: &[u32; 3]) -> bool {
    [a < b, b < c, c < a].iter().filter(|is_rising| **is_rising).count() == 2
}

fn edges(&[a, b, c]: &[u32; 3]) -> impl Iterator<Item = [u32; 2]> {
    [(a, b), (b, c), (c, a)].into_iter().map(|(from, to)| [from.min(to), from.max(to)])
}
