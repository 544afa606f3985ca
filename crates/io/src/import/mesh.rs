//! Mesh files that robot files name: where they are, and whether they can be read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_geometry::convex::ConvexHull;
use carom_geometry::prepare::{convex_parts, distance_beyond, thin_hull};
use carom_math::{Pose, Vec3};

use super::context::Context;
use super::options::Meshes;
use super::robot::{Geometry, Mask};
use super::{collada, gltf, msh, xml};
use crate::mesh_file::read_mesh;
use crate::source::Span;

/// A mesh as a robot file names it, or makes it.
pub(super) struct Reference {
    /// Its file, or its name.
    path: PathBuf,
    /// What the robot file makes without another file.
    made: Option<Arc<TriangleMesh>>,
    /// Where its vertices are taken to before they are scaled.
    place: Pose,
    scale: Vec3,
    span: Span,
}

/// How a mesh is meant to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touching {
    /// It is drawn.
    Not,
    /// By its convex hull, as the format says, or against planes only, where a hull touches as its mesh does.
    ByHull,
    /// By convex parts where its hull reaches far beyond it.
    ByParts,
}

impl Touching {
    /// Of a format that does not say how meshes touch; `links_touch` each other, or floors only.
    pub(super) fn of_mask(mask: Mask, links_touch: bool) -> Self {
        match (mask == Mask::NONE, links_touch) {
            (true, _) => Self::Not,
            (false, true) => Self::ByParts,
            (false, false) => Self::ByHull,
        }
    }
}

/// How far a hull may reach beyond a mesh that may touch others, and how far convex parts of it do, if there are enough (m).
const LARGE: f64 = 5e-3;
/// Vertices of a hull from which on some are left out: what touches by more costs more.
const MANY: usize = 64;
/// Most convex parts that take a mesh's place.
const MOST_PARTS: usize = 8;

impl Reference {
    pub(super) fn to_file(path: PathBuf, scale: Vec3, span: Span) -> Self {
        Self { path, made: None, place: Pose::identity(), scale, span }
    }

    /// A mesh that the robot file makes.
    pub(super) fn to_made(name: &str, mesh: Arc<TriangleMesh>, scale: Vec3, span: Span) -> Self {
        Self { made: Some(mesh), ..Self::to_file(PathBuf::from(name), scale, span) }
    }

    /// The same with its vertices taken elsewhere before they are scaled.
    pub(super) fn at(self, place: Pose) -> Self {
        Self { place, ..self }
    }

    /// The mesh where it is meant to be, not yet scaled. What cannot be read is left out with a warning.
    pub(super) fn read(&self, owner: &str, context: &Context<'_>) -> Option<TriangleMesh> {
        let mut mesh = match &self.made {
            Some(made) => TriangleMesh::clone(made),
            None => read(&self.path, 1.0, owner, self.span, context)?,
        };
        mesh.vertices.iter_mut().for_each(|v| *v = self.place.transform_point(v));
        Some(mesh)
    }

    /// And scaled; triangles of a mirrored one turn inwards.
    fn read_scaled(&self, owner: &str, context: &Context<'_>) -> Option<TriangleMesh> {
        let mut mesh = self.read(owner, context)?;
        mesh.vertices.iter_mut().for_each(|v| v.component_mul_assign(&self.scale));
        Some(mesh)
    }

    /// Its file and scale say all about it.
    fn is_plain(&self) -> bool {
        self.made.is_none() && self.place == Pose::identity()
    }

    /// The mesh as shapes, or what the options want in its place, with their poses.
    pub(super) fn into_shapes(
        self,
        touching: Touching,
        owner: &str,
        pose: &Pose,
        context: &Context<'_>,
    ) -> Vec<(Geometry, Pose)> {
        let shape = match context.options.meshes {
            Meshes::Skip => {
                context.left_out(format!("mesh \"{}\" of \"{owner}\"", self.path.display()), self.span);
                None
            }
            Meshes::Box if touching != Touching::Not => self.into_box(owner, pose, context),
            Meshes::Hull if touching != Touching::Not => {
                let hulls = self.into_hulls(touching, owner, context).unwrap_or_default();
                return hulls.into_iter().map(|hull| (hull, *pose)).collect();
            }
            _ => self.into_drawn(touching, owner, pose, context),
        };
        shape.into_iter().collect()
    }

