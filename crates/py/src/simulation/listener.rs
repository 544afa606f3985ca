//! Who is told of events.

use carom::{EventKind, EventRow, Study};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::unknown;

/// A function that is called with events.
pub(super) struct Listener {
    /// Kind of the event, such as `contact_begin`; none: all.
    kind: Option<String>,
    /// Pair or contact line; none: all.
    pair: Option<String>,
    pub(super) function: Py<PyAny>,
}

impl Listener {
    /// Of events that there can be.
    pub(super) fn new(
        function: &Bound<'_, PyAny>,
        kind: Option<String>,
        pair: Option<String>,
        study: &Study,
    ) -> PyResult<Self> {
        let py = function.py();
        must_be_callable(function)?;
        let kinds = EventKind::ALL.map(EventKind::name);
        if let Some(kind) = kind.as_deref().filter(|kind| !kinds.contains(kind)) {
            return Err(unknown(py, "kind of event", kind, &kinds.map(str::to_owned)));
        }
        let info = study.system().info();
        // Pairs of wide lines come up while a run goes on.
        let is_known = |name: &str| {
            info.pairs.iter().any(|pair| is_of(&pair.name, name))
                || info.wide_lines.iter().any(|line| is_of(name, &line.name))
        };
        if let Some(pair) = pair.as_deref().filter(|pair| !is_known(pair)) {
            let known: Vec<String> = info
                .pairs
                .iter()
                .map(|pair| &pair.name)
                .chain(info.wide_lines.iter().map(|line| &line.name))
                .cloned()
                .collect();
            return Err(unknown(py, "contact line or pair", pair, &known));
        }
        Ok(Self { kind, pair, function: function.clone().unbind() })
    }

    /// Its function, if an event is one of those that it is told of.
    pub(super) fn hears(&self, py: Python<'_>, event: &EventRow) -> Option<Py<PyAny>> {
        let is_meant = self.kind.as_ref().is_none_or(|kind| *kind == event.kind)
            && self.pair.as_ref().is_none_or(|pair| is_of(&event.pair, pair));
        is_meant.then(|| self.function.clone_ref(py))
    }
}

/// Refuses what cannot be called.
pub(super) fn must_be_callable(function: &Bound<'_, PyAny>) -> PyResult<()> {
    if function.is_callable() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{} is no function", function.repr()?)))
}

/// Is a pair of this name, or of the contact line of this name?
fn is_of(pair: &str, name: &str) -> bool {
    pair.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// What listeners are given.
pub(super) fn event_of<'py>(py: Python<'py>, event: &EventRow) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("time", event.time)?;
    fields.set_item("kind", &event.kind)?;
    fields.set_item("pair", &event.pair)?;
    fields.set_item("feature", &event.feature)?;
    fields.set_item("gap", event.gap)?;
    fields.set_item("position", PyTuple::new(py, event.position)?)?;
    fields.set_item("approach_speed", event.approach_speed)?;
    fields.set_item("impulse_normal", event.impulse_normal)?;
    fields.set_item("max_penetration", event.max_penetration)?;
    fields.set_item("max_force", event.max_force)?;
    fields.set_item("max_pressure", event.max_pressure)?;
    py.import("carom._event")?.getattr("Event")?.call((), Some(&fields))
}
