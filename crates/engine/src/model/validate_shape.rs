//! What is wrong with a shape's numbers, by the keys of the model file.

use carom_geometry::Shape;

use super::validate::{check_finite, short};
use super::{Body, BodyShape};
use crate::Problem;
use crate::law::ContactRadius;

/// A field of a shape as the model file has it.
struct ShapeKey {
    key: &'static str,
    /// Value in the file over that of the field.
    scale: f64,
    rule: &'static str,
    unit: &'static str,
}

impl ShapeKey {
    fn of_field(field: &'static str, shape: &Shape) -> Self {
        let has_one_radius = matches!(shape.name(), "cone" | "cylinder");
        let length = |key, scale| Self { key, scale, rule: "must be positive", unit: " m" };
        match field {
            "half.x" | "half.y" | "half.z" => length("size", 2.0),
            "half_length" => length("length", 2.0),
            "half_width" => length("width", 2.0),
            "half_thickness" => length("thickness", 2.0),
            "semi_axes.x" | "semi_axes.y" | "semi_axes.z" => length("semi_axes", 1.0),
            "radius_low" | "radius_high" if has_one_radius => length("radius", 1.0),
            "the larger of radius_low and radius_high" => {
                Self { rule: "must not both be zero", ..length("radii", 1.0) }
            }
            "radius_low" | "radius_high" => Self { rule: "must not be negative", ..length("radii", 1.0) },
            "exponents.e1" | "exponents.e2" => {
                Self { key: "exponents", scale: 1.0, rule: "must be from 0.05 to 1.95", unit: "" }
            }
            "radius" if matches!(shape, Shape::Convex(_)) => {
                Self { rule: "must not be negative", ..length("rounding", 1.0) }
            }
            "triangles" | "vertices" => length("file", 1.0),
            other => length(other, 1.0),
        }
    }
}

/// Numbers and place of a shape.
pub(super) fn check_shape(body: &Body, shape: &BodyShape, problems: &mut Vec<Problem>) {
    let name = shape.name.strip_prefix(&body.name).and_then(|rest| rest.strip_prefix('.'));
    let path = match name {
        Some(name) => format!("body.{}.shape.{name}", body.name),
        None => format!("body.{}.shape", body.name),
    };
    for fault in shape.shape.find_faults() {
        let ShapeKey { key, scale, rule, unit } = ShapeKey::of_field(fault.field, &shape.shape);
        let (what, value) = (shape.shape.name(), short(scale * fault.value));
        let message = format!("{key} of {what} \"{}\" {rule}, got {value}{unit}", shape.name);
        let problem = Problem::new("E0314", format!("{path}.{key}"), message).expected(fault.expected);
        // Both ends of a cylinder have one radius.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    check_finite(
        &format!("{path}.at"),
        &shape.pose.translation,
        &format!("position of \"{}\"", shape.name),
        problems,
    );
    let stated = shape.contact_radius.and_then(|stated| match stated {
        ContactRadius::Radius(radius) | ContactRadius::Block(radius) => Some(radius),
        ContactRadius::Flat => None,
    });
    if let Some(radius) = stated.filter(|r| !(r.is_finite() && *r != 0.0)) {
        let message = format!("contact_radius of \"{}\" must not be zero, got {radius} m", shape.name);
        problems.push(
            Problem::new("E0314", format!("{path}.contact_radius"), message)
                .expected("a length, negative for a cavity, or \"flat\""),
        );
    }
}