    fn into_box(self, owner: &str, pose: &Pose, context: &Context<'_>) -> Option<(Geometry, Pose)> {
        let (low, high) = self.read_scaled(owner, context)?.bounds();
        if (high - low).amin() == 0.0 {
            let (why, help) = ("it is flat, and has no box around it", "import with --meshes draw");
            leave_out(&self.path, owner, why, help, self.span, context);
            return None;
        }
        context.choice("a collision mesh is replaced by the box around it", Some(self.span));
        let centre = Pose::from_translation(0.5 * (low + high));
        Some((Geometry::Box { size: high - low }, pose.compose(&centre)))
    }

    /// The convex hull, by the mesh's file where that is enough to say, or those of parts. How far they reach beyond the mesh is told.
    fn into_hulls(self, touching: Touching, owner: &str, context: &Context<'_>) -> Option<Vec<Geometry>> {
        let mesh = self.read_scaled(owner, context)?;
        let Ok(hull) = ConvexHull::of_mesh(&mesh) else {
            let (why, help) = ("it is flat, and has no convex hull", "import with --meshes draw");
            leave_out(&self.path, owner, why, help, self.span, context);
            return None;
        };
        let find = || {
            reach_of(&hull, &mesh).filter(|reach| *reach > LARGE)?;
            convex_parts(&mesh, LARGE, MOST_PARTS).ok().map(Arc::new)
        };
        let parts = match touching {
            Touching::ByParts if self.is_plain() => context.parts_of(&self.path, &self.scale, find),
            Touching::ByParts => find(),
            Touching::Not | Touching::ByHull => None,
        };
        if let Some(parts) = parts {
            let measured = (parts.hulls.len(), Some(parts.reach.at_most));
            context.record_hulls(&self.path, &self.scale, self.span, || measured);
            return Some(parts.hulls.iter().map(|hull| without_much(hull, context)).collect());
        }
        context.record_hulls(&self.path, &self.scale, self.span, || (1, reach_of(&hull, &mesh)));
        if !is_many(&hull, context)
            && self.is_plain()
            && is_uniform(&self.scale)
            && foreign(&self.path).is_none()
        {
            let corners = mesh.bounds();
            let hull = Some(Arc::new(hull));
            return Some(vec![Geometry::Mesh { file: self.path, scale: self.scale.x, corners, hull }]);
        }
        Some(vec![without_much(&hull, context)])
    }

    /// The mesh itself: its scale is one number, so that scaling and turning may change places.
    fn into_drawn(
        self,
        touching: Touching,
        owner: &str,
        pose: &Pose,
        context: &Context<'_>,
    ) -> Option<(Geometry, Pose)> {
        let Self { path, made, place, scale, span } = self;
        // What touches nothing has a hull by no option.
        let help = match touching {
            Touching::Not => {
                "it is for drawing alone; write it again as STL, OBJ or PLY at its size to see it"
            }
            _ => "import with --meshes hull or box, or write the mesh again as STL, OBJ or PLY at its size",
        };
        let scaled = format!("it is scaled by {} {} {}", scale.x, scale.y, scale.z);
        let why = match (is_uniform(&scale), foreign(&path)) {
            _ if made.is_some() => "it has no file",
            (false, _) => scaled.as_str(),
            (true, Some(_)) => "model files do not read its format",
            (true, None) => {
                let corners = read(&path, scale.x, owner, span, context)?.bounds();
                let place = Pose { translation: scale.x * place.translation, ..place };
                let drawn = Geometry::Mesh { file: path, scale: scale.x, corners, hull: None };
                return Some((drawn, pose.compose(&place)));
            }
        };
        leave_out(&path, owner, why, help, span, context);
        None
    }
}

fn is_many(hull: &ConvexHull, context: &Context<'_>) -> bool {
    hull.vertices().len() > MANY && context.options.hull_error > 0.0
}

/// A hull by its vertices, of many those that make it to the error of the options.
fn without_much(hull: &ConvexHull, context: &Context<'_>) -> Geometry {
    if !is_many(hull, context) {
        return Geometry::Hull { points: hull.vertices().to_vec() };
    }
    let (low, high) = bounds(hull.vertices());
    let error = context.options.hull_error * (high - low).amax();
    let thin = thin_hull(hull, error);
    context.record_left_out(hull.vertices().len() - thin.vertices().len(), error);
    Geometry::Hull { points: thin.vertices().to_vec() }
}

fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((points[0], points[0]), |(low, high), p| (low.inf(p), high.sup(p)))
}

/// How far a hull reaches beyond its mesh (m), from above; none where the mesh is too broken to tell.
fn reach_of(hull: &ConvexHull, mesh: &TriangleMesh) -> Option<f64> {
    let surface = TriangleMesh { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() };
    distance_beyond(&surface, mesh).ok().map(|reach| reach.at_most)
}

