use std::sync::Arc;

use carom_engine::law::Material;
use carom_engine::model::BodyShape;
use carom_geometry::Shape;
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_math::{Pose, Vec3};

use super::Section;
use super::material::find_material;
use super::rotation::rotation_of_z;
use crate::mesh_file;
use crate::quantity::Dimension;
use crate::schema::{LATER_SHAPE_TYPES, SHAPE_TYPES};
use crate::suggest;

/// A shape with what only mass properties need.
pub(crate) struct ReadShape {
    pub(crate) shape: BodyShape,
    pub(crate) density: Option<f64>,
    /// Counts as solid for mass and inertia.
    pub(crate) is_solid: bool,
    /// Key path, for messages.
    pub(crate) path: String,
    pub(crate) key_span: crate::source::Span,
}

/// Reads one shape; `None` after an error.
pub(crate) fn read_shape(
    section: &Section<'_, '_>,
    name: String,
    materials: &[Material],
) -> Option<ReadShape> {
    let kind = shape_type(section)?;
    let position = section.vector("at").unwrap_or_else(Vec3::zeros);
    let rotation = section.rotation_matrix();
    let material = section.text("material").and_then(|m| find_material(section, "material", &m, materials));
    let contact_radius = section.quantity("contact_radius");
    if section.has("facets") && section.whole("facets").is_some() {
        let message =
            format!("`facets` of \"{name}\" has no effect: no method of this version tessellates shapes");
        section.report(
            "facets",
            section
                .problem("W0402", "facets", message)
                .help("it is kept for the areal methods; remove it or allow W0402"),
        );
    }
    let direction = match kind {
        "half-space" => section.direction("normal"),
        "cylinder" | "capsule" => section.direction("axis"),
        _ => None,
    };
    let (shape, is_solid) = geometry(section, kind)?;
    let turned = rotation_of_z(&direction.unwrap_or_else(Vec3::z));
    let rotation = match rotation {
        Some(r) => r * turned,
        None => turned,
    };
    let density = match kind {
        "half-space" => None,
        _ => section.quantity("density").or(material.and_then(|m| materials[m].density)),
    };
    Some(ReadShape {
        shape: BodyShape {
            name,
            pose: Pose { rotation, translation: position },
            shape,
            material,
            contact_radius,
        },
        density,
        is_solid,
        path: section.path.clone(),
        key_span: section.key_span,
    })
}

fn shape_type(section: &Section<'_, '_>) -> Option<&'static str> {
    let text = section.required_text("type")?;
    if let Some(kind) = SHAPE_TYPES.iter().find(|t| **t == text) {
        return Some(kind);
    }
    let there_are = format!("shapes of this version: {}", SHAPE_TYPES.join(", "));
    let problem = if LATER_SHAPE_TYPES.contains(&text.as_str()) {
        section.problem("E0210", "type", format!("shape \"{text}\" is not built yet")).help(there_are)
    } else {
        let mut problem =
            section.problem("E0303", "type", format!("there is no shape \"{text}\"")).expected(there_are);
        problem.help = suggest::help(&text, SHAPE_TYPES);
        problem
    };
    section.report("type", problem);
    None
}

/// The shape in its own frame, and whether it is the boundary of a solid.
fn geometry(section: &Section<'_, '_>, kind: &str) -> Option<(Shape, bool)> {
    match kind {
        "sphere" => {
            let hollow = section.flag("hollow").unwrap_or(false);
            Some((Shape::Sphere { radius: section.required_quantity("radius")?, hollow }, !hollow))
        }
        "half-space" => Some((Shape::HalfSpace, false)),
        "box" => Some((Shape::Box { half: 0.5 * section.required_vector("size")? }, true)),
        "cylinder" => {
            let hollow = section.flag("hollow").unwrap_or(false);
            let closed = section.flag("closed");
            if closed.is_some() && !hollow {
                let problem =
                    section.problem("E0212", "closed", "`closed` is for hollow cylinders; this one is solid");
                section.report("closed", problem.help("add hollow = true, or remove `closed`"));
            }
            let side = if hollow {
                CylinderSide::Hollow { closed: closed.unwrap_or(true) }
            } else {
                CylinderSide::Solid
            };
            let (radius, length) = (section.required_quantity("radius"), section.required_quantity("length"));
            Some((Shape::Cylinder(Cylinder { radius: radius?, half_length: 0.5 * length?, side }), !hollow))
        }
        "capsule" => {
            let (radius, length) = (section.required_quantity("radius"), section.required_quantity("length"));
            Some((Shape::Capsule { radius: radius?, half_length: 0.5 * length? }, true))
        }
        _ => read_mesh(section),
    }
}

fn read_mesh(section: &Section<'_, '_>) -> Option<(Shape, bool)> {
    let open = section.flag("open").unwrap_or(false);
    let scale = section.quantity("scale").unwrap_or(1.0);
    let unit = section.required_text("unit");
    let file = section.required_text("file")?;
    let factor = unit_length(section, &unit?)? * scale;
    if factor <= 0.0 {
        let message = format!("scale of mesh \"{file}\" must be positive, got {scale}");
        section.report("scale", section.problem("E0314", "scale", message));
        return None;
    }
    let folder = &section.context.sources.0[section.span_of("file").file].folder;
    match section.context.meshes.borrow_mut().read(folder, &file, factor) {
        Ok(mesh) => Some((Shape::Mesh(Arc::clone(&mesh)), !open)),
        Err(mesh_file::ReadError { code, reason, help }) => {
            let owner = section.path.strip_prefix("body.").unwrap_or(&section.path);
            let owner = owner.split(".shape").next().unwrap_or(owner);
            let folder = crate::document::shown_folder(folder);
            let message =
                format!("cannot read mesh \"{file}\" of body \"{owner}\" (looked in {folder}): {reason}");
            let mut problem = section.problem(code, "file", message);
            problem.help = help;
            section.report("file", problem);
            None
        }
    }
}

/// Length in m of one unit of the mesh file.
fn unit_length(section: &Section<'_, '_>, unit: &str) -> Option<f64> {
    let names = crate::quantity::NoNames;
    let value = crate::quantity::parse(&format!("1 {unit}"), &names)
        .ok()
        .and_then(|e| crate::quantity::evaluate(&e, &names).ok())
        .filter(|q| q.dimension.equals(Dimension::LENGTH));
    if value.is_none() {
        let problem = section.problem("E0107", "unit", format!("\"{unit}\" is not a unit of length"));
        section.report("unit", problem.expected("\"m\", \"mm\", \"cm\" …"));
    }
    value.map(|q| q.value)
}
