use serde_json::{Map, Value, json};

use super::{Kind, Row, rows};
use crate::quantity::Dimension;

/// JSON Schema (draft 2020-12) of the model file, for completion in editors.
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    for row in rows().filter(|r| !r.section.is_empty()) {
        definitions.entry(definition_name(row.section)).or_insert_with(|| section_schema(row.section));
    }
    definitions.insert("quantity".to_owned(), json!({ "type": ["number", "string"] }));
    let mut schema = section_schema("");
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Carom model file");
    schema["$defs"] = Value::Object(definitions);
    schema
}

fn definition_name(section: &str) -> String {
    section.replace(".*", "").replace('.', "_")
}

fn reference(section: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{}", definition_name(section)) })
}

fn section_schema(section: &str) -> Value {
    let rows = super::section(section);
    let properties: Map<String, Value> = rows.iter().map(|r| (r.key.to_owned(), row_schema(r))).collect();
    let required: Vec<&str> =
        rows.iter().filter(|r| r.is_required() && r.types.is_empty()).map(|r| r.key).collect();
    // Included files and variants need not repeat what the main file says.
    let required = if section.is_empty() { vec!["format"] } else { required };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn row_schema(row: &Row) -> Value {
    let quantity = json!({ "$ref": "#/$defs/quantity" });
    let list = |low: usize, high: usize| json!({ "type": "array", "items": quantity, "minItems": low, "maxItems": high });
    let mut schema = match row.kind {
        Kind::Quantity(_) | Kind::DependentQuantity(_) => json!({ "type": ["number", "string"] }),
        // How many depends on the type; one stands alone.
        Kind::DependentQuantities(_) => json!({ "anyOf": [list(1, 9), quantity] }),
        // In planar models two numbers, and one for an angular velocity or a rotation.
        Kind::Vector(d) if d.equals(Dimension::ANGULAR_VELOCITY) => {
            json!({ "anyOf": [list(3, 3), quantity] })
        }
        Kind::Vector(_) => list(2, 3),
        Kind::Direction => {
            json!({ "anyOf": [{ "enum": ["x", "y", "z", "+x", "+y", "+z", "-x", "-y", "-z"] }, list(2, 3)] })
        }
        Kind::Rotation => json!({ "anyOf": [reference("rot"), quantity] }),
        Kind::Inertia => json!({ "anyOf": [quantity, list(3, 3), list(6, 6)] }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Integer => json!({ "type": "integer", "minimum": 0 }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Quantities => json!({ "type": "object", "additionalProperties": quantity }),
        Kind::Table(section) => reference(section),
        Kind::Named(section) => json!({ "type": "object", "additionalProperties": reference(section) }),
        Kind::Shapes => {
            json!({ "anyOf": [reference("shape"), { "type": "object", "additionalProperties": reference("shape") }] })
        }
        Kind::Tables(section) => json!({ "type": "array", "items": reference(section) }),
        Kind::PerCoordinate(section) => {
            json!({ "anyOf": [reference(section), { "type": "array", "items": reference(section) }] })
        }
        Kind::WordOrTable(words, section) => json!({ "anyOf": [{ "enum": words }, reference(section)] }),
        Kind::QuantityOrTable(_, section) => json!({ "anyOf": [quantity, reference(section)] }),
        Kind::Function(_) => json!({ "anyOf": [quantity, reference("function")] }),
        Kind::Functions(_) => {
            let function = json!({ "anyOf": [quantity, reference("function")] });
            json!({ "anyOf": [quantity, reference("function"), { "type": "array", "items": function }] })
        }
        Kind::OneOrMore(_) => json!({ "type": ["number", "string", "array"] }),
        Kind::List(_) => json!({ "type": "array" }),
        Kind::Free => json!({}),
    };
    schema["description"] = json!(row.doc);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_is_defined() {
        let schema = json_schema();
        let text = schema.to_string();
        for piece in text.split("#/$defs/").skip(1) {
            let name = piece.split('"').next().unwrap();
            assert!(schema["$defs"].get(name).is_some(), "{name}");
        }
    }
}
