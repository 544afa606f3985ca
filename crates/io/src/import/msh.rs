//! MuJoCo's own mesh files (`.msh`).

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Numbers of vertices, normals, texture coordinates and triangles (little-endian, 32 bits); then the vertices, the normals and
/// the texture coordinates as floats, and the triangles as indices.
pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]).collect();
    let short = || "it is shorter than it says".to_owned();
    let (head, rest) = words.split_at_checked(4).ok_or_else(short)?;
    let [vertices, normals, texture, triangles] =
        [0, 1, 2, 3].map(|k| i32::from_le_bytes(head[k])).map(|count| usize::try_from(count).unwrap_or(0));
    if vertices == 0 || triangles == 0 {
        return Err("it has no triangles of its own".to_owned());
    }
    let floats = [3 * vertices, 3 * normals, 2 * texture];
    if rest.len() != floats.iter().sum::<usize>() + 3 * triangles {
        return Err("its length is not that of what it says it has".to_owned());
    }
    let position = |at: usize| f64::from(f32::from_le_bytes(rest[at]));
    let corners: Vec<Vec3> =
        (0..vertices).map(|k| Vec3::new(position(3 * k), position(3 * k + 1), position(3 * k + 2))).collect();
    if corners.iter().any(|c| !c.iter().all(|x| x.is_finite())) {
        return Err("it has positions that are not finite".to_owned());
    }
    let indices: Vec<u32> =
        rest[floats.iter().sum()..].iter().map(|word| u32::from_le_bytes(*word)).collect();
    if indices.iter().any(|index| *index as usize >= vertices) {
        return Err("it names a vertex that is not there".to_owned());
    }
    let triangles = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    Ok(TriangleMesh { vertices: corners, triangles })
}
