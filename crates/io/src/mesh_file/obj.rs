//! The only file that knows the crate `tobj`.

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::ReadError;
use super::faces::Faces;

/// Parses OBJ: all objects together, polygons cut into triangles, materials ignored.
pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    let options = tobj::LoadOptions { ignore_points: true, ignore_lines: true, ..Default::default() };
    let no_materials = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials)
        .map_err(|e| ReadError::content(format!("it is not valid OBJ: {e}")))?;
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for model in &models {
        let first = mesh.vertices.len() as u32;
        let vertices = model.mesh.positions.chunks_exact(3);
        mesh.vertices.extend(vertices.map(|p| Vec3::new(p[0], p[1], p[2])));
        let mut faces = Faces::default();
        let mut corners = &model.mesh.indices[..];
        // Where all faces are triangles it counts none.
        let triangles = vec![3; if model.mesh.face_arities.is_empty() { corners.len() / 3 } else { 0 }];
        for &count in model.mesh.face_arities.iter().chain(&triangles) {
            let (face, rest) = corners.split_at(count as usize);
            faces.push(face.iter().map(|corner| corner + first));
            corners = rest;
        }
        mesh.triangles.extend(faces.into_triangles(&mesh.vertices));
    }
    Ok(mesh)
}
