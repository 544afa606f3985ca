//! Quantities: numbers with units, written as expressions (docs/model-format.md, "Quantities").
//!
//! A unit binds to the number it follows, so `10/128 m` is 10/(128 m); dimensions are carried through
//! every operation and checked where the value is used.

mod alone;
mod dimension;
mod eval;
mod parse;
mod time;
mod token;
mod unit;

pub use alone::{parse_length, parse_length_unit, parse_time};
pub use dimension::Dimension;
pub(crate) use eval::{Lookup, Names, NoNames, describe, evaluate};

pub(crate) use parse::{parse, parse_long};
pub(crate) use time::{Compiled, WithTime, compile};
pub(crate) use unit::is_strong_unit;

/// A value in SI units with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Value in m, kg, s and rad.
    pub value: f64,
    /// Exponents of the base units.
    pub dimension: Dimension,
}

impl Quantity {
    /// A plain number.
    pub fn number(value: f64) -> Self {
        Self { value, dimension: Dimension::NONE }
    }
}

/// Why an expression has no value. Offsets count bytes within the expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExpressionError {
    pub(crate) code: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
    pub(crate) expected: Option<String>,
    pub(crate) help: Option<String>,
}

impl ExpressionError {
    pub(crate) fn new(code: &'static str, at: (usize, usize), message: impl Into<String>) -> Self {
        Self { code, start: at.0, end: at.1, message: message.into(), expected: None, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }
}

/// Outcome of an evaluation: a value, an error to report, or a failure that is already reported
/// where its cause is defined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    Error(ExpressionError),
    Reported,
}

impl From<ExpressionError> for Failure {
    fn from(error: ExpressionError) -> Self {
        Self::Error(error)
    }
}

#[cfg(test)]
mod tests;
