//! Errors as the exceptions of the package (`carom/_errors.py`), with their codes, places and culprits.

use carom::Error;
use carom_engine::RunError;
use carom_io::{Diagnostic, Report, Style};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception of the package. `fields` become its attributes.
pub(crate) fn exception(py: Python<'_>, class: &str, message: &str, fields: &Bound<'_, PyDict>) -> PyErr {
    let made = py
        .import("carom._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((message,), Some(fields)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The same without attributes.
pub(crate) fn plain(py: Python<'_>, class: &str, message: &str) -> PyErr {
    exception(py, class, message, &PyDict::new(py))
}

/// A name that is not there, and those that are.
pub(crate) fn unknown(py: Python<'_>, what: &str, name: &str, known: &[String]) -> PyErr {
    const SHOWN: usize = 20;
    let list = known.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = if known.len() > SHOWN { format!(" and {} more", known.len() - SHOWN) } else { String::new() };
    let there =
        if known.is_empty() { "there are none".to_owned() } else { format!("there are: {list}{more}") };
    plain(py, "UnknownNameError", &format!("there is no {what} \"{name}\"; {there}"))
}

/// An error of the library as an exception.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    try_raise(py, error).unwrap_or_else(|error| error)
}

fn try_raise(py: Python<'_>, error: Error) -> PyResult<PyErr> {
    let message = error.to_string();
    let fields = PyDict::new(py);
    fields.set_item("code", error.code())?;
    let class = match &error {
        Error::Model(report) => {
            fields.set_item("diagnostics", diagnostics(py, report)?)?;
            "ModelError"
        }
        Error::Run(error) => return of_run(py, error),
        Error::Results(error) => {
            fields.set_item("help", error.help())?;
            "ResultError"
        }
        Error::Recording(_) | Error::OtherRecording { .. } => "ResultError",
        Error::Snapshot(_) => "SnapshotError",
        Error::State(_) | Error::Time(_) | Error::Control { .. } => "ControlError",
        Error::Unknown { .. } => "UnknownNameError",
    };
    Ok(exception(py, class, &message, &fields))
}

/// A run that could not go on.
pub(crate) fn of_run(py: Python<'_>, error: &RunError) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    fields.set_item("code", error.code)?;
    fields.set_item("time", error.time)?;
    fields.set_item("body", &error.body)?;
    fields.set_item("pair", &error.pair)?;
    fields.set_item("help", &error.help)?;
    Ok(exception(py, "RunError", &error.to_string(), &fields))
}

/// What a model file is told, as `carom.Diagnostic`s.
pub(crate) fn diagnostics<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyList>> {
    let all = report.diagnostics.iter().map(|found| diagnostic(py, found)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, all)
}

fn diagnostic<'py>(py: Python<'py>, found: &Diagnostic) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    let problem = &found.problem;
    fields.set_item("code", problem.code)?;
    fields.set_item("is_error", problem.code.starts_with('E'))?;
    fields.set_item("message", &problem.message)?;
    fields.set_item("path", &problem.path)?;
    fields.set_item("expected", &problem.expected)?;
    fields.set_item("help", &problem.help)?;
    let place = found.location.as_ref();
    fields.set_item("file", place.map(|place| place.file.to_string()))?;
    fields.set_item("line", place.map(|place| place.line))?;
    fields.set_item("column", place.map(|place| place.column))?;
    fields.set_item("text", carom_io::render(found, Style::Plain))?;
    py.import("carom._errors")?.getattr("Diagnostic")?.call((), Some(&fields))
}
