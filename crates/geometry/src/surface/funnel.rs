use carom_math::Vec3;

use super::{check_lengths, subdivide};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Container: the four sides of a pyramid that stands on its apex, the origin, up to the square rim
/// (±half_width, ±half_width, height). An open surface; the outside, where others touch it, is above.
///
/// The four triangles are cut at the midpoints of their edges `subdivisions` times ([`subdivide`]): 4·4ᵏ triangles.
pub fn funnel(half_width: f64, height: f64, subdivisions: u32) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[("half_width", half_width), ("height", height)])?;
    let corner = |x: f64, y: f64| Vec3::new(x * half_width, y * half_width, height);
    let rim = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
    let mut vertices = vec![Vec3::zeros()];
    vertices.extend(rim);
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    subdivide(&TriangleMesh { vertices, triangles }, subdivisions)
}
