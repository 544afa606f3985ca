//! Arguments that Python gives in several forms.

use carom_io::parse_time;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
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
