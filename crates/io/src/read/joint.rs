use carom_engine::model::{Attachment, AxisMeasure, Joint, JointKind, Plane};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::Section;
use super::attachment::{Frames, moved, read_pose, turned};
use super::element::{LawPoints, read_elements};
use super::mechanism::Part;
use super::names::BodyNames;
use super::rotation::rotation_of_z;
use crate::document::Value;
use crate::quantity::Dimension;

/// Sine of the least angle between the axes of a universal joint.
const LEAST_ANGLE: f64 = 1e-6;

/// Dimension of a coordinate.
pub(crate) fn coordinate(measure: AxisMeasure) -> Dimension {
    match measure {
        AxisMeasure::Angle => Dimension::ANGLE,
        AxisMeasure::Length => Dimension::LENGTH,
    }
}

/// Dimension of a coordinate's velocity.
pub(crate) fn velocity(measure: AxisMeasure) -> Dimension {
    match measure {
        AxisMeasure::Angle => Dimension::ANGULAR_VELOCITY,
        AxisMeasure::Length => Dimension::VELOCITY,
    }
}

/// Dimension of the force along a coordinate.
pub(crate) fn effort(measure: AxisMeasure) -> Dimension {
    match measure {
        AxisMeasure::Angle => Dimension::ENERGY,
        AxisMeasure::Length => Dimension::FORCE,
    }
}

/// Reads a joint; `None` after an error.
pub(crate) fn read_joint(part: &Part<'_, '_>, bodies: &BodyNames, laws: &LawPoints<'_>) -> Option<Joint> {
    let section = &part.section;
    let frames = Frames { section, bodies, prefix: &part.prefix };
    let ends = frames.pair();
    // The keys of an unknown type are unknown too; where only an axis is wrong the others are read.
    let stand_in = section.kind_or_default("type", &JointKind::ALL, JointKind::name, &[])?;
    let read = read_kind(section, stand_in);
    let kind = read.map_or(stand_in, |(kind, _)| kind);
    let zero = read_zero(section, kind);
    let position = read_position(section, kind);
    let velocity = read_velocity(section, kind);
    let elements = read_elements(section, kind, laws);
    let cut = section.flag_or_default("cut");
    let ((a, b), (_, axis)) = (ends?, read?);
    let (a, b) = (turned(a, &axis), turned(b, &axis));
    let (a, b) = shifted(kind, a, b, &zero?);
    Some(Joint {
        name: part.name.clone(),
        kind,
        a,
        b,
        cut,
        position: position?,
        velocity: velocity?,
        elements: elements?,
    })
}

/// The fixed joint of `weld = { part, to, at, rot }`.
pub(crate) fn read_weld(part: &Part<'_, '_>, bodies: &BodyNames, instance: &str) -> Option<Joint> {
    let section = &part.section;
    let to = bodies.find(section, "to", &part.prefix);
    let own = bodies.find(section, "part", instance);
    let pose = read_pose(section);
    let (to, own) = (to?, own?);
    Some(Joint {
        name: part.name.clone(),
        kind: JointKind::Fixed,
        a: Attachment { body: to, pose },
        b: Attachment { body: own, pose: Pose::identity() },
        cut: false,
        position: None,
        velocity: None,
        elements: Vec::new(),
    })
}

/// Kind with what the section says of it, and the rotation that takes z to its axis.
fn read_kind(section: &Section<'_, '_>, kind: JointKind) -> Option<(JointKind, Mat3)> {
    let axis = || {
        let normal = section.context.plane.filter(|_| !section.has("axis")).map(Plane::normal);
        normal.or_else(|| section.direction_or_default("axis")).map(|d| rotation_of_z(&d))
    };
    match kind {
        JointKind::Fixed | JointKind::Spherical | JointKind::Free => Some((kind, Mat3::identity())),
        JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar => {
            Some((kind, axis()?))
        }
        JointKind::Screw { .. } => {
            if !section.has("lead") {
                section.report_missing("lead");
            }
            let per_angle = Dimension::LENGTH.times(Dimension::ANGLE.power(-1.0));
            let (lead, axis) = (section.quantity_in("lead", per_angle), axis());
            Some((JointKind::Screw { lead: lead? }, axis?))
        }
        JointKind::Universal { .. } => read_universal(section),
    }
}

/// The first axis becomes z; the second is seen from there.
fn read_universal(section: &Section<'_, '_>) -> Option<(JointKind, Mat3)> {
    if !section.has("axes") {
        section.report_missing("axes");
    }
    let node = section.node("axes")?;
    let items = match &node.value {
        Value::Array(items) if items.len() == 2 => items,
        Value::Broken => return None,
        other => {
            let got = match other {
                Value::Array(items) => format!("{} entries", items.len()),
                other => other.type_name().to_owned(),
            };
            let message = format!("{} must be two directions, got {got}", section.path_of("axes"));
            let problem = section.problem("E0106", "axes", message);
            section.report("axes", problem.expected("two directions, such as [\"y\", \"x\"]"));
            return None;
        }
    };
    let [first, second] = [0, 1].map(|k| section.direction_of(&items[k], "axes"));
    let (first, second) = (first?, second?);
    if first.cross(&second).norm() < LEAST_ANGLE {
        let message = format!("the axes of {} are parallel", section.path);
        let problem = section.problem("E0321", "axes", message).expected("two directions that differ");
        section.report("axes", problem.help("for one axis use type = \"revolute\""));
        return None;
    }
    let rotation = rotation_of_z(&first);
    Some((JointKind::Universal { second: rotation.tr_mul(&second) }, rotation))
}

