//! What a run has left: quantities by name, tables, events, pictures, pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::{EndReason, Run, RunData, Study};
use carom_report::view::{Limits, pack, page};
use carom_report::{plot_data, svg};
use carom_results::tables::{Table as Name, with_unit};
use carom_results::{PatchRequest, PatchTime, Shapes, summary};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::array::{copy, view};
use crate::busy::{Open, Owned};
use crate::convert::json;
use crate::error::{of_run, plain, raise, unknown};
use crate::table::Table;

/// Bytes of a page that is written where no other size is asked for.
const PAGE_BYTES: usize = 7_000_000;

/// A run that has ended, in memory or in its folder. ``result["ball.z"]`` is a quantity over the output times, ``result.states`` a table.
///
/// >>> import carom
/// >>> result = carom.simulate(carom.example("bouncing-ball"))
/// >>> result.end
/// 'finished'
/// >>> float(result["ball.z"].max())
/// 1.05
#[pyclass(frozen, module = "carom")]
pub(crate) struct Result {
    data: Owned<RunData>,
    dir: Option<PathBuf>,
    /// How it ended, where that is known by the run itself.
    outcome: Option<EndReason>,
    study: Option<Study>,
}

/// A quantity over time.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Series {
    /// Name without unit.
    name: String,
    /// Unit; empty for pure numbers.
    unit: String,
    /// What it says.
    meaning: String,
    /// Times (s).
    time: Py<PyAny>,
    /// Values at those times.
    values: Py<PyAny>,
}

#[pymethods]
impl Series {
    fn __repr__(&self) -> String {
        format!("<carom.Series {} ({})>", self.name, self.unit)
    }
}

impl Result {
    pub(crate) fn of_run(run: Run, study: Study) -> Self {
        let mut data = run.data;
        data.give_verdicts(run.verdicts);
        Self {
            data: Owned::new("result", data),
            dir: None,
            outcome: Some(run.outcome.end),
            study: Some(study),
        }
    }

    pub(crate) fn opened(py: Python<'_>, dir: &Path) -> PyResult<Self> {
        let data = RunData::open(dir).map_err(|error| raise(py, error.into()))?;
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        Ok(Self { data: Owned::new("result", data), dir: Some(dir), outcome: None, study: None })
    }

    fn get(&self, py: Python<'_>, name: &str) -> PyResult<carom_results::Series> {
        self.data.lock(py)?.series(name).map_err(|error| raise(py, error.into()))
    }

    /// The run, with the shapes of its bodies if it is in memory.
    fn with_shapes(&self, py: Python<'_>) -> PyResult<Open<'_, RunData>> {
        let mut data = self.data.lock(py)?;
        if let Some(study) = &self.study {
            data.give_shapes(Shapes::of(&study.loaded().model, study.system().info()));
        }
        Ok(data)
    }

    fn page(&self, py: Python<'_>, bytes: usize) -> PyResult<String> {
        let data = self.with_shapes(py)?;
        let packed = pack(&data, &Limits::of_file(bytes));
        let packed = packed.map_err(|error| raise(py, error.into()))?;
        let none = "this package was built without the viewer's page";
        page(&packed.bytes, None).ok_or_else(|| plain(py, "ResultError", none))
    }
}

/// The run in a folder, as ``carom run`` and ``carom.simulate(..., out=...)`` leave it.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Result> {
    Result::opened(py, &folder)
}

