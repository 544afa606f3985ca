use std::collections::BTreeMap;

use carom_math::Vec3;

use super::{Resolution, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Box with the half edge lengths `half`, centre at the origin.
///
/// Divisions: n ≥ 1 cells along its longest edge, as many as make them near square along the others;
/// 4(ab + bc + ca) triangles with a, b, c cells.
pub fn block(half: Vec3, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("half.x", half.x), ("half.y", half.y), ("half.z", half.z)])?;
    let cells = |n: u32| [half.x, half.y, half.z].map(|h| segments(h, half.max() / f64::from(n)));
    let n = resolution.divisions(1, |n| {
        let [a, b, c] = cells(n).map(|k| k as usize);
        4 * (a * b + b * c + c * a)
    })?;
    let cells = cells(n);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut known: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    for axis in 0..3 {
        let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, cells[axis]] {
            let mut vertex = |i: u32, j: u32| {
                let mut at = [0; 3];
                (at[axis], at[right], at[up]) = (side, i, j);
                *known.entry(at).or_insert_with(|| {
                    let coordinate =
                        |k: usize| half[k] * (2.0 * f64::from(at[k]) / f64::from(cells[k]) - 1.0);
                    mesh.vertices.push(Vec3::new(coordinate(0), coordinate(1), coordinate(2)));
                    (mesh.vertices.len() - 1) as u32
                })
            };
            for j in 0..cells[up] {
                for i in 0..cells[right] {
                    let [a, b] = [vertex(i, j), vertex(i + 1, j)];
                    let [c, d] = [vertex(i + 1, j + 1), vertex(i, j + 1)];
                    let outward = if side > 0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                    mesh.triangles.extend(outward);
                }
            }
        }
    }
    Ok(mesh)
}
