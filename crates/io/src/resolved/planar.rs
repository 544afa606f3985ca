//! Planar shapes in the resolved model.

use carom_geometry::planar::{Outline, PlanarShape};
use serde_json::{Value, json};

use super::x;

/// As the model file has it.
pub(super) fn to_toml(shape: &PlanarShape) -> Value {
    keys(shape, "")
}

/// As the hash has it.
pub(super) fn to_json(shape: &PlanarShape) -> Value {
    keys(shape, "_m")
}

fn keys(shape: &PlanarShape, unit: &str) -> Value {
    let key = |name: &str| format!("{name}{unit}");
    let mut table = match &shape.outline {
        Outline::Polygon(polygon) => {
            let points: Vec<[Value; 2]> = polygon.points().iter().map(|p| [x(p.x), x(p.y)]).collect();
            json!({ "type": "polygon", key("points"): points })
        }
        Outline::Circle { radius: 0.0 } => json!({ "type": "point" }),
        Outline::Circle { radius } => json!({ "type": "circle", key("radius"): x(*radius) }),
    };
    table[key("thickness")] = x(shape.thickness);
    table
}
