use carom_math::Vec3;

use crate::TriangleMesh;
use crate::mesh::is_flat;

use super::{Degenerate, SurfaceFault};

/// Indices of triangles and of what is made from them are 32 bits wide.
const MOST_TRIANGLES: usize = 1 << 30;

/// Coordinates beyond that (m) leave the range of 32-bit boxes.
pub(crate) const FARTHEST: f64 = 1e30;

/// Distance of the farthest vertex from the frame's origin (m), of a mesh that is usable and not beyond measure.
pub(crate) fn measure(mesh: &TriangleMesh) -> Result<f64, SurfaceFault> {
    mesh.validate()?;
    let triangles = mesh.triangles.len();
    if triangles > MOST_TRIANGLES {
        return Err(SurfaceFault::TooManyTriangles { triangles, limit: MOST_TRIANGLES });
    }
    let radius = farthest(mesh);
    if radius > FARTHEST { Err(SurfaceFault::TooLarge { radius }) } else { Ok(radius) }
}

/// Which triangles are degenerate; a fault if there is nothing to work with.
pub(crate) fn examine(mesh: &TriangleMesh) -> Result<Degenerate, SurfaceFault> {
    measure(mesh)?;
    let triangles = mesh.triangles.len();
    let mut degenerate = Degenerate::default();
    for (triangle, corners) in mesh.corners().enumerate() {
        if is_degenerate(&corners) {
            degenerate.note(triangle as u32);
        }
    }
    if degenerate.count == triangles {
        return Err(SurfaceFault::NothingLeft { triangles });
    }
    Ok(degenerate)
}

/// No area to rounding, or edges so short or long that the square of the area is lost.
pub(crate) fn is_degenerate(corners: &[Vec3; 3]) -> bool {
    let [a, b, c] = corners;
    is_flat(corners) || !(b - a).cross(&(c - a)).norm_squared().is_normal()
}

/// Distance of the farthest vertex from the frame's origin (m).
pub(crate) fn farthest(mesh: &TriangleMesh) -> f64 {
    mesh.vertices.iter().map(Vec3::norm).fold(0.0, f64::max)
}
