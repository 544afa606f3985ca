//! Convex solids in the resolved model.

use std::sync::Arc;

use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use serde_json::{Map, Value, json};

use super::{vector, x};
use crate::mesh_file::Source;

/// Type and keys of a solid as the model file has them, with the units of their values; a hull's points are left to the
/// caller.
fn keys(solid: &ConvexShape) -> (&'static str, Vec<(&'static str, &'static str, Value)>) {
    let (kind, mut keys) = match &solid.core {
        // The reader makes balls and capsules of these.
        Core::Point => ("sphere", vec![("radius", "_m", x(solid.radius))]),
        Core::Segment { half_length } => {
            ("capsule", vec![("radius", "_m", x(solid.radius)), ("length", "_m", x(2.0 * half_length))])
        }
        Core::Box { half } => ("box", vec![("size", "_m", vector(&(half * 2.0)))]),
        Core::Frustum { radius_low, radius_high, half_length } => (
            "frustum",
            vec![
                ("radii", "_m", json!([x(*radius_low), x(*radius_high)])),
                ("length", "_m", x(2.0 * half_length)),
            ],
        ),
        Core::Beam { half_length, half_width, half_thickness } => (
            "beam",
            vec![
                ("length", "_m", x(2.0 * half_length)),
                ("width", "_m", x(2.0 * half_width)),
                ("thickness", "_m", x(2.0 * half_thickness)),
            ],
        ),
        Core::Ellipsoid { semi_axes } => ("ellipsoid", vec![("semi_axes", "_m", vector(semi_axes))]),
        Core::Superellipsoid { semi_axes, exponents: [e1, e2] } => (
            "superellipsoid",
            vec![("semi_axes", "_m", vector(semi_axes)), ("exponents", "", json!([x(*e1), x(*e2)]))],
        ),
        Core::Hull(_) => ("hull", Vec::new()),
    };
    if !matches!(solid.core, Core::Point | Core::Segment { .. }) {
        keys.push(("rounding", "_m", x(solid.radius)));
    }
    (kind, keys)
}

/// With units in the names; a hull as the hash of its vertices.
pub(super) fn to_json(solid: &ConvexShape) -> Value {
    let (kind, keys) = keys(solid);
    let mut table = Map::new();
    table.insert("type".to_owned(), json!(kind));
    table.extend(keys.into_iter().map(|(key, unit, value)| (format!("{key}{unit}"), value)));
    if let Core::Hull(hull) = &solid.core {
        let mut hasher = blake3::Hasher::new();
        hull.vertices().iter().flat_map(|v| v.iter()).for_each(|c| {
            hasher.update(&(c + 0.0).to_le_bytes());
        });
        table.insert("vertices".to_owned(), json!(hull.vertices().len()));
        table.insert("hash".to_owned(), json!(hasher.finalize().to_hex().to_string()));
    }
    Value::Object(table)
}

/// As the model file has it. A hull is written as its file, if it comes from one, else as its vertices.
pub(super) fn to_toml(solid: &ConvexShape, hulls: &[Source<ConvexHull>]) -> Value {
    let (kind, keys) = keys(solid);
    let mut table = Map::new();
    table.insert("type".to_owned(), json!(kind));
    table.extend(keys.into_iter().map(|(key, _, value)| (key.to_owned(), value)));
    if let Core::Hull(hull) = &solid.core {
        match hulls.iter().find(|source| Arc::ptr_eq(&source.0, hull)) {
            Some((_, file, scale)) => {
                table.insert("file".to_owned(), json!(file.display().to_string()));
                table.insert("unit".to_owned(), json!("m"));
                table.insert("scale".to_owned(), x(*scale));
            }
            None => {
                table.insert("points".to_owned(), hull.vertices().iter().map(vector).collect());
            }
        }
    }
    Value::Object(table)
}
