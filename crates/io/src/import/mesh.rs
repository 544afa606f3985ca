//! Mesh files that robot files name: where they are, and whether they can be read.

use std::path::{Path, PathBuf};

use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::context::Context;
use super::robot::Geometry;
use crate::mesh_file::read_mesh;
use crate::source::Span;

/// A mesh that was read, with its scale.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) path: PathBuf,
    pub(super) scale: f64,
    pub(super) mesh: TriangleMesh,
}

impl Mesh {
    /// As the shape of a link.
    pub(super) fn geometry(&self) -> Geometry {
        Geometry::Mesh { file: self.path.clone(), scale: self.scale, corners: self.mesh.bounds() }
    }
}

/// Reads the mesh at a path. What cannot be read is left out with a warning.
pub(super) fn load(path: PathBuf, scale: Vec3, owner: &str, span: Span, context: &Context<'_>) -> Option<Mesh> {
    let leave_out = |why: String, help: String| {
        let message = format!("mesh of \"{owner}\" is left out: {why}");
        context.report(Problem::new("W0802", "", message).help(help), span);
        None
    };
    let largest = scale.amax();
    if scale.x <= 0.0 || (scale - Vec3::repeat(scale.x)).amax() > 1e-9 * largest {
        let why = format!("its scale is {} {} {}", scale.x, scale.y, scale.z);
        return leave_out(why, "meshes have one positive scale: write the mesh again at its size".to_owned());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    match read_mesh(folder, &name, scale.x) {
        Ok(mesh) => {
            context.record_file(&path);
            Some(Mesh { path, scale: scale.x, mesh })
        }
        Err(error) => {
            let help = error.help.unwrap_or_else(|| "correct the file or its name".to_owned());
            leave_out(format!("\"{}\": {}", path.display(), error.reason), help)
        }
    }
}

/// Where the file of a URI is: relative paths and those of ROS packages are looked for in the folder of the
/// robot file and the folders above it, packages also in the folders that the options name.
pub(super) fn resolve(uri: &str, context: &Context<'_>) -> PathBuf {
    if let Some(path) = uri.strip_prefix("file://") {
        return PathBuf::from(path);
    }
    let folder = std::path::absolute(&context.folder).unwrap_or_else(|_| context.folder.clone());
    let above = || folder.ancestors();
    let package = ["package://", "model://"].iter().find_map(|p| uri.strip_prefix(p));
    let Some(inside) = package else {
        let candidates = above().map(|dir| dir.join(uri));
        return candidates.into_iter().find(|p| p.is_file()).unwrap_or_else(|| folder.join(uri));
    };
    let (name, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let of_root = |root: &Path| {
        let own = root.file_name().is_some_and(|n| n == name).then(|| root.join(rest));
        own.into_iter().chain([root.join(inside), root.join("share").join(inside)])
    };
    let roots = context.options.packages.iter().map(PathBuf::as_path).chain(above());
    let found = roots.flat_map(of_root).find(|p| p.is_file());
    found.unwrap_or_else(|| folder.join(rest))
}

/// Path of a file as a model file in `folder` states it: with `/`, and without a detour if it is below.
pub(super) fn relative(file: &Path, folder: &Path) -> String {
    let whole = |p: &Path| std::fs::canonicalize(p).or_else(|_| std::path::absolute(p)).unwrap_or_else(|_| p.to_owned());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (file, folder) = (whole(file), whole(folder));
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file.display().to_string();
    }
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down = file.components().skip(common).map(|c| c.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_model_to_the_mesh() {
        let path = |f: &str, d: &str| relative(Path::new(f), Path::new(d));
        assert_eq!(path("/no/robot/meshes/a.stl", "/no/robot"), "meshes/a.stl");
        assert_eq!(path("/no/robot/meshes/a.stl", "/no/out/models"), "../../robot/meshes/a.stl");
    }
}
