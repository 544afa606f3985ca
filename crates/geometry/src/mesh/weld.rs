use std::collections::BTreeMap;

use carom_math::Vec3;

use super::{MeshFault, TriangleMesh};

/// A mesh with shared vertices, and what it took to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct Weld {
    /// The welded mesh. Vertices keep their order and their coordinates: those of the first of each cluster.
    pub mesh: TriangleMesh,
    /// Vertices that were merged into an earlier one.
    pub merged_vertices: usize,
    /// Triangles that lost a corner and were dropped.
    pub dropped_triangles: usize,
}

/// Merges vertices within `tolerance` ≥ 0 (m) of each other; 0 merges equal positions only.
///
/// Each vertex goes to the first earlier kept vertex in reach. Kept vertices do not move, so that chains
/// of near vertices cannot drift, and vertices that stay are farther apart than the tolerance.
pub fn weld(mesh: &TriangleMesh, tolerance: f64) -> Result<Weld, MeshFault> {
    mesh.validate()?;
    let representatives = find_representatives(&mesh.vertices, tolerance);
    let mut new_index = vec![0; mesh.vertices.len()];
    let mut vertices = Vec::new();
    for (index, &first) in representatives.iter().enumerate() {
        new_index[index] = if first as usize == index {
            vertices.push(mesh.vertices[index]);
            (vertices.len() - 1) as u32
        } else {
            new_index[first as usize]
        };
    }
    let triangles: Vec<[u32; 3]> = mesh
        .triangles
        .iter()
        .map(|triangle| triangle.map(|index| new_index[index as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    Ok(Weld {
        merged_vertices: mesh.vertices.len() - vertices.len(),
        dropped_triangles: mesh.triangles.len() - triangles.len(),
        mesh: TriangleMesh { vertices, triangles },
    })
}

/// For each vertex the first kept vertex within `tolerance`, itself if there is none.
pub(crate) fn find_representatives(vertices: &[Vec3], tolerance: f64) -> Vec<u32> {
    if tolerance > 0.0 { find_near(vertices, tolerance) } else { find_equal(vertices) }
}

fn find_equal(vertices: &[Vec3]) -> Vec<u32> {
    let mut search = EqualVertices::default();
    search.find(vertices.iter().copied());
    search.representatives
}

/// Finds vertices at equal positions, again and again in the same memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct EqualVertices {
    /// Coordinates, by which they are put in order, and indices.
    sorted: Vec<([u64; 3], u32)>,
    representatives: Vec<u32>,
}

impl EqualVertices {
    /// For each vertex the first one that is equal.
    pub(crate) fn find(&mut self, vertices: impl Iterator<Item = Vec3>) -> &[u32] {
        let Self { sorted, representatives } = self;
        // Adding zero makes −0 and +0 one key.
        let key = |v: Vec3| [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
        sorted.clear();
        sorted.extend(vertices.zip(0..).map(|(vertex, index)| (key(vertex), index)));
        sorted.sort_unstable();
        representatives.clear();
        representatives.resize(sorted.len(), 0);
        for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
            equal.iter().for_each(|(_, index)| representatives[*index as usize] = equal[0].1);
        }
        representatives
    }
}

/// Cells as wide as the tolerance: whatever is in reach lies in the vertex's cell or next to it.
fn find_near(vertices: &[Vec3], tolerance: f64) -> Vec<u32> {
    let mut kept: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let mut representatives = Vec::with_capacity(vertices.len());
    for (index, vertex) in vertices.iter().enumerate() {
        // Coordinates beyond 9e18 tolerances saturate into one cell, which is slow but right.
        let cell = [vertex.x, vertex.y, vertex.z].map(|x| (x / tolerance).floor() as i64);
        let first = neighbours(cell)
            .filter_map(|cell| kept.get(&cell))
            .flatten()
            .copied()
            .filter(|&other| (vertices[other as usize] - vertex).norm() <= tolerance)
            .min();
        if first.is_none() {
            kept.entry(cell).or_default().push(index as u32);
        }
        representatives.push(first.unwrap_or(index as u32));
    }
    representatives
}

fn neighbours([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let step = |i: i64| i - 1;
    (0..27).map(move |k| {
        [x.saturating_add(step(k % 3)), y.saturating_add(step(k / 3 % 3)), z.saturating_add(step(k / 9))]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::SplitMix64;

    #[test]
    fn near_vertices_are_those_of_brute_force() {
        let mut rng = SplitMix64::new(7);
        let vertices: Vec<Vec3> = (0..400).map(|_| rng.vector_in_cube(1.0)).collect();
        for tolerance in [0.03, 0.2, 5.0] {
            let mut expected: Vec<u32> = Vec::new();
            for (i, v) in vertices.iter().enumerate() {
                let is_kept = |j: &usize| expected[*j] as usize == *j;
                let near = |j: &usize| (vertices[*j] - v).norm() <= tolerance;
                let first = (0..i).filter(is_kept).find(near);
                expected.push(first.unwrap_or(i) as u32);
            }
            assert_eq!(find_representatives(&vertices, tolerance), expected);
        }
    }

    #[test]
    fn equal_positions_include_signed_zeros() {
        let vertices = [Vec3::new(0.0, 1.0, 2.0), Vec3::x(), Vec3::new(-0.0, 1.0, 2.0)];
        assert_eq!(find_representatives(&vertices, 0.0), [0, 1, 0]);
    }

    #[test]
    fn a_collapsed_triangle_is_dropped_and_counted() {
        let mesh = TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::x() * 1.001, Vec3::z()],
            triangles: vec![[0, 1, 2], [1, 3, 2], [0, 3, 4]],
        };
        let welded = weld(&mesh, 0.01).unwrap();
        assert_eq!((welded.merged_vertices, welded.dropped_triangles), (1, 1));
        assert_eq!(welded.mesh.triangles, [[0, 1, 2], [0, 1, 3]]);
        assert_eq!(welded.mesh.vertices[1], Vec3::x());
    }
}
