//! A table of a run: columns for NumPy, the whole for Arrow.

use std::ffi::CStr;
use std::sync::Arc;

use carom_results::arrow_stream;
use carom_results::tables::Columns;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use crate::array;
use crate::error::unknown;

/// Name of the capsule by Arrow's PyCapsule interface.
const STREAM: &CStr = c"arrow_array_stream";

/// Rows of a run in columns. Columns are read by name, with or without the unit: ``table["time"]``. Numbers are NumPy arrays that
/// look at the table itself and cannot be written to. Whatever reads Arrow takes the whole table without a copy:
/// ``pandas.DataFrame.from_arrow(table)``, ``polars.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Table {
    name: String,
    columns: Arc<Columns>,
    about: Vec<(String, String)>,
}

impl Table {
    pub(crate) fn new(name: &str, columns: Arc<Columns>, about: Vec<(String, String)>) -> Self {
        Self { name: name.to_owned(), columns, about }
    }
}

#[pymethods]
impl Table {
    /// Name of the table, such as ``states``.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Names of the columns, their units last: ``time_s``.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.columns.columns().iter().map(|column| column.name()).collect()
    }

    /// Names of the columns with what they mean.
    #[getter]
    fn meanings(&self) -> Vec<(String, &'static str)> {
        self.columns.columns().iter().map(|column| (column.name(), column.meaning)).collect()
    }

    fn __len__(&self) -> usize {
        self.columns.rows()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.columns.find(name).is_some()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.columns.find(name) {
            Some(index) => array::column(py, &self.columns, index),
            None => Err(unknown(py, &format!("column of {}", self.name), name, &self.columns())),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.columns())?.try_iter()?.into_any())
    }

    /// The table by Arrow's PyCapsule interface, as one batch. Another schema than its own is not offered.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the interface, what cannot be done with the request is done without it.
        drop(requested_schema);
        let stream = arrow_stream(&self.columns, &self.about).map_err(PyValueError::new_err)?;
        PyCapsule::new_with_value(py, stream, STREAM)
    }

    /// The table as a ``pyarrow.Table``; needs pyarrow.
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (&slf,))
    }

    /// The table as a ``pandas.DataFrame``; needs pandas and pyarrow.
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_arrow(slf)?.call_method0("to_pandas")
    }

    /// The table as a ``polars.DataFrame``; needs polars.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (&slf,))
    }

    /// The table as an ``xarray.Dataset``, a variable a column with its unit and meaning; rows go along ``time`` where no time comes
    /// twice, else along ``row``. Numbers are not copied. Needs xarray.
    fn to_xarray<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._show")?.getattr("dataset")?.call1((&slf,))
    }

    /// Units of the columns by their names; empty of pure numbers and words.
    #[getter]
    fn units(&self) -> Vec<(String, &'static str)> {
        self.columns.columns().iter().map(|column| (column.name(), column.unit)).collect()
    }

    /// The first rows, for a notebook.
    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._show")?.getattr("table_html")?.call1((&slf,))
    }

    fn __repr__(&self) -> String {
        let names = self.columns();
        let few = names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if names.len() > 8 { ", …" } else { "" };
        format!("<carom.Table {}: {} rows of {few}{more}>", self.name, self.columns.rows())
    }
}
