//! Links: inertial, collisions, and visuals if they are asked for.

use carom_math::{Mat3, Pose, Vec3};

use super::super::context::Context;
use super::super::mass::{of_point, repaired, solid, tensor};
use super::super::mesh;
use super::super::options::Inertia;
use super::super::robot::{Geometry, Link, LinkShape, Mask, Part};
use super::super::touch::{PLAIN_MU, Touch};
use super::super::xml::Element;
use super::origin;
use carom_engine::Problem;

/// What touches the floor.
const TOUCHES: Mask = Mask { kind: 1, affinity: 1 };

/// Reads what a link is made of.
pub(super) fn read(element: &Element, link: &mut Link, of: usize, context: &Context<'_>) {
    if let Some(inertial) = element.child("inertial") {
        read_inertial(inertial, link, context);
    }
    for collision in element.all("collision") {
        read_shape(collision, TOUCHES, link, of, context);
    }
    if context.options.visuals {
        for visual in element.all("visual") {
            read_shape(visual, Mask::NONE, link, of, context);
        }
    }
}

fn read_inertial(element: &Element, link: &mut Link, context: &Context<'_>) {
    let frame = origin(element, context);
    let mass = element.required_child("mass", context).and_then(|m| m.required_number("value", context));
    let repairs = context.options.inertia == Inertia::Repair;
    let inertia = match element.child("inertia") {
        None if repairs => {
            let mass = mass.filter(|mass| *mass > 0.0);
            Some(mass.map_or_else(Mat3::zeros, |mass| of_point(mass, &link.name, element.span, context)))
        }
        _ => read_inertia(element, context),
    };
    let (Some(mass), Some(inertia)) = (mass, inertia) else {
        // Something stands in, so that no more is said about what is wrong.
        let inertia = inertia.unwrap_or_else(Mat3::identity);
        let stand_in = solid(1.0, inertia, &frame, &link.name, element.span, context);
        link.parts.extend(stand_in.map(|solid| Part { solid, span: element.span, of: link.name.clone() }));
        return;
    };
    let span = element.child("mass").map_or(element.span, |m| m.place("value"));
    if mass == 0.0 {
        let text = if inertia == Mat3::zeros() {
            "an inertial with mass 0 counts as none"
        } else {
            "an inertial with mass 0 adds its inertia to the link it is fixed to"
        };
        context.choice(text, Some(span));
    }
    let inertia = match repairs && mass > 0.0 {
        true => repaired(inertia, mass, &link.name, element.span, context),
        false => inertia,
    };
    let inertia_span = element.child("inertia").map_or(element.span, |i| i.span);
    // A wrong mass is told; the link counts as one with mass after that.
    let of = link.name.clone();
    if mass < 0.0 {
        solid(mass, inertia, &frame, &of, span, context);
    }
    let read = solid(mass.abs(), inertia, &frame, &of, span, context);
    link.parts.extend(read.map(|solid| Part { solid, span: inertia_span, of }));
}

fn read_inertia(element: &Element, context: &Context<'_>) -> Option<Mat3> {
    let inertia = element.required_child("inertia", context)?;
    let mut v = [0.0; 6];
    let mut complete = true;
    for (k, name) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].into_iter().enumerate() {
        // The moments are needed; products that are not there are zero.
        let is_stated = inertia.text(name).is_some();
        if k >= 3 && !is_stated {
            let message = format!("{} has no `{name}`, for which 0 is taken", inertia.title());
            let problem = Problem::new("W0801", name, message).help(
                "state all six numbers: other programs leave out the whole <inertial> or refuse the file",
            );
            context.warn_once("products of inertia", problem, inertia.span);
        }
        let value = if k < 3 || is_stated { inertia.required_number(name, context) } else { Some(0.0) };
        complete &= value.is_some();
        v[k] = value.unwrap_or(1.0);
    }
    complete.then(|| tensor(v))
}

fn read_shape(element: &Element, mask: Mask, link: &mut Link, of: usize, context: &Context<'_>) {
    let pose = origin(element, context);
    let Some(holder) = element.required_child("geometry", context) else { return };
    let Some(item) = holder.children.first() else {
        let problem = Problem::new("E0804", "", format!("<geometry> of \"{}\" is empty", link.name))
            .expected("<box>, <sphere>, <cylinder>, <capsule> or <mesh>");
        return context.report(problem, holder.span);
    };
    item.mark();
    let name = element.text("name").filter(|n| !n.is_empty()).unwrap_or(&link.name).to_owned();
    let geometry = match item.name.as_str() {
        "sphere" => length(item, "radius", link, context).map(|radius| Geometry::Sphere { radius }),
        "box" => size(item, link, context).map(|size| Geometry::Box { size }),
        "cylinder" => {
            round(item, link, context).map(|(radius, length)| Geometry::Cylinder { radius, length })
        }
        "capsule" => round(item, link, context).map(|(radius, length)| Geometry::Capsule { radius, length }),
        "mesh" => return read_mesh(item, (name, of), &pose, mask, link, context),
        other => {
            let problem = Problem::new("E0303", "", format!("there is no geometry <{other}>"))
                .expected("<box>, <sphere>, <cylinder>, <capsule> or <mesh>");
            item.mark_all();
            context.report(problem, item.span);
            None
        }
    };
    let Some(geometry) = geometry else { return };
    link.shapes.push(plain_shape((name, of), geometry, pose, mask));
}

fn plain_shape((name, of): (String, usize), geometry: Geometry, pose: Pose, mask: Mask) -> LinkShape {
    LinkShape { name, geometry, pose, mask, touch: Touch::plain(PLAIN_MU), margin: 0.0, geom: None, of }
}

fn read_mesh(
    item: &Element,
    (name, of): (String, usize),
    pose: &Pose,
    mask: Mask,
    link: &mut Link,
    context: &Context<'_>,
) {
    let scale = item.vector("scale", context).unwrap_or_else(|| Vec3::repeat(1.0));
    let Some(uri) = item.required_text("filename", context) else { return };
    let reference = mesh::Reference::to_file(mesh::resolve(uri, context), scale, item.place("filename"));
    let touching = mesh::Touching::of_mask(mask, context.options.links_touch());
    for (geometry, pose) in reference.into_shapes(touching, &link.name, pose, context) {
        link.shapes.push(plain_shape((name.clone(), of), geometry, pose, mask));
    }
}

fn round(item: &Element, link: &Link, context: &Context<'_>) -> Option<(f64, f64)> {
    let (radius, length) = (length(item, "radius", link, context), length(item, "length", link, context));
    Some((radius?, length?))
}

fn length(item: &Element, name: &str, link: &Link, context: &Context<'_>) -> Option<f64> {
    let value = item.required_number(name, context)?;
    let what = format!("{name} of <{}> of \"{}\"", item.name, link.name);
    context.has_size(&what, &[value], item.place(name)).then_some(value)
}

fn size(item: &Element, link: &Link, context: &Context<'_>) -> Option<Vec3> {
    item.required_text("size", context)?;
    let size = item.vector("size", context)?;
    let what = format!("size of <box> of \"{}\"", link.name);
    context.has_size(&what, size.as_slice(), item.place("size")).then_some(size)
}
