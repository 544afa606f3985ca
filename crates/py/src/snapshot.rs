//! A run at one time, to be gone on from and to be pickled.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::raise;

/// A run at one time: ``simulation.restore(snapshot)`` goes on from there with the same bits, in any simulation of the same model.
/// Functions that forces follow are not in it.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Snapshot {
    pub(crate) inner: carom::Snapshot,
    #[pyo3(get)]
    /// Time (s).
    time: f64,
}

/// Bytes and time.
type Pickled<'py> = (Bound<'py, PyBytes>, f64);

impl Snapshot {
    pub(crate) fn new(inner: carom::Snapshot, time: f64) -> Self {
        Self { inner, time }
    }
}

#[pymethods]
impl Snapshot {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let bytes = PyBytes::new(slf.py(), &slf.get().inner.to_bytes());
        Ok((slf.get_type().getattr("_unpickle")?, (bytes, slf.get().time)))
    }

    #[staticmethod]
    fn _unpickle(py: Python<'_>, bytes: &[u8], time: f64) -> PyResult<Self> {
        let inner = carom::Snapshot::from_bytes(bytes).map_err(|error| raise(py, error))?;
        Ok(Self { inner, time })
    }

    fn __repr__(&self) -> String {
        format!("<carom.Snapshot at {} s>", self.time)
    }
}
