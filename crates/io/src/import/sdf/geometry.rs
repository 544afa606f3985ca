//! Shapes of collisions and visuals, and how they touch.

use std::path::Path;

use carom_engine::Problem;
use carom_math::{Mat3, Pose, Vec3, orthonormal_basis};

use super::super::context::Context;
use super::super::mesh::{self, Touching};
use super::super::robot::Geometry;
use super::super::touch::{Combination, Touch};
use super::super::xml::Element;

const SHAPES: &str = "<box>, <sphere>, <cylinder>, <capsule>, <ellipsoid>, <plane> or <mesh>";

/// The shape in a `<geometry>` and its pose in the link.
pub(super) fn read(
    holder: &Element,
    pose: &Pose,
    touching: Touching,
    owner: &str,
    is_static: bool,
    folder: &Path,
    context: &Context<'_>,
) -> Vec<(Geometry, Pose)> {
    let Some(item) = holder.children.iter().find(|c| !c.name.contains(':')) else {
        let problem =
            Problem::new("E0804", "", format!("<geometry> of \"{owner}\" is empty")).expected(SHAPES);
        context.report(problem, holder.span);
        return Vec::new();
    };
    item.mark();
    match item.name.as_str() {
        "mesh" => read_mesh(item, pose, touching, owner, folder, context),
        _ => primitive(item, pose, owner, is_static, context).into_iter().collect(),
    }
}

fn primitive(
    item: &Element,
    pose: &Pose,
    owner: &str,
    is_static: bool,
    context: &Context<'_>,
) -> Option<(Geometry, Pose)> {
    let length = |name: &str| positive(item, name, owner, context);
    let geometry = match item.name.as_str() {
        "sphere" => Geometry::Sphere { radius: length("radius")? },
        "cylinder" | "capsule" => {
            let (radius, length) = (length("radius"), length("length"));
            let (radius, length) = (radius?, length?);
            if item.name == "capsule" {
                Geometry::Capsule { radius, length }
            } else {
                Geometry::Cylinder { radius, length }
            }
        }
        "box" => Geometry::Box { size: lengths(item, "size", owner, context)? },
        "ellipsoid" => Geometry::Ellipsoid { semi_axes: lengths(item, "radii", owner, context)? },
        "plane" if is_static => return Some((Geometry::HalfSpace, pose.compose(&facing(item, context)))),
        "plane" => {
            item.mark_tree();
            let problem =
                Problem::new("W0801", "", format!("the plane of \"{owner}\", which moves, is left out"));
            context.report(problem.help("planes belong to static models"), item.span);
            return None;
        }
        "empty" => return None,
        "heightmap" | "image" | "polyline" | "cone" => {
            item.mark_tree();
            let problem =
                Problem::new("W0801", "", format!("<{}> of \"{owner}\" is not taken over", item.name));
            context.report(problem.help("it touches nothing"), item.span);
            return None;
        }
        other => {
            let problem =
                Problem::new("E0303", "", format!("there is no geometry <{other}>")).expected(SHAPES);
            context.report(problem, item.span);
            return None;
        }
    };
    Some((geometry, *pose))
}

/// The pose that turns z to the plane's normal.
fn facing(plane: &Element, context: &Context<'_>) -> Pose {
    plane.child("size");
    let normal = plane.child("normal").and_then(|n| n.content_vector(context)).unwrap_or_else(Vec3::z);
    let Some(normal) = normal.try_normalize(0.0) else {
        let problem =
            Problem::new("E0315", "", "the normal of a plane has no length").expected("a direction");
        context.report(problem, plane.span);
        return Pose::identity();
    };
    if normal == Vec3::z() {
        return Pose::identity();
    }
    let (x, y) = orthonormal_basis(&normal);
    Pose { rotation: Mat3::from_columns(&[x, y, normal]), translation: Vec3::zeros() }
}

fn read_mesh(
    item: &Element,
    pose: &Pose,
    touching: Touching,
    owner: &str,
    folder: &Path,
    context: &Context<'_>,
) -> Vec<(Geometry, Pose)> {
    let Some(uri) = item.required_child("uri", context) else { return Vec::new() };
    let scale =
        item.child("scale").and_then(|s| s.content_vector(context)).unwrap_or_else(|| Vec3::repeat(1.0));
    if let Some(part) = item.child("submesh") {
        part.mark_tree();
        let problem =
            Problem::new("W0802", "", format!("a mesh of \"{owner}\" is taken whole, not one part of it"))
                .help("write the part as a file of its own");
        context.report(problem, part.span);
    }
    let path = mesh::locate(uri.content.trim(), folder, context);
    mesh::Reference::to_file(path, scale, uri.span).into_shapes(touching, owner, pose, context)
}

fn positive(item: &Element, name: &str, owner: &str, context: &Context<'_>) -> Option<f64> {
    let child = item.required_child(name, context)?;
    let value = child.content_number(context)?;
    let what = format!("{name} of <{}> of \"{owner}\"", item.name);
    context.has_size(&what, &[value], child.span).then_some(value)
}

fn lengths(item: &Element, name: &str, owner: &str, context: &Context<'_>) -> Option<Vec3> {
    let child = item.required_child(name, context)?;
    let v = child.content_vector(context)?;
    let what = format!("{name} of <{}> of \"{owner}\"", item.name);
    context.has_size(&what, v.as_slice(), child.span).then_some(v)
}

/// Friction of a surface that states none, as the format has it.
const PLAIN_MU: f64 = 1.0;

/// Friction of a collision: `mu` of its surface, or Drake's. The less of two counts, as in Gazebo: its ground states 100.
pub(super) fn touch(collision: &Element, context: &Context<'_>) -> Touch {
    let surface = collision.child("surface").and_then(|s| s.child("friction")).and_then(|f| f.child("ode"));
    let drake = collision.child("drake:proximity_properties");
    let mu = drake.and_then(|d| d.child("drake:mu_dynamic")).or_else(|| surface.and_then(|o| o.child("mu")));
    let with = |mu: f64| Touch { combination: Combination::Least, ..Touch::plain(mu) };
    let Some((element, mu)) = mu.and_then(|mu| Some((mu, mu.content_number(context)?))) else {
        return with(PLAIN_MU);
    };
    // The same across is no other friction.
    let across = surface.and_then(|ode| ode.children.iter().find(|c| c.name == "mu2"));
    across.filter(|across| across.content.trim().parse() == Ok(mu)).inspect(|across| across.mark());
    if mu < 0.0 {
        let problem = Problem::new("E0805", "", format!("friction must not be negative, got {mu}"));
        context.report(problem.expected("0 or more"), element.span);
        return with(PLAIN_MU);
    }
    with(mu)
}
