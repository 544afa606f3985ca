//! Keys of a study with their values.

use crate::quantity::{NoNames, evaluate, parse};

/// A key that takes values one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Path of the key, such as `params.e`.
    pub key: String,
    /// Its values.
    pub values: Vec<Setting>,
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As TOML, for `--set KEY=TOML`.
    pub toml: String,
    /// In SI units, of quantities.
    pub number: Option<f64>,
}

/// A key that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Path of the key.
    pub key: String,
    /// Where its values are.
    pub distribution: Distribution,
    /// Unit of the numbers of the distribution; empty for plain ones.
    pub unit: String,
}

/// A distribution, in the unit of its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Between two numbers.
    Uniform(f64, f64),
    /// Mean and standard deviation.
    Normal(f64, f64),
    /// Median, and standard deviation of the logarithm.
    LogNormal(f64, f64),
}

impl Setting {
    /// A number with a unit.
    pub fn quantity(number: f64, unit: &str) -> Self {
        if unit.is_empty() {
            return Self { toml: format!("{number:?}"), number: Some(number) };
        }
        let text = format!("{number:?} {unit}");
        Self { toml: quoted(&text), number: value_of(&text) }
    }

    /// How it is written, without its number: values of one kind fit the same keys. A word or an expression is a kind of its own.
    pub fn kind(&self) -> String {
        match split_unit(self.toml.trim_matches('"')) {
            Some((_, unit)) => {
                let is_text = self.toml.starts_with('"');
                let is_whole = self.toml.parse::<i64>().is_ok();
                format!("number, text {is_text}, whole {is_whole}, in \"{unit}\"")
            }
            None => self.toml.clone(),
        }
    }

    /// A string as it stands: a quantity, or a word.
    pub(super) fn text(text: &str) -> Self {
        Self { toml: quoted(text), number: value_of(text) }
    }
}

/// A string of TOML.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Value of a quantity without names, in SI units.
fn value_of(text: &str) -> Option<f64> {
    let names = NoNames;
    let value = parse(text, &names).ok().and_then(|expr| evaluate(&expr, &names).ok())?.value;
    value.is_finite().then_some(value)
}

/// `0.5 m` is 0.5 and `m`.
pub(super) fn split_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let (number, unit) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let number: f64 = number.parse().ok().filter(|number: &f64| number.is_finite())?;
    let unit = unit.trim();
    (unit.is_empty() || value_of(&format!("1 {unit}")).is_some()).then_some((number, unit))
}
