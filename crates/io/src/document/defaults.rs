use super::node::{Entry, Table, Value};
use crate::schema;

/// Applies `[default.body]` and `[default.shape]` to the bodies of the same file.
pub(crate) fn apply_defaults(root: &mut Table) {
    let Some(defaults) = root.table("default").cloned() else { return };
    let body_defaults = defaults.table("body").cloned().unwrap_or_default();
    let shape_defaults = defaults.table("shape").cloned().unwrap_or_default();
    let apply = |bodies: Option<&mut Table>| {
        for entry in bodies.map(|t| &mut t.entries).into_iter().flatten() {
            if let Value::Table(body) = &mut entry.node.value {
                complete_body(body, &body_defaults);
                complete_shapes(body, &shape_defaults);
            }
        }
    };
    apply(table_mut(root, "body"));
    for component in table_mut(root, "component").map(|t| &mut t.entries).into_iter().flatten() {
        if let Value::Table(component) = &mut component.node.value {
            apply(table_mut(component, "body"));
        }
    }
}

fn table_mut<'a>(table: &'a mut Table, key: &str) -> Option<&'a mut Table> {
    match &mut table.get_mut(key)?.value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

/// A fixed body has no mass to speak of, and mass and density exclude each other.
fn complete_body(body: &mut Table, defaults: &Table) {
    let fixed = matches!(
        body.get("fixed").or_else(|| defaults.get("fixed")).map(|n| &n.value),
        Some(Value::Bool(true))
    );
    let has_mass = body.get("mass").is_some() || body.get("density").is_some();
    let skipped = |key: &str| match key {
        "mass" | "density" => fixed || has_mass,
        "inertia" | "vel" | "omega" | "com" => fixed,
        _ => false,
    };
    complete(body, defaults, |entry| !skipped(&entry.key));
}

fn complete_shapes(body: &mut Table, defaults: &Table) {
    let Some(shapes) = table_mut(body, "shape") else { return };
    if is_named_shapes(shapes) {
        for entry in &mut shapes.entries {
            if let Value::Table(shape) = &mut entry.node.value {
                complete_shape(shape, defaults);
            }
        }
    } else {
        complete_shape(shapes, defaults);
    }
}

fn complete_shape(shape: &mut Table, defaults: &Table) {
    let kind =
        shape.get("type").or_else(|| defaults.get("type")).and_then(|n| n.as_text().map(str::to_owned));
    complete(shape, defaults, |entry| match (schema::row("shape", &entry.key), &kind) {
        (Some(row), Some(kind)) => row.types.is_empty() || row.types.contains(&kind.as_str()),
        _ => true,
    });
}

fn complete(table: &mut Table, defaults: &Table, wanted: impl Fn(&Entry) -> bool) {
    for entry in defaults.entries.iter().filter(|e| wanted(e)) {
        if table.get(&entry.key).is_none() {
            table.entries.push(entry.clone());
        }
    }
}

/// Is this table of a body's `shape` a set of named shapes? A single shape has its `type` as a word.
pub(crate) fn is_named_shapes(shapes: &Table) -> bool {
    !shapes.entries.is_empty()
        && shapes.entries.iter().all(|e| matches!(e.node.value, Value::Table(_)) && e.key != "rot")
}