/// One scale for all axes, above 0.
fn is_uniform(scale: &Vec3) -> bool {
    scale.x > 0.0 && (scale - Vec3::repeat(scale.x)).amax() <= 1e-9 * scale.amax()
}

/// Reads a mesh file. What cannot be read is left out with a warning.
fn read(path: &Path, scale: f64, owner: &str, span: Span, context: &Context<'_>) -> Option<TriangleMesh> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let correct = || "correct the file or its name".to_owned();
    let read = match foreign(path) {
        None => read_mesh(folder, &name, scale)
            .map_err(|error| (error.reason, error.help.unwrap_or_else(correct))),
        Some(format) => read_foreign(path, format, context)
            .map(|mut mesh| {
                mesh.vertices.iter_mut().for_each(|v| *v *= scale);
                mesh
            })
            .map_err(|reason| (reason, correct())),
    };
    match read {
        Ok(mesh) => {
            context.record_file(path);
            Some(mesh)
        }
        Err((reason, help)) => {
            leave_out(path, owner, &reason, &help, span, context);
            None
        }
    }
}

/// Formats that robots have and model files do not read.
#[derive(Clone, Copy)]
enum Foreign {
    Collada,
    Gltf,
    Msh,
}

fn foreign(path: &Path) -> Option<Foreign> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    match extension.as_str() {
        "dae" => Some(Foreign::Collada),
        "gltf" | "glb" => Some(Foreign::Gltf),
        "msh" => Some(Foreign::Msh),
        _ => None,
    }
}

fn read_foreign(path: &Path, format: Foreign, context: &Context<'_>) -> Result<TriangleMesh, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("it cannot be read: {error}"))?;
    match format {
        Foreign::Msh => msh::read(&bytes),
        Foreign::Gltf => gltf::read(&bytes, path.parent().unwrap_or(Path::new(""))),
        Foreign::Collada => {
            let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
            let folder = path.parent().unwrap_or(Path::new(""));
            // Its mistakes are no mistakes of the robot file.
            let own = Context::new(context.options, folder);
            let file = own.sources.borrow_mut().add(path.display().to_string(), &text, folder);
            let root = xml::parse(file, &own).ok_or_else(|| "it is not valid XML".to_owned())?;
            collada::triangles(&root)
        }
    }
}

/// One warning for each reason, and a note for each mesh: robots have dozens of them.
fn leave_out(path: &Path, owner: &str, why: &str, help: &str, span: Span, context: &Context<'_>) {
    let message = format!("mesh of \"{owner}\" is left out: \"{}\": {why}", path.display());
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    context.left_out(format!("mesh \"{name}\" of \"{owner}\""), span);
    context.warn_once(why, Problem::new("W0802", "", message).help(help), span);
}

/// Where the file of a URI is: relative paths and those of ROS packages are looked for in the folder of the
/// robot file and the folders above it, packages also in the folders that the options name.
pub(super) fn resolve(uri: &str, context: &Context<'_>) -> PathBuf {
    locate(uri, &context.folder, context)
}

/// The same of a URI in a file in `folder`; it may name a folder.
pub(super) fn locate(uri: &str, folder: &Path, context: &Context<'_>) -> PathBuf {
    if let Some(path) = uri.strip_prefix("file://") {
        return PathBuf::from(path);
    }
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let above = || folder.ancestors();
    let package = ["package://", "model://"].iter().find_map(|p| uri.strip_prefix(p));
    let package = package.map(|inside| inside.trim_start_matches('/'));
    let Some(inside) = package else {
        let candidates = above().map(|dir| dir.join(uri));
        return candidates.into_iter().find(|p| p.exists()).unwrap_or_else(|| folder.join(uri));
    };
    let (name, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let of_root = |root: &Path| {
        let own = root.file_name().is_some_and(|n| n == name).then(|| root.join(rest));
        own.into_iter().chain([root.join(inside), root.join("share").join(inside)])
    };
    let roots = context.options.packages.iter().map(PathBuf::as_path).chain(above());
    let found = roots.flat_map(of_root).find(|p| p.exists());
    // A package whose folder has another name: the rest of the path, from the folders above.
    let elsewhere = || above().map(|root| root.join(rest)).find(|p| !rest.is_empty() && p.exists());
    found.or_else(elsewhere).unwrap_or_else(|| folder.join(rest))
}

/// Path of a file as a model file in `folder` states it: with `/`, and without a detour if it is below.
pub fn relative(file: &Path, folder: &Path) -> String {
    let whole = |p: &Path| {
        std::fs::canonicalize(p).or_else(|_| std::path::absolute(p)).unwrap_or_else(|_| p.to_owned())
    };
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
