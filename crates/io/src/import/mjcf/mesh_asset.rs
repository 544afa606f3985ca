//! Meshes of `<asset>`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_geometry::convex::ConvexHull;
use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::Context;
use super::super::mesh::Reference;
use super::super::xml::Element;
use super::compiler::Compiler;
use super::defaults::Classes;
use super::mesh_mass::MeshInertia;
use crate::source::Span;

/// Attributes of meshes that defaults may hold.
pub(super) const ATTRIBUTES: &[&str] = &["class", "scale", "inertia"];

/// A mesh of the assets.
#[derive(Clone, Debug)]
pub(super) struct MeshAsset {
    file: Option<String>,
    made: Option<Arc<TriangleMesh>>,
    /// Of its vertices, before they are scaled.
    place: Pose,
    pub(super) scale: Vec3,
    pub(super) inertia: MeshInertia,
    span: Span,
}

/// Meshes by name.
pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    context: &Context<'_>,
) -> BTreeMap<String, MeshAsset> {
    let mut meshes = BTreeMap::new();
    for asset in root.all("asset") {
        for element in asset.children.iter().filter(|c| c.name == "mesh") {
            let view = classes.view(element, None, context);
            element.mark_attributes(ATTRIBUTES);
            let file = element.text("file").map(str::to_owned);
            let stem = file.as_deref().map(|f| {
                Path::new(f).file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned())
            });
            let scale = view.vector("scale", context).unwrap_or_else(|| Vec3::repeat(1.0));
            let inertia = MeshInertia::read(view.text("inertia"), element, context);
            let made = made(element, context).map(Arc::new);
            let place = place(element, context);
            let Some(name) = element.text("name").map(str::to_owned).or(stem) else { continue };
            let mesh = MeshAsset { file, made, place, scale, inertia, span: element.span };
            if meshes.insert(name.clone(), mesh).is_some() {
                let problem =
                    Problem::new("E0806", "", format!("there are two meshes \"{name}\"")).help("rename one");
                context.report(problem, element.span);
            }
        }
    }
    meshes
}

/// Vertices count from `refpos`, along the axes that `refquat` turns to.
fn place(element: &Element, context: &Context<'_>) -> Pose {
    let translation = element.vector("refpos", context).unwrap_or_else(Vec3::zeros);
    let turn = element.numbers_in("refquat", 4..=4, context).map(|v| Quaternion::new(v[0], v[1], v[2], v[3]));
    let is_turned = |turn: &Quaternion| turn.norm() > 0.0;
    let rotation = turn.filter(is_turned).map_or(Pose::identity().rotation, |turn| turn.to_matrix());
    Pose { rotation, translation }.inverse()
}

/// A mesh of vertices in the model file, and of triangles there or of their hull. After an error a cube's corner stands in, so that no
/// more is said about it.
fn made(element: &Element, context: &Context<'_>) -> Option<TriangleMesh> {
    if !element.attributes.iter().any(|a| a.name == "vertex") {
        return None;
    }
    let (coordinates, corners) = (element.numbers("vertex", context), element.numbers("face", context));
    let refuse = |key: &str, found: String, expected: &str| {
        element.bad_value(key, format!("`{key}` of {} has {found}", element.title()), expected, context);
    };
    let stand_in = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let is_whole = |list: &Vec<f64>| list.len() >= 12 && list.len().is_multiple_of(3);
    if let Some(wrong) = coordinates.as_ref().filter(|list| !is_whole(list)) {
        let found = format!("{} numbers", wrong.len());
        refuse("vertex", found, "three of each vertex, and four vertices or more");
    }
    let coordinates = coordinates.filter(is_whole).unwrap_or(stand_in);
    let vertices: Vec<Vec3> = coordinates.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let is_vertex = |x: &f64| *x >= 0.0 && x.fract() == 0.0 && *x < vertices.len() as f64;
    let corners = corners.filter(|corners| {
        let wrong = corners.iter().find(|x| !is_vertex(x));
        match wrong {
            Some(wrong) => {
                refuse(
                    "face",
                    format!("the vertex {wrong}"),
                    &format!("numbers from 0 to {}", vertices.len() - 1),
                );
            }
            None if !corners.len().is_multiple_of(3) => {
                refuse("face", format!("{} numbers", corners.len()), "three of each triangle");
            }
            None => {}
        }
        wrong.is_none() && corners.len().is_multiple_of(3)
    });
    let Some(corners) = corners else {
        // Points in a plane stay without triangles: that they have no volume is told where it matters.
        let hull = ConvexHull::of_points(&vertices).ok();
        let whole = |h: ConvexHull| TriangleMesh {
            vertices: h.vertices().to_vec(),
            triangles: h.triangles().to_vec(),
        };
        return Some(hull.map_or(TriangleMesh { vertices, triangles: Vec::new() }, whole));
    };
    let triangles = corners.chunks_exact(3).map(|c| [c[0] as u32, c[1] as u32, c[2] as u32]).collect();
    Some(TriangleMesh { vertices, triangles })
}

impl MeshAsset {
    /// `None` after an error.
    pub(super) fn reference(
        &self,
        name: &str,
        compiler: &Compiler,
        context: &Context<'_>,
    ) -> Option<Reference> {
        let reference = match (&self.file, &self.made) {
            (Some(file), _) => Reference::to_file(compiler.mesh_path(file), self.scale, self.span),
            (None, Some(mesh)) => Reference::to_made(name, Arc::clone(mesh), self.scale, self.span),
            (None, None) => {
                let message = format!("mesh \"{name}\" has neither a file nor vertices");
                let problem = Problem::new("E0812", "", message);
                context.report(problem.help("write it to an STL, OBJ or PLY file"), self.span);
                return None;
            }
        };
        Some(reference.at(self.place))
    }
}
