//! The only file that knows the crate `stl_io`.

use std::io::Cursor;

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::ReadError;

/// Parses ASCII or binary STL.
pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    let is_ascii = bytes.starts_with(b"solid") && bytes.windows(5).take(4096).any(|w| w == b"facet");
    let mut binary = Vec::new();
    if !is_ascii {
        check_size(bytes)?;
        // Its header says nothing, but the crate takes "solid" in it for the other format.
        binary.extend_from_slice(bytes);
        binary[..5].fill(0);
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(if is_ascii { bytes } else { &binary }))
        .map_err(|e| ReadError::content(format!("it is not valid STL: {e}")))?;
    let triangle = |f: &stl_io::IndexedTriangle| f.vertices.map(|v| v as u32);
    Ok(TriangleMesh {
        vertices: mesh.vertices.iter().map(|v| Vec3::new(v[0].into(), v[1].into(), v[2].into())).collect(),
        triangles: mesh.faces.iter().map(triangle).collect(),
    })
}

/// A binary file says how many triangles of 50 bytes follow its header of 84.
fn check_size(bytes: &[u8]) -> Result<(), ReadError> {
    let count = bytes.get(80..84).and_then(|b| <[u8; 4]>::try_from(b).ok()).map(u32::from_le_bytes);
    let Some(count) = count else {
        return Err(ReadError::content(format!("it has {} bytes, too few for an STL file", bytes.len())));
    };
    let expected = 84 + 50 * u64::from(count);
    if (bytes.len() as u64) < expected {
        let message =
            format!("it is cut off: {count} triangles need {expected} bytes, it has {}", bytes.len());
        return Err(ReadError::content(message));
    }
    let rest = bytes.get(usize::try_from(expected).unwrap_or(usize::MAX)..).unwrap_or_default();
    // Some programs fill files up.
    if rest.iter().any(|&byte| byte != 0) {
        let message = format!("{} bytes follow after the {count} triangles that it says it has", rest.len());
        return Err(ReadError::content(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// Many programs begin the header of binary files with "solid"; ten triangles are the byte of a line's end in their count.
    #[test]
    fn a_header_that_says_solid_is_no_text() {
        let mut file = b"solid part".to_vec();
        file.resize(80, b' ');
        file.extend(10_u32.to_le_bytes());
        for k in 0..10 {
            let corners = [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, k as f32]];
            file.extend(corners.iter().flatten().flat_map(|x: &f32| x.to_le_bytes()));
            file.extend([0, 0]);
        }
        assert_eq!(parse(&file).unwrap().triangles.len(), 10);
    }
}
