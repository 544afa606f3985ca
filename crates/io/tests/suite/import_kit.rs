//! Imports of small texts, and numbers of the model files they give.

use std::path::Path;

use carom_io::import::{self, Import, NoteKind, Options};
use carom_io::{LoadedModel, Overrides, Style, load_str, render};
use toml::{Table, Value};

/// Numbers agree to rounding.
pub(crate) const ROUNDING: f64 = 1e-15;

pub(crate) fn urdf(inner: &str) -> Import {
    urdf_with(inner, &Options::default())
}

pub(crate) fn urdf_with(inner: &str, options: &Options) -> Import {
    let text = format!("<robot name=\"r\">\n{inner}\n</robot>\n");
    import::urdf(&text, Path::new("r.urdf"), options)
}

pub(crate) fn mjcf(inner: &str) -> Import {
    mjcf_with(inner, &Options::default())
}

pub(crate) fn mjcf_with(inner: &str, options: &Options) -> Import {
    let text = format!("<mujoco model=\"m\">\n{inner}\n</mujoco>\n");
    import::mjcf(&text, Path::new("m.xml"), options)
}

/// A link of 1 kg with the inertia of a sphere, and anything else.
pub(crate) fn link(name: &str, more: &str) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" \
         ixz=\"0\" iyz=\"0\"/></inertial>{more}</link>\n"
    )
}

/// A joint with its parent, child and anything else.
pub(crate) fn joint(name: &str, kind: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{more}</joint>\n"
    )
}

/// The model file, which must have come about.
#[track_caller]
pub(crate) fn toml(import: &Import) -> Table {
    let all: Vec<String> = import.problems.iter().map(|p| render(p, Style::Plain)).collect();
    assert!(!import.has_errors(), "{}", all.join("\n"));
    import.toml.parse().unwrap_or_else(|e| panic!("{e}\n{}", import.toml))
}

/// The model, loaded by the reader of model files.
#[track_caller]
pub(crate) fn loaded(import: &Import) -> LoadedModel {
    toml(import);
    load_str("r.toml", &import.toml, Path::new("."), &Overrides::default()).unwrap_or_else(|report| {
        panic!("{}\n{}", carom_io::render_report(&report, Style::Plain), import.toml)
    })
}

/// Value at a dotted path.
#[track_caller]
pub(crate) fn at<'a>(table: &'a Table, path: &str) -> &'a Value {
    let mut keys = path.split('.');
    let first = keys.next().unwrap();
    let mut value = table.get(first).unwrap_or_else(|| panic!("no {first}"));
    for key in keys {
        value = value.get(key).unwrap_or_else(|| panic!("no {key} of {path} in {value}"));
    }
    value
}

pub(crate) fn has(table: &Table, path: &str) -> bool {
    let mut keys = path.split('.');
    let first = keys.next().and_then(|key| table.get(key));
    keys.try_fold(first, |value, key| Some(value?.get(key)).filter(Option::is_some)).flatten().is_some()
}

/// A number, or the number of an angle.
#[track_caller]
fn number(value: &Value) -> f64 {
    match value {
        Value::Integer(i) => *i as f64,
        Value::Float(x) => *x,
        Value::String(s) => s.strip_suffix(" rad").expect("an angle").parse().unwrap(),
        other => panic!("{other} is no number"),
    }
}

#[track_caller]
pub(crate) fn numbers(table: &Table, path: &str) -> Vec<f64> {
    match at(table, path) {
        Value::Array(items) => items.iter().map(number).collect(),
        one => vec![number(one)],
    }
}

#[track_caller]
pub(crate) fn assert_near(table: &Table, path: &str, expected: &[f64]) {
    let found = numbers(table, path);
    let scale = expected.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    assert_eq!(found.len(), expected.len(), "{path} = {found:?}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 8.0 * ROUNDING * scale, "{path} = {found:?}, expected {expected:?}");
    }
}

/// Codes of all findings, in order.
pub(crate) fn codes(import: &Import) -> Vec<&'static str> {
    import.problems.iter().map(|p| p.problem.code).collect()
}

pub(crate) fn left_out(import: &Import) -> Vec<String> {
    import.notes.iter().filter(|n| n.kind == NoteKind::LeftOut).map(ToString::to_string).collect()
}

pub(crate) fn choices(import: &Import) -> String {
    let choices = import.notes.iter().filter(|n| n.kind == NoteKind::Choice);
    choices.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
