use carom_engine::law::{ContactRadius, Material};
use carom_engine::model::BodyShape;
use carom_geometry::Shape;
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::surface::Round;
use carom_math::{Pose, Vec3};

use super::Section;
use super::convex_parts::{CONVEX_PARTS, read_whole};
use super::generated::{GENERATED, read_generated};
use super::material::find_material;
use super::mesh::read_surface;
use super::planar::read_planar;
use super::plane::rotation_of_shape;
use super::rotation::rotation_of_z;
use super::solid::{read_solid, rounded};
use crate::quantity::Dimension;
use crate::schema::{LATER_SHAPE_TYPES, PLANAR_TYPES, SHAPE_TYPES};
use crate::suggest;

/// A shape with what only mass properties need.
pub(crate) struct ReadShape {
    pub(crate) shape: BodyShape,
    pub(crate) density: Option<f64>,
    /// Counts as solid for mass and inertia.
    pub(crate) is_solid: bool,
    /// What counts in its place, if that is another shape.
    pub(crate) counted: Option<Shape>,
    /// Key path, for messages.
    pub(crate) path: String,
    pub(crate) key_span: crate::source::Span,
}

impl ReadShape {
    /// The solid that counts for mass and inertia.
    pub(crate) fn solid(&self) -> &Shape {
        self.counted.as_ref().unwrap_or(&self.shape.shape)
    }
}

/// Reads one shape; `None` after an error.
pub(crate) fn read_shape(
    section: &Section<'_, '_>,
    name: String,
    materials: &[Material],
) -> Option<ReadShape> {
    let kind = shape_type(section)?;
    let position = section.vector_or_default("at");
    let planar = PLANAR_TYPES.contains(&kind).then_some(section.context.plane).flatten();
    let rotation = match planar {
        Some(plane) => Some(rotation_of_shape(section, plane)),
        None => section.rotation_matrix(),
    };
    let material = section.text("material").and_then(|m| find_material(section, "material", &m, materials));
    let contact_radius = read_contact_radius(section);
    let facets = section.whole_or_default("facets") as usize;
    let balanced = is_balanced(section);
    if !section.has("facets") {
        section.context.any_facets.borrow_mut().insert(name.clone());
    }
    let direction = match kind {
        "half-space" => section.direction_or_default("normal"),
        "cylinder" | "capsule" | "cone" | "frustum" => section.direction_or_default("axis"),
        _ => None,
    };
    let (shape, is_solid) = geometry(section, kind)?;
    let ring = (kind == "torus").then(|| section.required_quantity("ring")).flatten();
    let round = ring.map(Round::Ring);
    let turned = rotation_of_z(&direction.unwrap_or_else(Vec3::z));
    let rotation = match rotation {
        Some(r) => r * turned,
        None => turned,
    };
    let density = match kind {
        "half-space" | "point" => None,
        _ => own_density(section)?.or(material.and_then(|m| materials[m].density)),
    };
    Some(ReadShape {
        shape: BodyShape {
            name,
            pose: Pose { rotation, translation: position },
            shape,
            material,
            contact_radius,
            facets,
            balanced,
            round,
        },
        density,
        is_solid,
        counted: None,
        path: section.path.clone(),
        key_span: section.key_span,
    })
}

/// Do the triangles stand out of the surface as much as they cut off?
pub(super) fn is_balanced(section: &Section<'_, '_>) -> bool {
    section.flag("balanced").unwrap_or(!section.has("facets"))
}

fn read_contact_radius(section: &Section<'_, '_>) -> Option<ContactRadius> {
    if section.node("contact_radius")?.as_text() == Some("flat") {
        return Some(ContactRadius::Flat);
    }
    section.quantity_in("contact_radius", Dimension::LENGTH).map(ContactRadius::Radius)
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
        problem.help = suggest::nearest(&text, SHAPE_TYPES.iter().copied())
            .map(|near| format!("did you mean \"{near}\"?"));
        problem
    };
    section.report("type", problem);
    None
}

/// The shape in its own frame, and whether it is the boundary of a solid.
fn geometry(section: &Section<'_, '_>, kind: &str) -> Option<(Shape, bool)> {
    match kind {
        "sphere" => {
            let hollow = section.flag_or_default("hollow");
            Some((Shape::Sphere { radius: section.required_quantity("radius")?, hollow }, !hollow))
        }
        "half-space" => Some((Shape::HalfSpace, false)),
        "box" => {
            let size = section.required_vector("size");
            Some((rounded(section, Shape::Box { half: 0.5 * size? }), true))
        }
        "cylinder" => {
            let hollow = section.flag_or_default("hollow");
            if section.flag("closed").is_some() && !hollow {
                let problem =
                    section.problem("E0212", "closed", "`closed` is for hollow cylinders; this one is solid");
                section.report("closed", problem.help("add hollow = true, or remove `closed`"));
            }
            let side = if hollow {
                CylinderSide::Hollow { closed: section.flag_or_default("closed") }
            } else {
                CylinderSide::Solid
            };
            let (radius, length) = (section.required_quantity("radius"), section.required_quantity("length"));
            if hollow && section.has("rounding") {
                let problem = section.problem(
                    "E0212",
                    "rounding",
                    "`rounding` is for solid cylinders; this one is hollow",
                );
                section.report("rounding", problem.help("remove `rounding`"));
            }
            let cylinder = Shape::Cylinder(Cylinder { radius: radius?, half_length: 0.5 * length?, side });
            Some((rounded(section, cylinder), !hollow))
        }
        "capsule" => {
            let (radius, length) = (section.required_quantity("radius"), section.required_quantity("length"));
            Some((Shape::Capsule { radius: radius?, half_length: 0.5 * length? }, true))
        }
        "mesh" => read_surface(section),
        CONVEX_PARTS => read_whole(section),
        _ if PLANAR_TYPES.contains(&kind) => read_planar(section, kind),
        _ if GENERATED.contains(&kind) => read_generated(section, kind),
        other => Some((Shape::Convex(read_solid(section, other)?), true)),
    }
}

/// The density that a shape states, if any: none below zero, which is that of what weighs nothing. `None` after an error.
fn own_density(section: &Section<'_, '_>) -> Option<Option<f64>> {
    let density = section.quantity("density");
    let Some(value) = section.outside("density", density) else { return Some(density) };
    let message = format!("density of {} must not be negative, got {value} kg/m^3", section.path);
    let problem = section.problem("E0311", "density", message).expected("a density >= 0");
    section.report("density", problem.help("density = 0 where it weighs nothing"));
    None
}
