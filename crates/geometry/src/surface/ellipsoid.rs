use carom_math::Vec3;

use super::{Resolution, check_lengths, sphere};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Ellipsoid with its axes along x, y, z: a geodesic sphere, stretched. Divisions as for [`sphere`].
pub fn ellipsoid(semi_axes: Vec3, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[
        ("semi_axes.x", semi_axes.x),
        ("semi_axes.y", semi_axes.y),
        ("semi_axes.z", semi_axes.z),
    ])?;
    let mut mesh = sphere(1.0, resolution)?;
    for vertex in &mut mesh.vertices {
        vertex.component_mul_assign(&semi_axes);
    }
    Ok(mesh)
}
