//! A place in a model, by attributes and names: `model.contact["drop"].method = "region"`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::model::Model;

/// A table of a model, whose keys are set as attributes or items.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Section {
    model: Py<Model>,
    path: String,
}

impl Section {
    pub(crate) fn new(model: Py<Model>, path: String) -> Self {
        Self { model, path }
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn deeper(&self, py: Python<'_>, key: &str) -> Self {
        Self::new(self.model.clone_ref(py), self.at(key))
    }
}

#[pymethods]
impl Section {
    fn __getattr__(&self, py: Python<'_>, key: &str) -> PyResult<Self> {
        if key.starts_with('_') {
            return Err(pyo3::exceptions::PyAttributeError::new_err(key.to_owned()));
        }
        Ok(self.deeper(py, key))
    }

    fn __getitem__(&self, py: Python<'_>, key: &str) -> Self {
        self.deeper(py, key)
    }

    fn __setattr__(&self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.model.get().set_key(&self.at(key), value)
    }

    fn __setitem__(&self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.model.get().set_key(&self.at(key), value)
    }

    /// With its value as it was understood, unless it is a table, or the model has mistakes.
    fn __repr__(&self, py: Python<'_>) -> String {
        let value = self.model.get().__getitem__(py, &self.path).ok();
        let value = value.filter(|value| !value.is_instance_of::<PyDict>());
        let shown = value.and_then(|value| Some(format!(" = {}", value.repr().ok()?)));
        format!("<carom.Section {}{}>", self.path, shown.unwrap_or_default())
    }
}
