//! Mesh files (STL, OBJ, PLY) to welded triangle meshes in metres, and outlines in text files.

mod faces;
mod obj;
mod outline;
mod ply;
mod stl;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::read::GeneratedSource;
use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_geometry::convex::{ConvexHull, HullFault, NotConvex};
use carom_geometry::mesh::weld;
use carom_geometry::prepare::{ConvexParts, convex_parts};
use carom_math::Vec2;

pub(crate) use faces::cut_face;
pub use write::mesh_bytes;

use crate::document::near_file;
use crate::regular_file::read_file;

/// Largest mesh file (bytes).
const MAX_FILE_SIZE: u64 = 1 << 30;

/// Why a mesh could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadError {
    pub(crate) code: &'static str,
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
}

impl ReadError {
    fn content(reason: impl Into<String>) -> Self {
        let help = Some("write the mesh again as binary STL or OBJ".to_owned());
        Self { code: "E0302", reason: reason.into(), help }
    }
}

/// Why a mesh file gives no hull.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HullError {
    Unreadable(ReadError),
    NoHull(HullFault),
}

/// What was read, with its file and factor.
pub(crate) type Source<T> = (Arc<T>, PathBuf, f64);

/// Meshes and hulls with their files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub(crate) meshes: Vec<Source<TriangleMesh>>,
    pub(crate) hulls: Vec<Source<ConvexHull>>,
    pub(crate) generated: Vec<GeneratedSource>,
}

/// Meshes read so far, and their hulls: a file that several bodies use is read once.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    meshes: BTreeMap<Key, Result<Arc<TriangleMesh>, ReadError>>,
    hulls: BTreeMap<Key, Result<Arc<ConvexHull>, HullError>>,
    parts: BTreeMap<(Key, u64, usize), Result<Arc<ConvexParts>, NotConvex>>,
    outlines: BTreeMap<Key, Result<Vec<Vec2>, ReadError>>,
}

/// File and factor on its lengths.
type Key = (PathBuf, u64);

impl Cache {
    /// Mesh of a file with all lengths multiplied by `factor`.
    pub(crate) fn read(
        &mut self,
        folder: &Path,
        name: &str,
        factor: f64,
    ) -> Result<Arc<TriangleMesh>, ReadError> {
        let key = (folder.join(name), factor.to_bits());
        self.meshes.entry(key).or_insert_with(|| read_mesh(folder, name, factor).map(Arc::new)).clone()
    }

    /// Convex hull of a file's vertices.
    pub(crate) fn read_hull(
        &mut self,
        folder: &Path,
        name: &str,
        factor: f64,
    ) -> Result<Arc<ConvexHull>, HullError> {
        let mesh = self.read(folder, name, factor).map_err(HullError::Unreadable)?;
        let build = || ConvexHull::of_mesh(&mesh).map(Arc::new).map_err(HullError::NoHull);
        self.hulls.entry((folder.join(name), factor.to_bits())).or_insert_with(build).clone()
    }

    /// Convex parts of a file's mesh, which reach no farther beyond it than allowed (m), or are `most`; none of a file that cannot be
    /// read.
    pub(crate) fn part(
        &mut self,
        folder: &Path,
        name: &str,
        factor: f64,
        allowed: f64,
        most: usize,
    ) -> Result<Option<Arc<ConvexParts>>, NotConvex> {
        let Ok(mesh) = self.read(folder, name, factor) else { return Ok(None) };
        let key = ((folder.join(name), factor.to_bits()), allowed.to_bits(), most);
        let build = || convex_parts(&mesh, allowed, most).map(Arc::new);
        self.parts.entry(key).or_insert_with(build).clone().map(Some)
    }

    /// Corners of an outline in a text file.
    pub(crate) fn read_outline(
        &mut self,
        folder: &Path,
        name: &str,
        factor: f64,
    ) -> Result<Vec<Vec2>, ReadError> {
        let path = folder.join(name);
        let read = || {
            let unreadable =
                |reason: String| ReadError { code: "E0301", reason, help: near_file(name, folder) };
            let bytes = read_file(&path, MAX_FILE_SIZE).map_err(unreadable)?;
            outline::parse(&bytes).map(|points| points.iter().map(|point| point * factor).collect())
        };
        self.outlines.entry((path.clone(), factor.to_bits())).or_insert_with(read).clone()
    }

    /// What was read, with its files and factors.
    pub(crate) fn sources(&self, generated: Vec<GeneratedSource>) -> Sources {
        Sources { meshes: sources(&self.meshes), hulls: sources(&self.hulls), generated }
    }

    /// Files that were read.
    pub(crate) fn files(self) -> Vec<PathBuf> {
        let outlines = self.outlines.into_iter().filter(|(_, points)| points.is_ok()).map(|(key, _)| key.0);
        let meshes = self.meshes.into_iter().filter(|(_, mesh)| mesh.is_ok()).map(|(key, _)| key.0);
        let mut files: Vec<PathBuf> = meshes.chain(outlines).collect();
        files.dedup();
        files
    }
}

