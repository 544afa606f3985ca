use std::fmt;

use super::Kind;
use crate::quantity::{Dimension, Failure, NoNames, evaluate, parse};

/// What holds where a key is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// Nothing: the key must be given.
    Required,
    /// What no value of the key says, or what other keys decide.
    Words(&'static str),
    /// The reader takes this value. The words before and after it say when, where that is not always.
    Stated(&'static str, Value, &'static str),
}

/// A value that the model file could state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// In SI units.
    Number(f64),
    /// In this unit.
    In(f64, &'static str),
    /// In these units: of a coordinate that is an angle, of one that is a length.
    ByCoordinate([(f64, &'static str); 2]),
    /// A whole number.
    Whole(u64),
    /// `true` or `false`.
    Flag(bool),
    /// A word or a direction.
    Word(&'static str),
    /// Three zeros.
    Zeros,
    /// An empty list.
    NoItems,
    /// An empty table.
    NoEntries,
}

/// The key must be given.
pub(super) const REQUIRED: Default = Default::Required;
/// There is none.
pub(super) const NONE: Default = Default::Words("none");
/// Three zeros.
pub(super) const ZEROS: Default = stated(Value::Zeros);

pub(super) const fn words(words: &'static str) -> Default {
    Default::Words(words)
}

pub(super) const fn stated(value: Value) -> Default {
    Default::Stated("", value, "")
}

pub(super) const fn number(value: f64) -> Default {
    stated(Value::Number(value))
}

pub(super) const fn whole(value: u64) -> Default {
    stated(Value::Whole(value))
}

pub(super) const fn flag(value: bool) -> Default {
    stated(Value::Flag(value))
}

pub(super) const fn word(value: &'static str) -> Default {
    stated(Value::Word(value))
}

impl Default {
    /// With words that say what is left out here holds only where other keys say nothing.
    pub(super) const fn after(self, before: &'static str) -> Self {
        match self {
            Self::Stated(_, value, after) => Self::Stated(before, value, after),
            other => other,
        }
    }

    /// With words that say more of the value.
    pub(super) const fn then(self, after: &'static str) -> Self {
        match self {
            Self::Stated(before, value, _) => Self::Stated(before, value, after),
            other => other,
        }
    }

    /// The value, where there is one.
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::Stated(_, value, _) => Some(*value),
            Self::Required | Self::Words(_) => None,
        }
    }

    /// For people, at a key of this kind.
    pub(super) fn text(&self, kind: Kind) -> String {
        match self {
            Self::Required => "required".to_owned(),
            Self::Words(words) => (*words).to_owned(),
            Self::Stated(before, value, after) => format!("{before}{}{after}", value.text(kind)),
        }
    }
}

impl Value {
    /// The number in SI units. What a coordinate decides is asked with what that measures.
    pub(crate) fn number(&self, is_angle: bool) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::In(x, unit) => Some(in_si(*x, unit)),
            Self::ByCoordinate([angle, length]) => {
                let (x, unit) = if is_angle { angle } else { length };
                Some(in_si(*x, unit))
            }
            _ => None,
        }
    }

    /// The value with the unit that a key of this kind takes. Zero needs none.
    pub(super) fn text(&self, kind: Kind) -> String {
        match self {
            Self::Number(x) => match kind {
                Kind::Quantity(d) | Kind::QuantityOrTable(d, _)
                    if *x != 0.0 && !d.equals(Dimension::NONE) =>
                {
                    format!("{} {d}", Short(*x))
                }
                _ => Short(*x).to_string(),
            },
            Self::In(x, unit) => format!("{} {unit}", Short(*x)),
            Self::ByCoordinate([(angle, of_angle), (length, of_length)]) => {
                format!("{} {of_angle} or {} {of_length}", Short(*angle), Short(*length))
            }
            Self::Whole(n) => n.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Word(word) => format!("\"{word}\""),
            Self::Zeros => "[0, 0, 0]".to_owned(),
            Self::NoItems => "[]".to_owned(),
            Self::NoEntries => "{}".to_owned(),
        }
    }
}

/// A number with as few characters as say it.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.0 == 0.0 || (1e-3..1e5).contains(&self.0.abs());
        if is_plain { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
    }
}

/// As the model file would read it.
fn in_si(value: f64, unit: &str) -> f64 {
    let text = format!("{value} {unit}");
    match parse(&text, &NoNames).map_err(Failure::Error).and_then(|e| evaluate(&e, &NoNames)) {
        Ok(quantity) => quantity.value,
        Err(_) => unreachable!("the default \"{text}\" is no quantity"),
    }
}
