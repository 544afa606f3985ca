//! Arguments that Python gives in several forms.

use std::path::Path;

use carom_io::import::is_robot_file;
use carom_io::parse_time;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySequence, PyString};
use serde_json::Value;

/// A time in s: a number, or a quantity such as `"5 ms"`.
pub(crate) fn time(given: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Ok(text) = given.cast::<PyString>() {
        return parse_time(text.to_str()?).map_err(PyValueError::new_err);
    }
    given.extract().map_err(|_| {
        let kind = given.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a time is a number in s or a string such as \"5 ms\", not {kind}"))
    })
}

/// Numbers: an array of float64, or any sequence.
pub(crate) fn floats(given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(buffer) = PyBuffer::<f64>::get(given) {
        if buffer.dimensions() > 1 {
            let shape = buffer.shape().iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ");
            return Err(PyValueError::new_err(format!(
                "one row of numbers is expected, and {shape} are given"
            )));
        }
        return buffer.to_vec(given.py());
    }
    given.extract::<Vec<f64>>().map_err(|_| {
        let kind = given.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a sequence of numbers is expected, not {kind}"))
    })
}

/// A JSON value as Python's.
pub(crate) fn json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// A dictionary of strings and values, in its order.
pub(crate) fn entries<'py>(given: Option<&Bound<'py, PyDict>>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    given.iter().map(|(key, entry)| Ok((key.extract()?, entry))).collect()
}

/// Choices for a robot file as words of the command line: `True` sets a switch, and a list says an option several times.
pub(crate) fn robot_words(path: &Path, robot: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let mut words = Vec::new();
    for (name, value) in entries(robot)? {
        let option = format!("--{}", name.replace('_', "-"));
        if let Ok(is_on) = value.extract::<bool>() {
            // A switch that is off has a name that must be right, too.
            carom_cli::robot_options(std::slice::from_ref(&option)).map_err(PyValueError::new_err)?;
            words.extend(is_on.then_some(option));
            continue;
        }
        let is_sequence = !value.is_instance_of::<PyString>() && value.cast::<PySequence>().is_ok();
        let items = if is_sequence { value.try_iter()?.collect::<PyResult<_>>()? } else { vec![value] };
        for item in items {
            words.push(format!("{option}={}", item.str()?));
        }
    }
    if robot.is_some_and(|robot| !robot.is_empty()) && !is_robot_file(path) {
        let message = format!("{} is no robot file: it has no choices of an import", path.display());
        return Err(PyValueError::new_err(message));
    }
    carom_cli::robot_options(&words).map_err(PyValueError::new_err)?;
    Ok(words)
}
