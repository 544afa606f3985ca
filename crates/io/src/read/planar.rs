//! Planar shapes: outlines in the axes of the model's plane.

use std::sync::Arc;

use carom_geometry::Shape;
use carom_geometry::planar::{Commutator, Outline, OutlineFault, PlanarShape, Polygon, Ratchet};
use carom_geometry::shape::ShapeFault;
use carom_geometry::surface::{Gear, gear_outline};
use carom_math::Vec2;

use super::mesh::MeshFile;
use super::solid::pair;
use super::{Section, unread};
use crate::document::{Node, Value};
use crate::quantity::Dimension;

/// Thickness of pictures of a shape that states none, over its size.
const DRAWN: f64 = 0.1;

/// A planar shape, and whether it has a mass of its own; `None` after an error.
pub(super) fn read_planar(section: &Section<'_, '_>, kind: &str) -> Option<(Shape, bool)> {
    if section.context.plane.is_none() {
        let message = format!("{} is a {kind}, which lies in a plane, and the model has none", section.path);
        let problem = section.problem("E0334", "type", message).expected("a planar model");
        section.report(
            "type",
            problem.help("add plane = \"xy\" to [world], or take a box, a cylinder or a mesh"),
        );
        return None;
    }
    let outline = match kind {
        "circle" => Outline::Circle { radius: section.required_quantity("radius")? },
        "point" => Outline::Circle { radius: 0.0 },
        _ => Outline::Polygon(read_polygon(section, kind)?),
    };
    if kind == "circle" && outline == (Outline::Circle { radius: 0.0 }) {
        let problem = section.problem("E0314", "radius", format!("{}: a circle of radius 0", section.path));
        section.report(
            "radius",
            problem.expected("a positive length").help("write type = \"point\" if it is one"),
        );
        return None;
    }
    let shape = |thickness: f64| PlanarShape { outline: outline.clone(), thickness };
    let stated = section.quantity("thickness");
    if section.has("thickness") && stated.is_none() {
        return None;
    }
    if section.has("density") && stated.is_none() {
        section.report_missing("thickness");
        return None;
    }
    let size = shape(1.0).bounding_radius();
    let drawn = if size > 0.0 { DRAWN * size } else { 1e-3 };
    let is_solid = stated.is_some() && kind != "point";
    Some((Shape::Planar(shape(stated.unwrap_or(drawn))), is_solid))
}

fn read_polygon(section: &Section<'_, '_>, kind: &str) -> Option<Arc<Polygon>> {
    let length = |key: &str| section.required_quantity(key);
    let whole = |key: &str| u32::try_from(section.whole_or_default(key)).unwrap_or(u32::MAX);
    let required_whole = |key: &str| {
        if !section.has(key) {
            section.report_missing(key);
        }
        section.whole(key).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    };
    let points = match kind {
        "polygon" => return polygon_of_points(section),
        "rectangle" => {
            let [x, y] = pair(section, "size", Dimension::LENGTH)?;
            if let Some(side) = [x, y].into_iter().find(|side| !(*side > 0.0 && side.is_finite())) {
                let message = format!("size of {} must be positive, got {side} m", section.path);
                section.report(
                    "size",
                    section.problem("E0314", "size", message).expected("two positive lengths"),
                );
                return None;
            }
            return Polygon::rectangle(x, y).ok().map(Arc::new);
        }
        "gear-outline" => {
            let (module, teeth) = (length("module"), required_whole("teeth"));
            gear_outline(&Gear {
                module: module?,
                teeth: teeth?,
                pressure_angle: section.quantity_or_default("pressure_angle"),
                width: 1.0,
                backlash: section.quantity_or_default("backlash"),
                profile_points: whole("profile_points"),
                layers: 1,
            })
        }
        "commutator" => {
            let (radius, depth, bars) = (length("radius"), length("depth"), required_whole("bars"));
            if !section.has("slot") {
                section.report_missing("slot");
            }
            let slot = section.quantity_in("slot", Dimension::LENGTH);
            let commutator = Commutator {
                radius: radius?,
                bars: bars?,
                slot: slot?,
                depth: depth?,
                roughness: section.quantity_or_default("roughness"),
                points: whole("bar_points"),
                seed: section.whole_or_default("seed"),
            };
            commutator.points()
        }
        "ratchet" => {
            let (radius, depth, teeth) = (length("radius"), length("depth"), required_whole("teeth"));
            Ratchet { radius: radius?, teeth: teeth?, depth: depth? }.points()
        }
        other => unread("type", other),
    };
    match points {
        Ok(points) => closed(section, "type", points),
        Err(ShapeFault { field, value, expected }) => {
            let message = format!("{}: {field} = {value} is not {expected}", section.path);
            section.report("type", section.problem("E0314", "type", message).expected(expected));
            None
        }
    }
}

