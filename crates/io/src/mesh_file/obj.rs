//! The only file that knows the crate `tobj`.

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::ReadError;

/// Parses OBJ: all objects together, polygons cut into triangles, materials ignored.
pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let no_materials = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials)
        .map_err(|e| ReadError::content(format!("it is not valid OBJ: {e}")))?;
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for model in &models {
        let first = mesh.vertices.len() as u32;
        let vertices = model.mesh.positions.chunks_exact(3);
        mesh.vertices.extend(vertices.map(|p| Vec3::new(p[0], p[1], p[2])));
        mesh.triangles
            .extend(model.mesh.indices.chunks_exact(3).map(|t| [t[0] + first, t[1] + first, t[2] + first]));
    }
    Ok(mesh)
}
