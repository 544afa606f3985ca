//! The key table of the model file, as data. The reader takes kinds and dimensions from it, `carom
//! schema` prints it: they cannot disagree.

mod json_schema;
mod print;
mod table;

use crate::quantity::Dimension;

pub use json_schema::json_schema;
pub use print::{markdown, text};
pub use table::ROWS;

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number in SI units or an expression of this dimension.
    Quantity(Dimension),
    /// A quantity whose dimension depends on other keys; the text names it.
    DependentQuantity(&'static str),
    /// Several quantities whose dimension depends on other keys.
    DependentQuantities(&'static str),
    /// Three quantities of this dimension.
    Vector(Dimension),
    /// A unit vector: `"+x"`, `"-z"` or three numbers.
    Direction,
    /// `{ axis, angle }`, `{ quat }` or `{ rpy }`.
    Rotation,
    /// One, three or six numbers, or a word.
    Inertia,
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Bool,
    /// A table of names with quantities.
    Quantities,
    /// A table with the keys of this section.
    Table(&'static str),
    /// A table of named tables with the keys of this section.
    Named(&'static str),
    /// One shape, or a table of named shapes.
    Shapes,
    /// Anything; the engine never sees it.
    Free,
    /// Part of the format that this version does not run; the text says what it is.
    NotBuilt(&'static str),
}

/// One key of the model file.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Section, such as `body.*`; empty at the top of the file.
    pub section: &'static str,
    /// Key.
    pub key: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Default, or `required`, or when it is needed.
    pub default: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Shape types that take the key; empty: all.
    pub types: &'static [&'static str],
}

impl Row {
    /// Name of the kind, for people.
    pub fn kind_name(&self) -> String {
        match self.kind {
            Kind::Quantity(d) if d.equals(Dimension::NONE) => "number".to_owned(),
            Kind::Quantity(d) => format!("quantity in {d}"),
            Kind::DependentQuantity(unit) => format!("quantity in {unit}"),
            Kind::DependentQuantities(what) => what.to_owned(),
            Kind::Vector(d) if d.equals(Dimension::NONE) => "3 numbers".to_owned(),
            Kind::Vector(d) => format!("3 quantities in {d}"),
            Kind::Direction => "\"+x\", \"-z\" … or 3 numbers".to_owned(),
            Kind::Rotation => "{ axis, angle } | { quat } | { rpy }".to_owned(),
            Kind::Inertia => "1, 3 or 6 quantities in kg*m^2, \"from-shape\" or \"from-mesh\"".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Texts => "list of texts".to_owned(),
            Kind::Word(words) => words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" | "),
            Kind::Integer => "whole number".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::Quantities => "table of quantities".to_owned(),
            Kind::Table(section) => format!("table [{section}]"),
            Kind::Named(section) => format!("tables [{section}]"),
            Kind::Shapes => "shape, or table of named shapes".to_owned(),
            Kind::Free => "anything".to_owned(),
            Kind::NotBuilt(what) => format!("{what} (not built yet)"),
        }
    }

    /// Must the key be given?
    pub fn is_required(&self) -> bool {
        self.default == "required"
    }
}

/// Rows of a section.
pub fn section(section: &str) -> impl Iterator<Item = &'static Row> + Clone + use<'_> {
    ROWS.iter().filter(move |r| r.section == section)
}

/// Row of a key.
pub fn row(section_name: &str, key: &str) -> Option<&'static Row> {
    section(section_name).find(|r| r.key == key)
}

/// Shape types of this version.
pub const SHAPE_TYPES: [&str; 6] = ["sphere", "half-space", "box", "cylinder", "capsule", "mesh"];

/// Shape types of the format that are not built yet.
pub const LATER_SHAPE_TYPES: [&str; 13] = [
    "torus",
    "cone",
    "ellipsoid",
    "superellipsoid",
    "rectangle",
    "circle",
    "polygon",
    "hull",
    "terrain",
    "heightfield",
    "beam",
    "tube",
    "plane",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_a_row_is_a_section() {
        for r in ROWS {
            if let Kind::Table(s) | Kind::Named(s) = r.kind {
                assert!(section(s).next().is_some(), "{}.{} names section {s}", r.section, r.key);
            }
        }
    }

    #[test]
    fn the_documentation_has_the_key_table() {
        const START: &str = "<!-- keys: from crates/io/src/schema -->\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model-format.md");
        let docs = std::fs::read_to_string(path).unwrap();
        let (before, rest) = docs.split_once(START).unwrap();
        let (table, after) = rest.split_once("<!-- end of keys -->").unwrap();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let table = markdown();
            std::fs::write(path, format!("{before}{START}{}\n<!-- end of keys -->{after}", table.trim()))
                .unwrap();
        } else {
            assert_eq!(table.trim(), markdown().trim(), "run this test with UPDATE_DOCS=1");
        }
    }

    #[test]
    fn keys_are_unique_and_documented() {
        for (k, r) in ROWS.iter().enumerate() {
            assert!(
                !ROWS[..k].iter().any(|o| o.section == r.section && o.key == r.key),
                "{}.{}",
                r.section,
                r.key
            );
            assert!(r.doc.ends_with('.') && !r.default.is_empty(), "{}.{}", r.section, r.key);
            assert!(r.types.iter().all(|t| SHAPE_TYPES.contains(t)), "{}.{}", r.section, r.key);
        }
    }
}
