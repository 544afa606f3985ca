use carom_math::Vec3;

use super::{Resolution, check_lengths, sphere};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Ellipsoid with its axes along x, y, z: a geodesic sphere, stretched. Divisions as for [`sphere`].
pub fn ellipsoid(semi_axes: Vec3, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    rounded_ellipsoid(semi_axes, 0.0, resolution)
}

/// The sum of an ellipsoid and a ball of radius `rounding`: points moved along the normals (x/a², y/b², z/c²).
pub(super) fn rounded_ellipsoid(
    semi_axes: Vec3,
    rounding: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[
        ("semi_axes.x", semi_axes.x),
        ("semi_axes.y", semi_axes.y),
        ("semi_axes.z", semi_axes.z),
    ])?;
    let mut mesh = sphere(1.0, resolution)?;
    for vertex in &mut mesh.vertices {
        let normal = vertex.component_div(&semi_axes).normalize();
        *vertex = vertex.component_mul(&semi_axes) + rounding * normal;
    }
    Ok(mesh)
}