fn polygon_of_points(section: &Section<'_, '_>) -> Option<Arc<Polygon>> {
    if !section.has("file") {
        let points = read_corners(section)?;
        return closed(section, "points", points);
    }
    if section.has("points") {
        let problem = section.problem("E0212", "points", format!("{} has points and a file", section.path));
        section.report("points", problem.expected("one of the two").help("remove one"));
        return None;
    }
    let file = MeshFile::read(section)?;
    let read = section.context.meshes.borrow_mut().read_outline(file.folder, &file.name, file.factor);
    match read {
        Ok(points) => closed(section, "file", points),
        Err(error) => {
            file.report(section, error);
            None
        }
    }
}

fn read_corners(section: &Section<'_, '_>) -> Option<Vec<Vec2>> {
    let Some(node) = section.node("points") else {
        section.report_missing("points");
        return None;
    };
    let path = section.path_of("points");
    let Value::Array(items) = &node.value else {
        section.wrong_type(&path, node, "a list of points [x, y]");
        return None;
    };
    let point = |(k, item): (usize, &Node)| {
        let values = section.list_of(item, &format!("{path}[{k}]"), &[Dimension::LENGTH; 2])?;
        Some(Vec2::new(values[0], values[1]))
    };
    let points: Vec<Option<Vec2>> = items.iter().enumerate().map(point).collect();
    points.into_iter().collect()
}

/// The polygon, or what is wrong with it, at the point that is to blame where points are listed.
fn closed(section: &Section<'_, '_>, key: &str, points: Vec<Vec2>) -> Option<Arc<Polygon>> {
    let fault = match Polygon::new(points) {
        Ok(polygon) => return Some(Arc::new(polygon)),
        Err(fault) => fault,
    };
    let (point, help) = match fault {
        OutlineFault::TooFew { .. } => (None, "give the corners of one closed outline"),
        OutlineFault::NotFinite { point } => (Some(point), "give finite coordinates"),
        OutlineFault::Repeated { point: 0 } => {
            (None, "leave out the last point: the outline goes back to the first by itself")
        }
        OutlineFault::Repeated { point } => (Some(point), "leave one of them out"),
        OutlineFault::Crossing { edges, .. } => (
            Some(edges[0]),
            "list the corners in their order around the outside; holes are not possible: split the shape, or cut a narrow gap to them",
        ),
        OutlineFault::Flat => (None, "add a point off the line"),
        OutlineFault::Clockwise { .. } => (None, "reverse the order of the points"),
    };
    let path = section.path_of(key);
    let at = point.map(|k| format!("{path}[{k}]")).filter(|at| section.context.origin(at).is_some());
    let mut problem = section.problem("E0335", key, format!("the outline of {} {fault}", section.path));
    problem.path = at.clone().unwrap_or(path);
    let problem = problem.expected("corners of one closed outline, counter-clockwise").help(help);
    match at.and_then(|at| section.context.origin(&at)) {
        Some(span) => section.context.findings.push(crate::finding::Finding::at(problem, span)),
        None => section.report(key, problem),
    }
    None
}
