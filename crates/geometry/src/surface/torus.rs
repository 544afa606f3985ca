use carom_math::Vec3;

use super::loft::{band, direction};
use super::{Resolution, check, check_lengths};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Torus about z: tube of radius `tube` along the circle of radius `ring` > `tube` in the plane z = 0.
///
/// Divisions: n ≥ 3 along the tube's circle and 2n around the ring; 4n² triangles.
pub fn torus(ring: f64, tube: f64, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    let n = resolution.divisions(3, |n| 4 * n as usize * n as usize)?;
    torus_grid(ring, tube, 2 * n, n)
}

/// Torus with `around` points around the ring and `along` on the tube's circle, each at least three:
/// 2·around·along triangles. Two points of each tube circle lie in the plane z = 0 if `along` is even.
pub fn torus_grid(ring: f64, tube: f64, around: u32, along: u32) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("ring", ring), ("tube", tube)])?;
    check(&[("tube", tube, tube < ring, "a radius of the tube below that of the ring")])?;
    Resolution::Divisions(around.min(along)).divisions(3, |_| 2 * around as usize * along as usize)?;
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for i in 0..around {
        let [c, s] = direction(i, around);
        for j in 0..along {
            let [u, v] = direction(j, along);
            let r = ring + tube * u;
            mesh.vertices.push(Vec3::new(r * c, r * s, tube * v));
        }
    }
    // The tube's circle turns from +r to +z: seen so, the next circle lies behind.
    for i in 0..around {
        band(&mut mesh.triangles, ((i + 1) % around) * along, i * along, along);
    }
    Ok(mesh)
}
