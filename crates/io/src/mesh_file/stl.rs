//! The only file that knows the crate `stl_io`.

use std::io::Cursor;

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::ReadError;

/// Parses ASCII or binary STL.
pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    let is_ascii = bytes.starts_with(b"solid") && bytes.windows(5).take(4096).any(|w| w == b"facet");
    if !is_ascii {
        check_size(bytes)?;
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes))
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
