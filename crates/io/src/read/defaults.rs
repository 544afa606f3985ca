//! What holds where a key is left out, and which numbers a key takes: both are the schema's.

use carom_math::Vec3;

use super::rotation::direction_of_word;
use super::section::{Section, unread};
use crate::quantity::Dimension;
use crate::schema::{Default, Value};

impl Section<'_, '_> {
    fn default_value(&self, key: &str) -> Value {
        match self.row(key).default.value() {
            Some(value) => value,
            None => unreachable!("[{}] has no default for {key} in the schema", self.section),
        }
    }

    fn default_number(&self, key: &str, dimension: Dimension) -> f64 {
        match self.default_value(key).number(dimension.angle != 0.0) {
            Some(number) => number,
            None => unreachable!("the default of {key} in [{}] is no number", self.section),
        }
    }

    /// A quantity, or its default: also after an error, which is reported.
    pub(crate) fn quantity_or_default(&self, key: &str) -> f64 {
        self.quantity(key).unwrap_or_else(|| self.default_number(key, Dimension::NONE))
    }

    /// A quantity of a dimension that depends on other keys, or its default; `None` after an error.
    pub(crate) fn quantity_in_or_default(&self, key: &str, dimension: Dimension) -> Option<f64> {
        if self.has(key) {
            self.quantity_in(key, dimension)
        } else {
            Some(self.default_number(key, dimension))
        }
    }

    /// `true` or `false`, or the default: also after an error, which is reported.
    pub(crate) fn flag_or_default(&self, key: &str) -> bool {
        self.flag(key).unwrap_or_else(|| match self.default_value(key) {
            Value::Flag(flag) => flag,
            other => unreachable!("the default of {key} in [{}] is {other:?}", self.section),
        })
    }

    /// A whole number, or the default: also after an error, which is reported.
    pub(crate) fn whole_or_default(&self, key: &str) -> u64 {
        self.whole(key).unwrap_or_else(|| match self.default_value(key) {
            Value::Whole(number) => number,
            other => unreachable!("the default of {key} in [{}] is {other:?}", self.section),
        })
    }

    /// A vector, or the default: also after an error, which is reported.
    pub(crate) fn vector_or_default(&self, key: &str) -> Vec3 {
        self.vector(key).unwrap_or_else(|| match self.default_value(key) {
            Value::Zeros => Vec3::zeros(),
            other => unreachable!("the default of {key} in [{}] is {other:?}", self.section),
        })
    }

    fn default_word(&self, key: &str) -> &'static str {
        match self.default_value(key) {
            Value::Word(word) => word,
            other => unreachable!("the default of {key} in [{}] is {other:?}", self.section),
        }
    }

    /// A direction, or the default; `None` after an error.
    pub(crate) fn direction_or_default(&self, key: &str) -> Option<Vec3> {
        match self.has(key) {
            true => self.direction(key),
            false => direction_of_word(self.default_word(key)),
        }
    }

    /// One of the words of the schema, or the default; `None` after an error. A word that has no default must
    /// be there.
    pub(crate) fn word_or_default(&self, key: &str) -> Option<&'static str> {
        if self.has(key) {
            return self.word(key);
        }
        if self.row(key).default == Default::Required {
            self.report_missing(key);
            return None;
        }
        Some(self.default_word(key))
    }

    /// The engine's kind that a word names, or the default names; `None` after an error. `others` are other
    /// names of some.
    pub(crate) fn kind_or_default<K: Copy>(
        &self,
        key: &str,
        all: &[K],
        name: fn(K) -> &'static str,
        others: &[(&str, K)],
    ) -> Option<K> {
        let word = self.word_or_default(key)?;
        Some(kind_of_word(key, word, all, name, others))
    }

    /// Reports a number that the schema does not take.
    pub(crate) fn check_range(&self, key: &str, value: Option<f64>) {
        let range = self.row(key).range;
        let Some(value) = value.filter(|x| !range.contains(*x)) else { return };
        let message = format!("{} must {}, got {value}", self.path_of(key), range.demand());
        let mut problem = self.problem("E0406", key, message);
        problem.expected = range.expected();
        self.report(key, problem);
    }

    /// A number that the schema's range does not take; the caller says why.
    pub(crate) fn outside(&self, key: &str, value: Option<f64>) -> Option<f64> {
        value.filter(|x| !self.row(key).range.contains(*x))
    }
}

/// The engine's kind that a word of the schema names.
pub(crate) fn kind_of_word<K: Copy>(
    key: &str,
    word: &str,
    all: &[K],
    name: fn(K) -> &'static str,
    others: &[(&str, K)],
) -> K {
    let other = others.iter().find(|(other, _)| *other == word).map(|(_, kind)| *kind);
    let own = || all.iter().copied().find(|kind| name(*kind) == word);
    other.or_else(own).unwrap_or_else(|| unread(key, word))
}