/// Values of the coordinates under a key: one quantity, or a list of them. `Some(None)` if it is not given.
fn read_values(
    section: &Section<'_, '_>,
    key: &str,
    dimensions: &[Dimension],
    what: &str,
) -> Option<Option<Vec<f64>>> {
    let Some(node) = section.node(key) else { return Some(None) };
    let path = section.path_of(key);
    if let (Value::Array(items), count) = (&node.value, dimensions.len()) {
        if count > 1 && items.len() == count {
            return section.list_of(node, &path, dimensions).map(Some);
        }
        let has = if count == 1 { format!("one {}", singular(what)) } else { format!("{count} {what}") };
        let message = format!("{path} is a list of {}, the joint has {has}", items.len());
        let expected = if count == 1 { "one quantity".to_owned() } else { format!("a list of {count}") };
        section.report(key, section.problem("E0322", key, message).expected(expected));
        return None;
    }
    if let [dimension] = dimensions {
        return section.context.value(node, *dimension, section.scope, &path).map(|v| Some(vec![v]));
    }
    if !matches!(node.value, Value::Broken) {
        let message = format!("{path} is one value, the joint has {} {what}", dimensions.len());
        let problem = section.problem("E0322", key, message);
        section.report(key, problem.expected(format!("a list of {}", dimensions.len())));
    }
    None
}

fn singular(what: &str) -> &'static str {
    if what == "velocities" { "velocity" } else { "coordinate" }
}

fn read_zero(section: &Section<'_, '_>, kind: JointKind) -> Option<Vec<f64>> {
    let dimensions: Vec<Dimension> = kind.axes().iter().map(|m| coordinate(*m)).collect();
    if dimensions.is_empty() {
        return Some(Vec::new());
    }
    let zero = |d: &Dimension| section.quantity_in_or_default("zero", *d);
    match read_values(section, "zero", &dimensions, "coordinates")? {
        Some(values) => Some(values),
        None => dimensions.iter().map(zero).collect(),
    }
}

fn read_position(section: &Section<'_, '_>, kind: JointKind) -> Option<Option<Vec<f64>>> {
    let dimensions: Vec<Dimension> = match kind {
        JointKind::Fixed => return Some(None),
        JointKind::Spherical => vec![Dimension::NONE; 4],
        JointKind::Free => [vec![Dimension::LENGTH; 3], vec![Dimension::NONE; 4]].concat(),
        _ => kind.axes().iter().map(|m| coordinate(*m)).collect(),
    };
    let Some(mut values) = read_values(section, "position", &dimensions, "coordinates")? else {
        return Some(None);
    };
    let quaternion = match kind {
        JointKind::Spherical => Some(0),
        JointKind::Free => Some(3),
        _ => None,
    };
    if let Some(start) = quaternion {
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| values[start + k]);
        let q = section.unit_quaternion("position", Quaternion::new(w, x, y, z))?;
        values[start..].copy_from_slice(&[q.w, q.x, q.y, q.z]);
    }
    Some(Some(values))
}

fn read_velocity(section: &Section<'_, '_>, kind: JointKind) -> Option<Option<Vec<f64>>> {
    let dimensions: Vec<Dimension> = match kind {
        JointKind::Fixed => return Some(None),
        JointKind::Spherical => vec![Dimension::ANGULAR_VELOCITY; 3],
        JointKind::Free => [vec![Dimension::VELOCITY; 3], vec![Dimension::ANGULAR_VELOCITY; 3]].concat(),
        _ => kind.axes().iter().map(|m| velocity(*m)).collect(),
    };
    read_values(section, "velocity", &dimensions, "velocities")
}

/// Frames at which the coordinates are 0 where those as written are displaced by `zero`. What acts before
/// the last rotation moves F, the rotation itself turns M back, so that axes keep their directions.
fn shifted(kind: JointKind, a: Attachment, b: Attachment, zero: &[f64]) -> (Attachment, Attachment) {
    if zero.iter().all(|z| *z == 0.0) {
        return (a, b);
    }
    let about = |axis: &Vec3, angle: f64| Quaternion::from_axis_angle(axis, angle).to_matrix();
    let along = |v: Vec3| Pose::from_translation(v);
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    match kind {
        JointKind::Revolute => (turned(a, &about(&z, zero[0])), b),
        JointKind::Prismatic => (moved(a, &along(z * zero[0])), b),
        JointKind::Screw { lead } => (turned(moved(a, &along(z * (lead * zero[0]))), &about(&z, zero[0])), b),
        JointKind::Cylindrical => (turned(moved(a, &along(z * zero[1])), &about(&z, zero[0])), b),
        JointKind::Universal { second } => {
            (turned(a, &about(&z, zero[0])), turned(b, &about(&second, -zero[1])))
        }
        JointKind::Planar => (moved(a, &along(x * zero[0] + y * zero[1])), turned(b, &about(&z, -zero[2]))),
        JointKind::Fixed | JointKind::Spherical | JointKind::Free => (a, b),
    }
}
