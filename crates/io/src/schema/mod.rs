//! The key table of the model file, as data: one row a key, with what it takes, what holds where it is left
//! out, and what it means. The reader takes kinds, dimensions, defaults and ranges from it, `carom schema`
//! and the documentation print it.

mod body;
mod component;
mod constraint;
mod contact;
mod default;
mod json_schema;
mod law;
mod mechanism;
mod print;
mod range;
mod row;
mod run;
mod top;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use default::{Default, Value};
pub use json_schema::json_schema;
pub use print::{markdown, text};
pub use range::Range;
pub use row::{Kind, Row};
pub use words::{CONSTRAINT_TYPES, FORCE_TYPES, JOINT_TYPES, LATER_SHAPE_TYPES, PLANAR_TYPES, SHAPE_TYPES};
pub(crate) use words::{METHOD_SYNONYMS, NORMAL_SYNONYMS, OFF};

/// All keys of the model file, in the order of the documentation.
pub fn rows() -> impl Iterator<Item = &'static Row> + Clone {
    let scene = top::TOP.iter().chain(law::LAW).chain(body::BODY);
    scene
        .chain(component::COMPONENT)
        .chain(contact::CONTACT)
        .chain(mechanism::MECHANISM)
        .chain(constraint::CONSTRAINT)
        .chain(run::RUN)
}

/// Rows by section.
static SECTIONS: LazyLock<BTreeMap<&str, Vec<&Row>>> = LazyLock::new(|| {
    let mut sections: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    rows().for_each(|row| sections.entry(row.section).or_default().push(row));
    sections
});

/// Rows of a section; none of one that does not exist.
pub fn section(section: &str) -> &'static [&'static Row] {
    SECTIONS.get(section).map_or(&[], |rows| rows)
}

/// Words of the `type` key of a section whose keys depend on it.
pub(crate) fn types_of(section: &str) -> Option<&'static [&'static str]> {
    match section {
        "shape" => Some(&SHAPE_TYPES),
        "joint.*" => Some(JOINT_TYPES),
        "force.*" => Some(&FORCE_TYPES),
        "constraint.*" => Some(&CONSTRAINT_TYPES),
        _ => None,
    }
}

/// Row of a key.
pub fn row(section_name: &str, key: &str) -> Option<&'static Row> {
    section(section_name).iter().find(|r| r.key == key).copied()
}

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
                assert!(!section(s).is_empty(), "{}.{} names section {s}", r.section, r.key);
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
            assert!(r.doc.ends_with('.') && !r.default_text().is_empty(), "{}.{}", r.section, r.key);
            assert!(
                r.types.iter().all(|t| types_of(r.section).unwrap().contains(t)),
                "{}.{}",
                r.section,
                r.key
            );
        }
    }
}
