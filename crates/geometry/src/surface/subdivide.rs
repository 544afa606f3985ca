use std::collections::BTreeMap;

use super::MAX_TRIANGLES;
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Cuts each triangle into four at the midpoints of its edges, `times` times: 4ᵏ times as many triangles, the same
/// surface. Triangle t becomes 4t … 4t + 3: those at its three corners, in order, then the middle one. New vertices
/// follow the old ones; neighbours share those on their common edge if they share its ends.
pub fn subdivide(mesh: &TriangleMesh, times: u32) -> Result<TriangleMesh, ShapeFault> {
    let count = 4_usize.checked_pow(times).and_then(|factor| factor.checked_mul(mesh.triangles.len()));
    if count.is_none_or(|count| count > MAX_TRIANGLES) {
        let expected = "so many subdivisions that at most 10 000 000 triangles come out";
        return Err(ShapeFault { field: "subdivisions", value: f64::from(times), expected });
    }
    Ok((0..times).fold(mesh.clone(), |mesh, _| cut_once(mesh)))
}

fn cut_once(mesh: TriangleMesh) -> TriangleMesh {
    let mut vertices = mesh.vertices;
    let mut known: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut midpoint = |a: u32, b: u32| {
        *known.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
            (vertices.len() - 1) as u32
        })
    };
    let mut triangles = Vec::with_capacity(4 * mesh.triangles.len());
    for [a, b, c] in mesh.triangles {
        let [ab, bc, ca] = [midpoint(a, b), midpoint(b, c), midpoint(c, a)];
        triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    TriangleMesh { vertices, triangles }
}
