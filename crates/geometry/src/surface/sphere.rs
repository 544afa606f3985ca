use std::collections::BTreeMap;

use carom_math::Vec3;

use super::{Resolution, check_lengths};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Geodesic sphere about the origin: the faces of an icosahedron cut into n² triangles and projected onto the
/// sphere. Divisions: n ≥ 1 parts of each edge (the frequency); 20n² triangles, 10n² + 2 vertices.
pub fn sphere(radius: f64, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("radius", radius)])?;
    let n = resolution.divisions(1, |n| 20 * n as usize * n as usize)?;
    let (corners, faces) = icosahedron();
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    // Vertices on edges and corners are shared: a vertex is known by the corners that it weighs.
    let mut known: BTreeMap<[(u32, u32); 3], u32> = BTreeMap::new();
    for [a, b, c] in faces {
        let mut vertex = |i: u32, j: u32| {
            let mut weights =
                [(a, n - i - j), (b, i), (c, j)].map(|(k, w)| if w == 0 { (0, 0) } else { (k + 1, w) });
            weights.sort_unstable();
            *known.entry(weights).or_insert_with(|| {
                let sum = weights
                    .iter()
                    .filter(|(_, w)| *w > 0)
                    .fold(Vec3::zeros(), |sum, &(k, w)| sum + f64::from(w) * corners[k as usize - 1]);
                mesh.vertices.push(radius * sum.normalize());
                (mesh.vertices.len() - 1) as u32
            })
        };
        for j in 0..n {
            for i in 0..n - j {
                let [here, right, up] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)];
                mesh.triangles.push([here, right, up]);
                if i + j + 1 < n {
                    mesh.triangles.push([right, vertex(i + 1, j + 1), up]);
                }
            }
        }
    }
    Ok(mesh)
}

/// Corners of an icosahedron, not normalised, with two of them on z, and its faces, outward.
fn icosahedron() -> ([Vec3; 12], [[u32; 3]; 20]) {
    // Five corners above the equator, five below, turned by 36°; circle of radius 2 at z = ±1, poles at ±√5.
    let mut corners = [Vec3::zeros(); 12];
    corners[0] = 5.0_f64.sqrt() * Vec3::z();
    corners[11] = -corners[0];
    let mut faces = [[0; 3]; 20];
    for k in 0..5_u32 {
        let [c, s] = super::loft::direction(2 * k, 10);
        corners[1 + k as usize] = Vec3::new(2.0 * c, 2.0 * s, 1.0);
        let [c, s] = super::loft::direction(2 * k + 1, 10);
        corners[6 + k as usize] = Vec3::new(2.0 * c, 2.0 * s, -1.0);
        let next = (k + 1) % 5;
        let (up, up_next, low, low_next) = (1 + k, 1 + next, 6 + k, 6 + next);
        faces[4 * k as usize] = [0, up, up_next];
        faces[4 * k as usize + 1] = [up, low, up_next];
        faces[4 * k as usize + 2] = [up_next, low, low_next];
        faces[4 * k as usize + 3] = [11, low_next, low];
    }
    (corners, faces)
}