#[pymethods]
impl Result {
    /// A quantity over time by its name, with or without unit: a read-only array.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let series = self.get(py, name)?;
        let length = series.values.len();
        view(py, series.values, vec![length])
    }

    /// A quantity with its times, unit and meaning.
    fn series(&self, py: Python<'_>, name: &str) -> PyResult<Series> {
        let series = self.get(py, name)?;
        let length = series.values.len();
        Ok(Series {
            name: series.name,
            unit: series.unit.to_owned(),
            meaning: series.meaning.to_owned(),
            time: view(py, series.time, vec![length])?.unbind(),
            values: view(py, series.values, vec![length])?.unbind(),
        })
    }

    /// Output times (s).
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let times = self.data.lock(py)?.times().map_err(|error| raise(py, error.into()))?.to_vec();
        let length = times.len();
        view(py, times, vec![length])
    }

    /// Names of all quantities that ``series`` has values of, their units last.
    fn quantities(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.data.lock(py)?.quantities().iter().map(|q| with_unit(&q.name, q.unit)).collect())
    }

    /// A table by its name; the tables are attributes too: ``result.events``.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        let Some(table) = Name::ALL.into_iter().find(|table| table.name() == name) else {
            return Err(unknown(py, "table", name, &Name::ALL.map(|table| table.name().to_owned())));
        };
        let data = self.data.lock(py)?;
        let columns = data.shared_table(table).map_err(|error| raise(py, error.into()))?;
        Ok(Table::new(name, Arc::clone(columns), data.manifest().about()))
    }

    /// Bodies, joints, forces and constraints by output time.
    #[getter]
    fn states(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "states")
    }

    /// Contacts that are not open, by output time.
    #[getter]
    fn contacts(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "contacts")
    }

    /// The event log.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "events")
    }

    /// Contacts from begin to end, with their peaks.
    #[getter]
    fn episodes(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "episodes")
    }

    /// Energy accounts by output time.
    #[getter]
    fn energy(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "energy")
    }

    /// Accepted steps, if the model asks for them.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "steps")
    }

    /// A patch of areal contact, element by element: at a recorded ``time``, ``"peak"``, or ``"last"``; of several the one with the
    /// largest force, or that of a number.
    #[pyo3(signature = (pair, time=None, *, number=None))]
    fn patch<'py>(
        &self,
        py: Python<'py>,
        pair: &str,
        time: Option<&Bound<'py, PyAny>>,
        number: Option<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let time = match time.map(|time| time.extract::<String>()) {
            None => PatchTime::Last,
            Some(Ok(word)) if word == "last" => PatchTime::Last,
            Some(Ok(word)) if word == "peak" => PatchTime::Peak,
            Some(_) => PatchTime::At(time.map_or(Ok(0.0), crate::convert::time)?),
        };
        let request = PatchRequest { pair: pair.to_owned(), patch: number, time };
        let patch = self.data.lock(py)?.patch(&request).map_err(|error| raise(py, error.into()))?;
        let elements = patch.elements.len();
        let of = |value: fn(&carom_results::PatchElement) -> Vec<f64>, shape: &[usize]| {
            let shape = [&[elements], shape].concat();
            copy(py, &patch.elements.iter().flat_map(value).collect::<Vec<_>>(), shape)
        };
        let fields = PyDict::new(py);
        fields.set_item("time", patch.time)?;
        fields.set_item("number", patch.patch)?;
        fields.set_item("area", patch.area)?;
        fields.set_item("position", copy(py, &patch.position, vec![3])?)?;
        fields.set_item("force", copy(py, &patch.force, vec![3])?)?;
        fields.set_item("torque", copy(py, &patch.torque, vec![3])?)?;
        fields.set_item("corners", of(|e| e.corners.concat(), &[3, 3])?)?;
        fields.set_item("areas", of(|e| vec![e.area], &[])?)?;
        fields.set_item("positions", of(|e| e.position.to_vec(), &[3])?)?;
        fields.set_item("penetration", of(|e| vec![e.penetration], &[])?)?;
        fields.set_item("pressure", of(|e| vec![e.pressure], &[])?)?;
        fields.set_item("normals", of(|e| e.normal.to_vec(), &[3])?)?;
        fields.set_item("shear", of(|e| e.shear.to_vec(), &[3])?)?;
        Ok(fields)
    }

    /// How it ended: ``finished``, ``interrupted``, ``failed``, ``killed`` or ``running``.
    #[getter]
    fn end(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.data.lock(py)?.manifest().end.reason.clone())
    }

    /// Time that it reached (s).
    #[getter]
    fn end_time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.data.lock(py)?.manifest().end.time_s)
    }

    /// Why it could not go on, as the exception that a step would have raised; else ``None``.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(EndReason::Failed(error)) = &self.outcome {
            return Ok(Some(of_run(py, error)?.into_value(py).into_bound(py).into_any()));
        }
        let data = self.data.lock(py)?;
        let Some(problem) = &data.manifest().end.problem else { return Ok(None) };
        let fields = PyDict::new(py);
        fields.set_item("code", &problem.code)?;
        fields.set_item("time", data.manifest().end.time_s)?;
        let error = crate::error::exception(py, "RunError", &problem.message, &fields);
        Ok(Some(error.into_value(py).into_bound(py).into_any()))
    }

    /// The expectations of the model: dictionaries of quantity, wanted, measured, unit, passed.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let data = self.data.lock(py)?;
        let to_dict = |verdict: &carom_results::manifest::Verdict| {
            let fields = PyDict::new(py);
            fields.set_item("quantity", &verdict.quantity)?;
            fields.set_item("wanted", &verdict.wanted)?;
            fields.set_item("measured", verdict.measured)?;
            fields.set_item("unit", &verdict.unit)?;
            fields.set_item("passed", verdict.passed)?;
            Ok(fields)
        };
        data.manifest().expectations.iter().map(to_dict).collect()
    }

    /// What the run amounts to, as ``carom info`` says it.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        summary(&*self.data.lock(py)?).map_err(|error| raise(py, error.into()))
    }

    /// Where it comes from, how it ended and what it cost: the contents of ``run.json``.
    #[getter]
    fn manifest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = serde_json::to_value(self.data.lock(py)?.manifest());
        let value = value.map_err(|error| plain(py, "ResultError", &error.to_string()))?;
        json(py, &value)
    }

    /// The run folder; ``None`` of a run in memory.
    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        self.dir.clone()
    }

    /// A chart of quantities over time, as SVG that a notebook shows. ``log``: logarithmic vertical axes.
    #[pyo3(signature = (*names, log=false))]
    fn plot<'py>(&self, py: Python<'py>, names: Vec<String>, log: bool) -> PyResult<Bound<'py, PyAny>> {
        let data = self.data.lock(py)?;
        let chart = plot_data(&[&*data], &[""], &names, log).map_err(|error| raise(py, error.into()))?;
        py.import("carom._show")?.getattr("Chart")?.call1((svg::standalone(&chart),))
    }

    /// Writes the viewer's page with the run inside; one file that needs nothing else. A file that is there is replaced only if
    /// asked to.
    #[pyo3(signature = (path, *, replace=false))]
    fn to_html(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<PathBuf> {
        let html = self.page(py, PAGE_BYTES)?;
        let written = carom_results::write_result(&path, html.as_bytes(), replace);
        written.map_err(|error| raise(py, error.into()))?;
        Ok(path)
    }

    /// The viewer with this run, for a notebook.
    #[pyo3(signature = (*, height=520))]
    fn view<'py>(&self, py: Python<'py>, height: u32) -> PyResult<Bound<'py, PyAny>> {
        let html = self.page(py, PAGE_BYTES)?;
        py.import("carom._show")?.getattr("View")?.call1((html, height))
    }

    /// Gives up what the result holds; arrays and tables that were taken from it stay.
    fn close(&self, py: Python<'_>) {
        let _ = self.data.take(py);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }

    /// One in a folder goes as its path, one in memory with all that it has.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (py, this) = (slf.py(), slf.get());
        if let Some(dir) = &this.dir {
            return Ok((py.import("carom")?.getattr("open")?, (dir.into_pyobject(py)?.into_any(),)));
        }
        let bytes = this.with_shapes(py)?.to_bytes().map_err(|error| raise(py, error.into()))?;
        Ok((slf.get_type().getattr("_unpickle")?, (PyBytes::new(py, &bytes).into_any(),)))
    }

    #[staticmethod]
    fn _unpickle(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let data = RunData::from_bytes(bytes).map_err(|error| raise(py, error.into()))?;
        Ok(Self { data: Owned::new("result", data), dir: None, outcome: None, study: None })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.data.lock(py) {
            Ok(data) => {
                let m = data.manifest();
                format!("<carom.Result of {}: {} at {} s>", m.name, m.end.reason, m.end.time_s)
            }
            Err(_) => "<carom.Result>".to_owned(),
        }
    }
}
