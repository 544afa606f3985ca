//! Bodies and joints of a simulation by their names.

use pyo3::prelude::*;
use pyo3::types::PyList;

use super::Simulation;
use crate::bodies::{Body, Joint};
use crate::error::raise;

/// Bodies of a simulation, as they are when they are asked for.
#[pyclass(frozen, mapping, module = "carom")]
pub(crate) struct Bodies(pub(super) Py<Simulation>);

/// Joints of a simulation, as they are when they are asked for.
#[pyclass(frozen, mapping, module = "carom")]
pub(crate) struct Joints(pub(super) Py<Simulation>);

#[pymethods]
impl Bodies {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Body> {
        let mut run = self.0.get().open(py)?;
        let now = run.now().map_err(|error| raise(py, error))?;
        Ok(Body::new(name, *now.body(name).map_err(|error| raise(py, error))?))
    }

    fn __len__(&self) -> usize {
        self.keys().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.keys().iter().any(|known| known == name)
    }

    /// Their paths, in the order of the model.
    fn keys(&self) -> Vec<String> {
        self.0.get().study.system().info().bodies.clone()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.try_iter()?.into_any())
    }
}

#[pymethods]
impl Joints {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Joint> {
        let mut run = self.0.get().open(py)?;
        let now = run.now().map_err(|error| raise(py, error))?;
        let sample = *now.joint(name).map_err(|error| raise(py, error))?;
        let kind = now.scene.joints.iter().find(|joint| joint.name == name).map(|joint| joint.kind);
        Ok(Joint::new(name, kind.map_or([0, 0], |kind| [kind.coordinates(), kind.freedoms()]), sample))
    }

    fn __len__(&self) -> usize {
        self.keys().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.keys().iter().any(|known| known == name)
    }

    /// Their names, in the order of the model.
    fn keys(&self) -> Vec<String> {
        self.0.get().study.system().info().joints.iter().map(|(name, _)| name.clone()).collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.try_iter()?.into_any())
    }
}
