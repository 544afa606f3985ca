//! MuJoCo's own mesh files (`.msh`).

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Numbers of vertices, normals, texture coordinates and triangles (little-endian, 32 bits); then the vertices, the normals and
/// the texture coordinates as floats, and the triangles as indices.
pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    if !bytes.len().is_multiple_of(4) {
        return Err("its length is no multiple of four bytes".to_owned());
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three vertices with a normal and two texture coordinates, and a triangle.
    fn file(counts: [i32; 4], index: u32) -> Vec<u8> {
        let floats: [f32; 14] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5];
        let counts = counts.iter().flat_map(|x| x.to_le_bytes());
        let indices = [0, 1, index].into_iter().flat_map(u32::to_le_bytes);
        counts.chain(floats.iter().flat_map(|x| x.to_le_bytes())).chain(indices).collect()
    }

    #[test]
    fn a_file_is_read_as_its_head_says_or_not_at_all() {
        let mesh = read(&file([3, 1, 1, 1], 2)).expect("a triangle");
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
        assert_eq!(mesh.vertices[2], Vec3::new(0.0, 2.0, 0.0));
        let error = |bytes: &[u8]| read(bytes).expect_err("an error");
        assert!(error(&file([3, 1, 1, 1], 3)).contains("not there"));
        assert!(error(&file([3, 2, 1, 1], 2)).contains("length"));
        assert!(error(&file([i32::MAX; 4], 2)).contains("length"));
        assert!(error(&file([3, 1, 1, -1], 2)).contains("no triangles"));
        assert!(error(&file([3, 1, 1, 1], 2)[..65]).contains("four bytes"));
        assert!(error(&[0; 12]).contains("shorter"));
    }
}