fn sources<T, E>(read: &BTreeMap<Key, Result<Arc<T>, E>>) -> Vec<Source<T>> {
    let source = |((file, factor), item): (&Key, &Result<Arc<T>, E>)| {
        Some((Arc::clone(item.as_ref().ok()?), file.clone(), f64::from_bits(*factor)))
    };
    read.iter().filter_map(source).collect()
}

/// Reads a mesh file; equal vertices become one, lengths are multiplied by `factor`.
pub(crate) fn read_mesh(folder: &Path, name: &str, factor: f64) -> Result<TriangleMesh, ReadError> {
    let mut mesh = parse_file(folder, name)?;
    for vertex in &mut mesh.vertices {
        *vertex *= factor;
    }
    match weld(&mesh, 0.0) {
        Ok(welded) if welded.mesh.triangles.is_empty() => {
            Err(ReadError::content("all its triangles are degenerate"))
        }
        Ok(welded) => Ok(welded.mesh),
        Err(fault) => Err(ReadError::content(fault.to_string())),
    }
}

/// A mesh file (STL, OBJ, PLY) as it is, in its own unit: with all its vertices and all its triangles, of which polygons of OBJ and
/// PLY become several.
///
/// # Errors
/// E0301 or E0302, with the file and what helps.
pub fn read_mesh_file(path: &Path) -> Result<TriangleMesh, Problem> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let usable = |mesh: TriangleMesh| match mesh.validate() {
        Ok(()) => Ok(mesh),
        Err(fault) => Err(ReadError::content(fault.to_string())),
    };
    parse_file(folder, &name).and_then(usable).map_err(|ReadError { code, reason, help }| {
        let mut problem =
            Problem::new(code, "", format!("cannot read mesh \"{}\": {reason}", path.display()));
        problem.help = help;
        problem
    })
}

fn parse_file(folder: &Path, name: &str) -> Result<TriangleMesh, ReadError> {
    let path = folder.join(name);
    let unreadable = |reason: String| ReadError { code: "E0301", reason, help: near_file(name, folder) };
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let bytes = read_file(&path, MAX_FILE_SIZE).map_err(unreadable)?;
    if bytes.is_empty() {
        return Err(ReadError::content("the file is empty"));
    }
    match extension.as_deref() {
        Some("stl") => stl::parse(&bytes),
        Some("obj") => obj::parse(&bytes),
        Some("ply") => ply::parse(&bytes),
        _ => {
            let reason = "its name ends neither in .stl nor in .obj or .ply".to_owned();
            let help = Some("convert it to STL, OBJ or PLY".to_owned());
            Err(ReadError { code: "E0302", reason, help })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

    fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("carom-io-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, bytes) in files {
            fs::write(folder.join(file), bytes).unwrap();
        }
        folder
    }

    fn binary_stl(mesh: &TriangleMesh) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        for corners in mesh.corners() {
            bytes.extend([0; 12]);
            for c in corners {
                c.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn stl_and_obj_give_the_same_welded_mesh() {
        let a = folder("same", &[("a.obj", TETRAHEDRON.as_bytes())]);
        let obj = read_mesh(&a, "a.obj", 1e-3).unwrap();
        assert_eq!((obj.vertices.len(), obj.triangles.len()), (4, 4));
        assert!((obj.signed_volume() - 1e-9 / 6.0).abs() < 1e-24);
        fs::write(a.join("a.stl"), binary_stl(&read_mesh(&a, "a.obj", 1.0).unwrap())).unwrap();
        let stl = read_mesh(&a, "a.stl", 1e-3).unwrap();
        assert_eq!((stl.vertices.len(), stl.triangles.len()), (4, 4));
        assert!(stl.topology().unwrap().closed);
        fs::remove_dir_all(a).unwrap();
    }

    #[test]
    fn broken_files_say_what_is_wrong() {
        let whole = binary_stl(&TriangleMesh {
            vertices: vec![carom_math::Vec3::x(), carom_math::Vec3::y(), carom_math::Vec3::z()],
            triangles: vec![[0, 1, 2]],
        });
        let f = folder(
            "broken",
            &[
                ("empty.stl", b""),
                ("cut.stl", &whole[..whole.len() - 10]),
                ("longer.stl", &[&whole[..], b"more"].concat()),
                ("garbage.stl", b"this is no mesh at all"),
                ("cut.obj", b"v 0 0 0\nv 1 0\n"),
                ("range.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 9\n"),
                ("points.obj", b"v 0 0 0\nv 1 0 0\n"),
                ("nan.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                ("part.step", b"ISO-10303-21"),
            ],
        );
        for name in [
            "empty.stl",
            "cut.stl",
            "longer.stl",
            "garbage.stl",
            "cut.obj",
            "range.obj",
            "points.obj",
            "nan.obj",
            "part.step",
        ] {
            let error = read_mesh(&f, name, 1.0).unwrap_err();
            assert_eq!(error.code, "E0302", "{name}: {error:?}");
        }
        let missing = read_mesh(&f, "poonts.obj", 1.0).unwrap_err();
        assert_eq!((missing.code, missing.help.as_deref()), ("E0301", Some("did you mean \"points.obj\"?")));
        fs::remove_dir_all(f).unwrap();
    }
}
