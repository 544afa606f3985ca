use carom_math::Vec3;

use super::{Resolution, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Rectangle |x| ≤ half_x, |y| ≤ half_y in the plane z = 0 with normal +z: an open surface, a bounded piece of a
/// half-space.
///
/// Divisions: n ≥ 1 cells along the longer edge, as many as make them near square along the other; 2ab triangles
/// with a, b cells.
pub fn rectangle(half_x: f64, half_y: f64, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("half_x", half_x), ("half_y", half_y)])?;
    let cells = |n: u32| [half_x, half_y].map(|h| segments(h, half_x.max(half_y) / f64::from(n)));
    let n = resolution.divisions(1, |n| 2 * cells(n).map(|k| k as usize).iter().product::<usize>())?;
    let [a, b] = cells(n);
    let at = |half: f64, i: u32, n: u32| half * (2.0 * f64::from(i) / f64::from(n) - 1.0);
    Ok(grid(a, b, |i, j| Vec3::new(at(half_x, i, a), at(half_y, j, b), 0.0)))
}

/// Surface over a grid of a by b cells, each cut along the diagonal from its first corner; +z is outside.
pub(super) fn grid(a: u32, b: u32, vertex: impl Fn(u32, u32) -> Vec3) -> TriangleMesh {
    let vertices = (0..=b).flat_map(|j| (0..=a).map(move |i| (i, j))).map(|(i, j)| vertex(i, j)).collect();
    let cell = |(i, j): (u32, u32)| {
        let first = j * (a + 1) + i;
        let above = first + a + 1;
        [[first, first + 1, above + 1], [first, above + 1, above]]
    };
    let triangles = (0..b).flat_map(|j| (0..a).map(move |i| (i, j))).flat_map(cell).collect();
    TriangleMesh { vertices, triangles }
}
