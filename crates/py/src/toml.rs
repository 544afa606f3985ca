//! Values and dictionaries of Python as TOML.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A value as it stands behind a `=`: strings, numbers, truth values, sequences of them, dictionaries as inline tables.
pub(crate) fn value(given: &Bound<'_, PyAny>) -> PyResult<String> {
    value_within(given, DEPTH)
}

/// Levels of lists and dictionaries in each other that a value may have.
const DEPTH: usize = 64;

/// The same of one that lies within others, of which so many levels are left.
fn value_within(given: &Bound<'_, PyAny>, levels: usize) -> PyResult<String> {
    let Some(levels) = levels.checked_sub(1) else {
        let message = format!("values of a model go {DEPTH} levels deep at most: does one contain itself?");
        return Err(PyValueError::new_err(message));
    };
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(quoted(text.to_str()?));
    }
    if let Ok(truth) = given.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if given.is_instance_of::<PyInt>() {
        return Ok(given.str()?.to_string());
    }
    if given.is_instance_of::<PyFloat>() {
        return Ok(float(given.extract()?));
    }
    if let Ok(table) = given.cast::<PyDict>() {
        let entries = table
            .iter()
            .map(|(key, entry)| Ok(format!("{} = {}", word(&key)?, value_within(&entry, levels)?)));
        return Ok(format!("{{ {} }}", entries.collect::<PyResult<Vec<_>>>()?.join(", ")));
    }
    // Arrays and numbers of NumPy, and whatever is like them.
    if given.hasattr("tolist")? {
        return value_within(&given.call_method0("tolist")?, levels);
    }
    let kind = given.get_type().name()?;
    let Ok(items) = given.try_iter() else {
        let message = format!(
            "a model has no values of type {kind}: give a number, a string, a bool, a list or a dict"
        );
        return Err(PyTypeError::new_err(message));
    };
    let items = items.map(|item| value_within(&item?, levels)).collect::<PyResult<Vec<_>>>()?;
    Ok(format!("[{}]", items.join(", ")))
}

/// A dictionary as a document of TOML: its dictionaries are tables, down to those that hold values alone at the third level.
#[pyfunction]
pub(crate) fn document(root: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut text = String::new();
    tables(root, &mut Vec::new(), &mut text)?;
    Ok(text)
}

/// Levels of tables that get a head of their own; deeper ones are inline.
const HEADS: usize = 2;

fn tables(table: &Bound<'_, PyDict>, path: &mut Vec<String>, text: &mut String) -> PyResult<()> {
    let is_table = |entry: &Bound<'_, PyAny>| path.len() < HEADS && entry.is_instance_of::<PyDict>();
    let (inner, values): (Vec<_>, Vec<_>) = table.iter().partition(|(_, entry)| is_table(entry));
    if !path.is_empty() && (!values.is_empty() || inner.is_empty()) {
        text.push_str(&format!("\n[{}]\n", path.join(".")));
    }
    for (key, entry) in values {
        text.push_str(&format!("{} = {}\n", word(&key)?, value(&entry)?));
    }
    for (key, entry) in inner {
        path.push(word(&key)?);
        tables(entry.cast::<PyDict>()?, path, text)?;
        path.pop();
    }
    Ok(())
}

/// A key, in quotes where it has to be.
fn word(key: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(key) = key.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!(
            "keys of a model are strings, not {}",
            key.get_type().name()?
        )));
    };
    let key = key.to_str()?;
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    Ok(if is_bare { key.to_owned() } else { quoted(key) })
}

fn float(number: f64) -> String {
    match number {
        x if x.is_nan() => "nan".to_owned(),
        x if x.is_infinite() => if x > 0.0 { "inf" } else { "-inf" }.to_owned(),
        x => format!("{x:?}"),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
