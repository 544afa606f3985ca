//! The key table of the model file, as data. The reader takes kinds and dimensions from it, `carom
//! schema` prints it: they cannot disagree.

mod json_schema;
mod mechanism;
mod print;
mod run;
mod table;

use crate::quantity::Dimension;

pub use json_schema::json_schema;
pub use mechanism::{CONSTRAINT_TYPES, FORCE_TYPES, JOINT_TYPES};
pub use print::{markdown, text};

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
    /// A list of tables with the keys of this section.
    Tables(&'static str),
    /// A table with the keys of this section, or a list of them, one per coordinate of a joint.
    PerCoordinate(&'static str),
    /// One of these words, or a table with the keys of this section.
    WordOrTable(&'static [&'static str], &'static str),
    /// A quantity of this dimension, or a table with the keys of this section.
    QuantityOrTable(Dimension, &'static str),
    /// A function of time: a quantity, an expression with `t`, or a table of the section `function`.
    Function(&'static str),
    /// One function of time or several.
    Functions(&'static str),
    /// One quantity or several whose dimensions depend on other keys.
    OneOrMore(&'static str),
    /// A list of what the text names.
    List(&'static str),
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
    /// Types of the section that take the key; empty: all.
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
            Kind::Rotation => "{ axis, angle } | { quat } | { rpy } | { matrix }".to_owned(),
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
            Kind::Tables(section) => format!("list of tables [{section}]"),
            Kind::PerCoordinate(section) => {
                format!("table [{section}], or a list of them, one per coordinate")
            }
            Kind::WordOrTable(words, section) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                format!("{} | table [{section}]", words.join(" | "))
            }
            Kind::QuantityOrTable(d, section) => format!("quantity in {d} | table [{section}]"),
            Kind::Function(what) => format!("{what}, as a function of time"),
            Kind::Functions(what) | Kind::OneOrMore(what) | Kind::List(what) => what.to_owned(),
            Kind::Free => "anything".to_owned(),
            Kind::NotBuilt(what) => format!("{what} (not built yet)"),
        }
    }

    /// Must the key be given?
    pub fn is_required(&self) -> bool {
        self.default == "required"
    }
}

/// All keys of the model file, in the order of the documentation.
pub fn rows() -> impl Iterator<Item = &'static Row> + Clone {
    table::SCENE.iter().chain(mechanism::MECHANISM).chain(run::RUN)
}

/// Rows of a section.
pub fn section(section: &str) -> impl Iterator<Item = &'static Row> + Clone + use<'_> {
    rows().filter(move |r| r.section == section)
}

/// Words of the `type` key of a section whose keys depend on it.
pub(crate) fn types_of(section: &str) -> Option<&'static [&'static str]> {
    match section {
        "shape" => Some(&SHAPE_TYPES),
        "joint.*" => Some(&JOINT_TYPES),
        "force.*" => Some(&FORCE_TYPES),
        "constraint.*" => Some(&CONSTRAINT_TYPES),
        _ => None,
    }
}

/// Row of a key.
pub fn row(section_name: &str, key: &str) -> Option<&'static Row> {
    section(section_name).find(|r| r.key == key)
}

/// Shape types of this version.
pub const SHAPE_TYPES: [&str; 19] = [
    "sphere",
    "half-space",
    "box",
    "cylinder",
    "capsule",
    "cone",
    "frustum",
    "beam",
    "ellipsoid",
    "superellipsoid",
    "hull",
    "mesh",
    "torus",
    "plate",
    "peanut",
    "funnel",
    "foot",
    "terrain",
    "gear",
];

/// Shape types of the format that are not built yet.
pub const LATER_SHAPE_TYPES: [&str; 6] = ["rectangle", "circle", "polygon", "heightfield", "tube", "plane"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_a_row_is_a_section() {
        for r in rows() {
            if let Kind::Table(s)
            | Kind::Named(s)
            | Kind::Tables(s)
            | Kind::PerCoordinate(s)
            | Kind::WordOrTable(_, s)
            | Kind::QuantityOrTable(_, s) = r.kind
            {
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
        for (k, r) in rows().enumerate() {
            assert!(
                !rows().take(k).any(|o| o.section == r.section && o.key == r.key),
                "{}.{}",
                r.section,
                r.key
            );
            assert!(r.doc.ends_with('.') && !r.default.is_empty(), "{}.{}", r.section, r.key);
            assert!(
                r.types.iter().all(|t| types_of(r.section).unwrap().contains(t)),
                "{}.{}",
                r.section,
                r.key
            );
        }
    }
}
