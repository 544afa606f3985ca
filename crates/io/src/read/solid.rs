//! Convex solids: cone, frustum, beam, ellipsoid, superellipsoid, hull, and rounding.

use std::sync::Arc;

use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape, Core, HullFault};
use carom_math::Vec3;

use super::mesh::MeshFile;
use super::{Section, unread};
use crate::document::{Node, Value};
use crate::mesh_file::HullError;
use crate::quantity::Dimension;

/// A shape of the pair table's own kinds, or with `rounding` the convex solid that it is then.
pub(super) fn rounded(section: &Section<'_, '_>, plain: Shape) -> Shape {
    let radius = section.quantity_or_default("rounding");
    match ConvexShape::of_shape(&plain) {
        Some(solid) if radius != 0.0 => Shape::Convex(ConvexShape { radius, ..solid }),
        _ => plain,
    }
}

/// A convex solid of any other type; `None` after an error.
pub(super) fn read_solid(section: &Section<'_, '_>, kind: &str) -> Option<ConvexShape> {
    let core = match kind {
        "cone" => {
            let (radius, length) = (section.required_quantity("radius"), section.required_quantity("length"));
            Some(Core::Frustum { radius_low: radius?, radius_high: 0.0, half_length: 0.5 * length? })
        }
        "frustum" => {
            let (radii, length) =
                (pair(section, "radii", Dimension::LENGTH), section.required_quantity("length"));
            let [radius_low, radius_high] = radii?;
            Some(Core::Frustum { radius_low, radius_high, half_length: 0.5 * length? })
        }
        "beam" => {
            let [length, width, thickness] =
                ["length", "width", "thickness"].map(|key| section.required_quantity(key));
            Some(Core::Beam {
                half_length: 0.5 * length?,
                half_width: 0.5 * width?,
                half_thickness: 0.5 * thickness?,
            })
        }
        "ellipsoid" => Some(Core::Ellipsoid { semi_axes: section.required_vector("semi_axes")? }),
        "superellipsoid" => {
            let semi_axes = section.required_vector("semi_axes");
            let exponents = pair(section, "exponents", Dimension::NONE);
            Some(Core::Superellipsoid { semi_axes: semi_axes?, exponents: exponents? })
        }
        "hull" => read_hull(section).map(Core::Hull),
        other => unread("type", other),
    };
    let radius = section.quantity_or_default("rounding");
    Some(ConvexShape { core: core?, radius })
}

/// Two quantities that must be given.
/// Two quantities of one dimension that must be stated.
pub(super) fn pair(section: &Section<'_, '_>, key: &str, dimension: Dimension) -> Option<[f64; 2]> {
    if !section.has(key) {
        section.report_missing(key);
    }
    let values = section.quantities(key, dimension, &[2])?;
    Some([values[0], values[1]])
}

fn read_hull(section: &Section<'_, '_>) -> Option<Arc<ConvexHull>> {
    if section.has("file") {
        if section.has("points") {
            let problem =
                section.problem("E0212", "points", format!("{} has points and a file", section.path));
            section.report("points", problem.expected("one of the two").help("remove one"));
            return None;
        }
        return hull_of_file(section);
    }
    for key in ["unit", "scale"].into_iter().filter(|key| section.has(key)) {
        let message = format!("`{key}` is for hulls of mesh files; {} has no file", section.path);
        let help = "write the unit at each number, or remove it";
        section.report(key, section.problem("E0212", key, message).help(help));
    }
    let points = read_points(section, "points")?;
    // That of its own vertices: what `check --resolved` writes is the same hull to the last bit.
    match ConvexHull::of_points(&points).and_then(|hull| ConvexHull::of_points(hull.vertices())) {
        Ok(hull) => Some(Arc::new(hull)),
        Err(fault) => {
            report_fault(section, "points", fault);
            None
        }
    }
}

fn hull_of_file(section: &Section<'_, '_>) -> Option<Arc<ConvexHull>> {
    let file = MeshFile::read(section)?;
    let read = section.context.meshes.borrow_mut().read_hull(file.folder, &file.name, file.factor);
    match read {
        Ok(hull) => return Some(hull),
        Err(HullError::Unreadable(error)) => file.report(section, error),
        Err(HullError::NoHull(fault)) => report_fault(section, "file", fault),
    }
    None
}

/// Points in a list.
pub(super) fn read_points(section: &Section<'_, '_>, key: &str) -> Option<Vec<Vec3>> {
    let Some(node) = section.node(key) else {
        section.report_missing(key);
        return None;
    };
    let path = section.path_of(key);
    let Value::Array(items) = &node.value else {
        section.wrong_type(&path, node, "a list of points [x, y, z]");
        return None;
    };
    let point = |(k, item): (usize, &Node)| {
        let values = section.list_of(item, &format!("{path}[{k}]"), &[Dimension::LENGTH; 3])?;
        Some(Vec3::new(values[0], values[1], values[2]))
    };
    let points: Vec<Option<Vec3>> = items.iter().enumerate().map(point).collect();
    points.into_iter().collect()
}

fn report_fault(section: &Section<'_, '_>, key: &str, fault: HullFault) {
    let path = &section.path;
    let help = match fault {
        HullFault::TooFew { .. } => "give four points or more, not all in one plane",
        HullFault::Flat { extent: 0.0, .. } => "give four points that are not in one plane",
        HullFault::Flat { .. } => "add a point off the plane, or use a thin box",
        HullFault::NotFinite { .. } => "give finite coordinates",
        HullFault::Defect(_) => "please report it with the points; rounding them may help until then",
    };
    let message = format!("{path}: {fault}");
    let problem = section.problem("E0316", key, message).expected("at least four points that span a volume");
    section.report(key, problem.help(help));
}
