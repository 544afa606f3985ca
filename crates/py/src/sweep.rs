//! What a study needs of the library where Python has its runs made.

use std::path::PathBuf;

use carom_io::study::read_study;
use carom_sweep::{Ledger as Rows, OTHER_STUDY, Plan, Reports, Row, Shard, make_run, read_rows};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::busy::Owned;
use crate::error::{exception, raise};
use crate::table::Table;

/// The folder of a study, with the rows of its runs.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Ledger {
    plan: Plan,
    rows: Owned<Rows>,
}

#[pymethods]
impl Ledger {
    #[new]
    fn new(py: Python<'_>, study: PathBuf, out: PathBuf) -> PyResult<Self> {
        let read = read_study(&study).map_err(|report| raise(py, carom::Error::Model(report)))?;
        let plan = Plan::new(read);
        let examined = plan.examine().map_err(|error| raise(py, error))?;
        let rows = Rows::open(&plan, &examined, &out, Shard::WHOLE).map_err(PyOSError::new_err)?;
        let Some(rows) = rows else {
            let fields = PyDict::new(py);
            fields.set_item("code", OTHER_STUDY)?;
            let message = format!("{OTHER_STUDY}: \"{}\" holds another study", out.display());
            return Err(exception(py, "ResultError", &message, &fields));
        };
        Ok(Self { plan, rows: Owned::new("study", rows) })
    }

    /// Numbers of the runs that have no row yet.
    #[getter]
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let rows = self.rows.lock(py)?;
        Ok(self.plan.cases.iter().map(|case| case.number).filter(|number| !rows.has(*number)).collect())
    }

    /// Keeps a row that a run has given.
    fn keep(&self, py: Python<'_>, row: &str) -> PyResult<()> {
        let row: Row = serde_json::from_str(row).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.rows.lock(py)?.keep(&row).map_err(PyOSError::new_err)
    }

    /// Keeps a failed row of a run that has killed its worker so many times.
    fn give_up(&self, py: Python<'_>, number: usize, times: usize) -> PyResult<()> {
        let case = &self.plan.cases[number - 1];
        self.rows.lock(py)?.keep(&Row::killer(case, &self.plan, times)).map_err(PyOSError::new_err)
    }

    /// Lets others have the folder.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.rows.take(py).map(drop)
    }

    /// Writes the table of all rows and gives its path.
    fn write_table(&self, py: Python<'_>) -> PyResult<PathBuf> {
        self.rows.lock(py)?.write_table(&self.plan).map_err(PyOSError::new_err)
    }
}

/// The table of a study by its folder: a row a run that is there, with keys, results, end, cost and folder, as in ``study.parquet``.
#[pyfunction]
pub(crate) fn open_study(py: Python<'_>, folder: PathBuf) -> PyResult<Table> {
    let columns = read_rows(&folder).map_err(|error| raise(py, error))?;
    Ok(Table::new("study", columns, Vec::new()))
}

/// Makes a run of a study in the folder of the study, unless it is there; gives its row.
#[pyfunction]
#[pyo3(signature = (study, number, out, reports=true))]
pub(crate) fn make_study_run(
    py: Python<'_>,
    study: PathBuf,
    number: usize,
    out: PathBuf,
    reports: bool,
) -> PyResult<String> {
    let plan = Plan::of(&study, &out).map_err(|report| raise(py, carom::Error::Model(report)))?;
    let Some(case) = number.checked_sub(1).and_then(|index| plan.cases.get(index)) else {
        return Err(PyValueError::new_err(format!("the study has no run {number}")));
    };
    let reports = if reports { Reports::Written } else { Reports::LeftOut };
    let row = py.detach(|| make_run(&plan, case, &out, reports));
    serde_json::to_string(&row).map_err(|error| PyValueError::new_err(error.to_string()))
}
