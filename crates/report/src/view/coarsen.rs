//! A coarser surface for drawing.

use std::borrow::Cow;
use std::collections::HashMap;

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Cells along the longest edge at which the search for a size begins.
const FINEST: f64 = 512.0;

/// The mesh itself if it has at most `most` triangles; else one whose vertices in each cell of a grid are one, at their
/// mean, on the finest grid that leaves no more (Rossignac and Borrel 1993). It is for looking at: thin walls may merge.
pub(super) fn coarsen(mesh: &TriangleMesh, most: usize) -> Cow<'_, TriangleMesh> {
    if mesh.triangles.len() <= most {
        return Cow::Borrowed(mesh);
    }
    let mut cells = FINEST;
    loop {
        let coarse = clustered(mesh, mesh.extent().max() / cells);
        if coarse.triangles.len() <= most || cells < 2.0 {
            return Cow::Owned(coarse);
        }
        cells *= 0.8;
    }
}

fn clustered(mesh: &TriangleMesh, size: f64) -> TriangleMesh {
    let (low, _) = mesh.bounds();
    let mut of_cell: HashMap<[i64; 3], u32> = HashMap::new();
    let mut sums: Vec<(Vec3, f64)> = Vec::new();
    let mut cluster = |vertex: &Vec3| {
        let cell = ((vertex - low) / size).map(|x| x.floor() as i64).into();
        let index = *of_cell.entry(cell).or_insert_with(|| {
            sums.push((Vec3::zeros(), 0.0));
            sums.len() as u32 - 1
        });
        let (sum, count) = &mut sums[index as usize];
        *sum += vertex;
        *count += 1.0;
        index
    };
    let of_vertex: Vec<u32> = mesh.vertices.iter().map(&mut cluster).collect();
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| of_vertex[vertex as usize]);
    let is_left = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    let triangles = mesh.triangles.iter().map(corners).filter(is_left).collect();
    TriangleMesh { vertices: sums.into_iter().map(|(sum, count)| sum / count).collect(), triangles }
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, sphere};

    use super::*;

    #[test]
    fn a_coarser_sphere_is_still_a_sphere() {
        let fine = sphere(2.0, Resolution::Facets(20_000)).unwrap();
        assert_eq!(coarsen(&fine, 30_000).triangles.len(), fine.triangles.len());
        let coarse = coarsen(&fine, 2000);
        assert!((500..=2000).contains(&coarse.triangles.len()), "{}", coarse.triangles.len());
        assert!(coarse.vertices.iter().all(|v| (v.norm() - 2.0).abs() < 0.1));
        let volume: f64 = coarse.corners().map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        assert!((volume / (32.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 0.05, "{volume}");
    }
}
