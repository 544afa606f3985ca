use super::{Default, Range, Value};
use crate::quantity::Dimension;

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
    /// What holds where it is left out.
    pub default: Default,
    /// Numbers that the reader takes; the engine refuses more.
    pub range: Range,
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
            Kind::Vector(d) => format!("3 quantities in {d}, or 2 in a plane"),
            Kind::Direction => "\"+x\", \"-z\" … or 3 numbers".to_owned(),
            Kind::Rotation => {
                "{ axis, angle } | { quat } | { rpy } | { matrix }, in a plane an angle".to_owned()
            }
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
        }
    }

    /// Must the key be given?
    pub fn is_required(&self) -> bool {
        self.default == Default::Required
    }

    /// What holds where the key is left out, for people.
    pub fn default_text(&self) -> String {
        self.default.text(self.kind)
    }

    /// The value that the reader takes where the key is left out, as a model file could state it.
    pub fn stated_default(&self) -> Option<String> {
        let value = self.default.value()?;
        let text = value.text(self.kind);
        let is_quantity =
            matches!(value, Value::In(..)) || matches!(value, Value::Number(_)) && text.contains(' ');
        match value {
            Value::ByCoordinate(_) => None,
            _ => Some(if is_quantity { format!("\"{text}\"") } else { text }),
        }
    }

    pub(super) const fn within(self, range: Range) -> Self {
        Self { range, ..self }
    }
}

pub(super) const fn row(
    section: &'static str,
    key: &'static str,
    kind: Kind,
    default: Default,
    doc: &'static str,
) -> Row {
    only(section, key, &[], kind, default, doc)
}

/// A key that only some types of its section take.
pub(super) const fn only(
    section: &'static str,
    key: &'static str,
    types: &'static [&'static str],
    kind: Kind,
    default: Default,
    doc: &'static str,
) -> Row {
    Row { section, key, kind, default, range: Range::Any, doc, types }
}

pub(super) const NUMBER: Kind = Kind::Quantity(Dimension::NONE);
pub(super) const LENGTH: Kind = Kind::Quantity(Dimension::LENGTH);
pub(super) const TIME: Kind = Kind::Quantity(Dimension::TIME);
pub(super) const VELOCITY: Kind = Kind::Quantity(Dimension::VELOCITY);
pub(super) const ANGULAR_VELOCITY: Kind = Kind::Quantity(Dimension::ANGULAR_VELOCITY);
pub(super) const PRESSURE: Kind = Kind::Quantity(Dimension::PRESSURE);
pub(super) const DENSITY: Kind = Kind::Quantity(Dimension::DENSITY);
