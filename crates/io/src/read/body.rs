use carom_engine::law::Material;
use carom_engine::model::{Body, BodyShape};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Vec3};

use super::convex_parts::{self, CONVEX_PARTS};
use super::inertia::{placeholder, read_mass};
use super::placement::Placement;
use super::shape::{ReadShape, read_shape};
use super::{Context, Section};
use crate::document::{Entry, Table, is_named_shapes};

/// Reads a body, and its own placement. `outer` places the component it belongs to.
pub(crate) fn read_body(
    section: &Section<'_, '_>,
    name: &str,
    outer: &Placement,
    materials: &[Material],
) -> (Body, Placement) {
    // Where that is in error, what only moving bodies need is not asked for.
    let fixed = section.has("fixed") && section.flag("fixed").unwrap_or(true);
    let own = Placement::read(section);
    let placed = outer.compose(&own);
    let (shapes, shapes_complete) = read_shapes(section, name, materials);
    if fixed {
        refuse_motion(section, &own);
    }
    let mass = if fixed {
        // Of no use to a fixed body, but wrong values are still wrong.
        section.quantity("mass");
        section.quantity("density");
        section.vector("com");
        None
    } else {
        read_mass(section, name, &shapes, shapes_complete)
    };
    let mass = mass.unwrap_or_else(placeholder);
    let body = Body {
        name: name.to_owned(),
        fixed,
        mass: mass.mass,
        com: mass.com,
        inertia: if fixed { Mat3::identity() } else { mass.inertia },
        position: placed.position,
        orientation: placed.orientation,
        pose_stated: fixed || placed.pose_stated,
        velocity: if fixed { Vec3::zeros() } else { placed.velocity },
        angular_velocity: if fixed { Vec3::zeros() } else { placed.angular_velocity },
        velocity_stated: placed.velocity_stated,
        shapes: shapes.into_iter().map(|s| s.shape).collect(),
    };
    (body, own)
}

fn refuse_motion(section: &Section<'_, '_>, own: &Placement) {
    for (key, vector) in [("vel", own.velocity), ("omega", own.angular_velocity)] {
        if vector != Vec3::zeros() {
            let message = format!("{} is fixed and cannot have a velocity", section.path);
            let problem = section.problem("E0212", key, message);
            section.report(
                key,
                problem.expected("fixed = true or a velocity").help(format!("remove `fixed` or `{key}`")),
            );
        }
    }
}

/// Shapes of a body; false if one of them could not be read. Something harmless stands in for it, so that
/// its name is known.
fn read_shapes<'a>(section: &Section<'_, 'a>, body: &str, materials: &[Material]) -> (Vec<ReadShape>, bool) {
    let Some(entry) = section.entry("shape") else { return (Vec::new(), true) };
    let path = section.path_of("shape");
    let context = section.context;
    let mut shapes = Vec::new();
    let mut complete = true;
    let mut add = |table: Option<&'a Table>, key: &'a Entry, path: String, name: String| {
        let read = table.and_then(|table| {
            let shape = Section::new(context, "shape", table, key.key_span, path.clone(), section.scope);
            let read = read_shape(&shape, name.clone(), materials)?;
            if table.get("type").and_then(|node| node.as_text()) == Some(CONVEX_PARTS) {
                return convex_parts::part(&shape, read, body);
            }
            Some(vec![read])
        });
        complete &= read.is_some();
        shapes.extend(read.unwrap_or_else(|| vec![stand_in(context, name, path, key)]));
    };
    match entry.node.as_table() {
        Some(table) if is_named_shapes(table) => {
            for item in &table.entries {
                add(
                    item.node.as_table(),
                    item,
                    format!("{path}.{}", item.key),
                    format!("{body}.{}", item.key),
                );
            }
        }
        table => add(table, entry, path, body.to_owned()),
    }
    (shapes, complete)
}

fn stand_in(context: &Context<'_>, name: String, path: String, key: &Entry) -> ReadShape {
    context.broken_shapes.borrow_mut().insert(name.clone());
    let shape = Shape::Sphere { radius: 1.0, hollow: false };
    let (pose, facets) = (Pose::identity(), BodyShape::FACETS);
    let shape = BodyShape {
        name,
        pose,
        shape,
        material: None,
        contact_radius: None,
        facets,
        balanced: false,
        round: None,
    };
    ReadShape { shape, density: None, is_solid: false, counted: None, path, key_span: key.key_span }
}
