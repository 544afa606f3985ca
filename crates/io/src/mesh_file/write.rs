//! Meshes to files.

use std::fmt::Write;
use std::path::Path;

use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Bytes of a mesh file in the format that the name ends in: binary STL (.stl), OBJ (.obj) or binary PLY with 64-bit numbers (.ply).
/// The mesh must be valid.
///
/// # Errors
/// E0302 if the name ends otherwise, or if triangles would lose a corner to STL's 32-bit numbers.
pub fn mesh_bytes(path: &Path, mesh: &TriangleMesh) -> Result<Vec<u8>, Problem> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("stl") => stl(path, mesh),
        Some("obj") => Ok(obj(mesh)),
        Some("ply") => Ok(ply(mesh)),
        _ => {
            let message = format!("cannot write mesh \"{}\": its name says no format", path.display());
            Err(Problem::new("E0302", "", message).help("end it in .stl, .obj or .ply"))
        }
    }
}

fn stl(path: &Path, mesh: &TriangleMesh) -> Result<Vec<u8>, Problem> {
    let rounded = |v: &Vec3| [v.x as f32, v.y as f32, v.z as f32];
    let is_lost = |[a, b, c]: [[f32; 3]; 3]| {
        a == b || b == c || c == a || [a, b, c].as_flattened().iter().any(|x| !x.is_finite())
    };
    let corners = || mesh.corners().map(|corners| corners.map(|v| rounded(&v)));
    // What has two corners at one place already loses nothing.
    let lost = mesh
        .corners()
        .zip(corners())
        .filter(|([a, b, c], rounded)| a != b && b != c && c != a && is_lost(*rounded));
    let lost = lost.count();
    if lost > 0 {
        let message = format!(
            "cannot write mesh \"{}\": in the 32-bit numbers of STL {lost} triangles would lose a corner",
            path.display()
        );
        return Err(
            Problem::new("E0302", "", message).help("write it as .ply or .obj, which keep all digits")
        );
    }
    let mut bytes = b"binary STL, written by carom".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for ([a, b, c], corners) in mesh.corners().zip(corners()) {
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        for x in rounded(&normal).iter().chain(corners.as_flattened()) {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    Ok(bytes)
}

fn obj(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::from("# written by carom\n");
    for v in &mesh.vertices {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    for [a, b, c] in &mesh.triangles {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text.into_bytes()
}

fn ply(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment written by carom\nelement vertex {}\nproperty double x\n\
         property double y\nproperty double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    mesh.vertices.iter().flat_map(|v| v.iter()).for_each(|x| bytes.extend(x.to_le_bytes()));
    for corners in &mesh.triangles {
        bytes.push(3);
        corners.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::fs;

    use carom_geometry::surface::{Resolution, torus};

    use super::*;
    use crate::mesh_file::{obj, ply, read_mesh_file, stl};

    fn ring() -> TriangleMesh {
        torus(0.2, 0.05, Resolution::Facets(300)).unwrap()
    }

    #[test]
    fn obj_and_ply_give_back_every_bit() {
        let mesh = ring();
        // The reader of OBJ numbers vertices as triangles come to them.
        let read = obj::parse(&mesh_bytes(Path::new("a.obj"), &mesh).unwrap()).unwrap();
        assert!(read.corners().eq(mesh.corners()) && read.vertices.len() == mesh.vertices.len());
        assert_eq!(ply::parse(&mesh_bytes(Path::new("a.PLY"), &mesh).unwrap()).unwrap(), mesh);
    }

    #[test]
    fn stl_gives_back_the_surface_in_32_bits() {
        let mesh = ring();
        let read = stl::parse(&mesh_bytes(Path::new("a.stl"), &mesh).unwrap()).unwrap();
        assert_eq!((read.vertices.len(), read.triangles.len()), (mesh.vertices.len(), mesh.triangles.len()));
        for (before, after) in mesh.corners().zip(read.corners()) {
            let off = before.iter().zip(&after).map(|(p, q)| (p - q).amax()).fold(0.0, f64::max);
            // Half a unit in the last place of 0.25.
            assert!(off <= 0.25 * f64::from(f32::EPSILON) / 2.0, "{off}");
        }
    }

    #[test]
    fn what_would_be_lost_is_refused() {
        let corner = Vec3::new(1e6, 0.0, 0.0);
        let small = TriangleMesh {
            vertices: vec![corner, corner + 1e-3 * Vec3::x(), corner + Vec3::y()],
            triangles: vec![[0, 1, 2]],
        };
        let refused = mesh_bytes(Path::new("a.stl"), &small).unwrap_err();
        assert!(refused.message.contains("1 triangles would lose a corner"), "{refused}");
        assert!(mesh_bytes(Path::new("a.ply"), &small).is_ok());
        assert_eq!(mesh_bytes(Path::new("a.step"), &small).unwrap_err().code, "E0302");
    }

    #[test]
    fn a_file_is_read_as_it_is() {
        let path = std::env::temp_dir().join(format!("carom-io-raw-{}.obj", std::process::id()));
        fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 4 2 3\n").unwrap();
        let mesh = read_mesh_file(&path).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 2));
        fs::remove_file(&path).unwrap();
        let missing = read_mesh_file(&path).unwrap_err();
        assert!(missing.code == "E0301" && missing.message.contains("no such file"), "{missing}");
    }
}
