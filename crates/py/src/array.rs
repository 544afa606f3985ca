//! Numbers for NumPy, where they are: by its array interface, which is an address and a shape.

use std::sync::Arc;

use carom_results::tables::{Columns, Values};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Memory that NumPy reads; it stays as long as an array looks at it.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Numbers {
    held: Held,
    shape: Vec<usize>,
}

enum Held {
    Own(Vec<f64>),
    Column { columns: Arc<Columns>, index: usize },
}

#[pymethods]
impl Numbers {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (kind, address) = match &self.held {
            Held::Own(values) => ("<f8", values.as_ptr() as usize),
            Held::Column { columns, index } => match columns.values(*index) {
                Values::Float(values) => ("<f8", values.as_ptr() as usize),
                Values::Count(values) => ("<u4", values.as_ptr() as usize),
                Values::Word { keys, .. } => ("<i4", keys.as_ptr() as usize),
                Values::Text(_) => ("<f8", 0),
            },
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", kind)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        // Read only.
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }
}

fn to_numpy<'py>(py: Python<'py>, function: &str, numbers: Numbers) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1(function, (numbers,))
}

/// A read-only array over numbers, without a copy.
pub(crate) fn view(py: Python<'_>, values: Vec<f64>, shape: Vec<usize>) -> PyResult<Bound<'_, PyAny>> {
    to_numpy(py, "asarray", Numbers { held: Held::Own(values), shape })
}

/// An array of its own, to be changed at will. NumPy makes it and is given the numbers: what small arrays cost is the look through an
/// array interface, which this spares.
pub(crate) fn copy<'py>(py: Python<'py>, values: &[f64], shape: Vec<usize>) -> PyResult<Bound<'py, PyAny>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = EMPTY.import(py, "numpy", "empty")?.call1((PyTuple::new(py, shape)?,))?;
    PyBuffer::<f64>::get(&array)?.copy_from_slice(py, values)?;
    Ok(array)
}

/// A column: numbers without a copy, words and texts as an array of `str`.
pub(crate) fn column<'py>(
    py: Python<'py>,
    columns: &Arc<Columns>,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers = || {
        let held = Held::Column { columns: columns.clone(), index };
        to_numpy(py, "asarray", Numbers { held, shape: vec![columns.rows()] })
    };
    let texts = |texts: &[String]| {
        let options = PyDict::new(py);
        options.set_item("dtype", "object")?;
        py.import("numpy")?.call_method("array", (PyList::new(py, texts)?,), Some(&options))
    };
    match columns.values(index) {
        Values::Float(_) | Values::Count(_) => numbers(),
        Values::Text(values) => texts(values),
        Values::Word { vocabulary, .. } => texts(vocabulary)?.call_method1("take", (numbers()?,)),
    }
}
