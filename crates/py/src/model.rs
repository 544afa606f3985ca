//! A model with changes to its keys, checked and compiled when it is first asked for.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use carom::{Error, Overrides, Study};
use carom_io::Report;
use carom_io::import::is_robot_file;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::convert::{entries, json};
use crate::error::{diagnostics, raise};
use crate::robot::RobotChoices;
use crate::section::Section;
use crate::toml;

/// A model: a file (TOML, URDF, SDF, MJCF) or a text, with changes to its keys.
///
/// Keys are those of the model file; values are numbers in SI units or strings with units, as there.
///
/// >>> import carom
/// >>> ball = carom.Model.from_text('''
/// ... format = 1
/// ... params = { e = 0.8 }
/// ... [world]
/// ... gravity = [0, 0, "-9.81 m/s^2"]
/// ... [law.rubber]
/// ... point = { normal = "exact", stiffness = "1e5 N/m^1.5", restitution = "e" }
/// ... mu = 0.3
/// ... [body.floor]
/// ... fixed = true
/// ... shape = { type = "half-space", normal = "+z" }
/// ... [body.ball]
/// ... mass = "1 kg"
/// ... pos = [0, 0, "1 m"]
/// ... shape = { type = "sphere", radius = "0.1 m" }
/// ... [contact]
/// ... drop = { a = "floor", b = "ball", method = "analytic", law = "rubber" }
/// ... [solver]
/// ... t_end = "1 s"
/// ... ''')
/// >>> ball.body["ball"].mass = "2 kg"
/// >>> ball.check().ok
/// True
#[pyclass(frozen, module = "carom")]
pub(crate) struct Model {
    state: Mutex<State>,
    /// Counts changes, so that a simulation knows of those behind its back.
    revision: Arc<AtomicU64>,
}

struct State {
    source: Source,
    overrides: Overrides,
    study: Option<Study>,
}

#[derive(Clone)]
enum Source {
    File { path: PathBuf, robot: RobotChoices },
    Text { name: String, text: String, folder: PathBuf },
}

/// What a model is pickled as: kind, name or path, text, folder, choices for a robot, and the changes.
type Pickled = (bool, String, String, PathBuf, Vec<String>, Vec<String>, Vec<String>, Option<String>);

impl Model {
    fn new(source: Source, overrides: Overrides) -> Self {
        Self {
            state: Mutex::new(State { source, overrides, study: None }),
            revision: Arc::new(AtomicU64::new(0)),
        }
    }

    /// A model that has no errors, or the exception with all of them.
    fn checked(py: Python<'_>, source: Source, overrides: Overrides) -> PyResult<Self> {
        let model = Self::new(source, overrides);
        model.study(py)?;
        Ok(model)
    }

    fn with_state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        // Nothing in here asks Python, so that this lock is never waited for.
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The compiled model.
    pub(crate) fn study(&self, py: Python<'_>) -> PyResult<Study> {
        self.load(py).map_err(|error| raise(py, error))
    }

    fn load(&self, py: Python<'_>) -> Result<Study, Error> {
        let revision = self.revision.load(Ordering::Relaxed);
        let (known, source, overrides) =
            self.with_state(|state| (state.study.clone(), state.source.clone(), state.overrides.clone()));
        if let Some(study) = known {
            return Ok(study);
        }
        let study = py.detach(|| match &source {
            Source::File { path, robot } if is_robot_file(path) => {
                Study::open_robot(path, &robot.options, &overrides)
            }
            Source::File { path, .. } => Study::open_with(path, &overrides),
            Source::Text { name, text, folder } => Study::parse(name, text, folder, &overrides),
        })?;
        self.with_state(|state| {
            if self.revision.load(Ordering::Relaxed) == revision {
                state.study = Some(study.clone());
            }
        });
        Ok(study)
    }

    /// Number of changes so far, and where it is counted.
    pub(crate) fn revision(&self) -> (u64, Arc<AtomicU64>) {
        (self.revision.load(Ordering::Relaxed), self.revision.clone())
    }

    fn change(&self, change: impl FnOnce(&mut Overrides)) {
        self.with_state(|state| {
            change(&mut state.overrides);
            state.study = None;
        });
        self.revision.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets a key by its path.
    pub(crate) fn set_key(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if path.is_empty() || path.contains('=') {
            return Err(PyValueError::new_err(format!(
                "\"{path}\" is not the path of a key, such as law.soft.mu"
            )));
        }
        let line = format!("{path}={}", toml::value(value)?);
        // The last of several counts; a study would otherwise grow without end.
        let same = format!("{path}=");
        self.change(|overrides| {
            overrides.set.retain(|known| !known.starts_with(&same));
            overrides.set.push(line);
        });
        Ok(())
    }
}

/// Changes that are given with a model.
fn overrides(
    params: Option<&Bound<'_, PyDict>>,
    set: Option<&Bound<'_, PyDict>>,
    method: Option<&Bound<'_, PyAny>>,
    t_end: Option<&Bound<'_, PyAny>>,
) -> PyResult<Overrides> {
    let mut overrides = Overrides::default();
    for (name, value) in entries(params)? {
        overrides.set.push(format!("params.{name}={}", toml::value(&value)?));
    }
    for (path, value) in entries(set)? {
        overrides.set.push(format!("{path}={}", toml::value(&value)?));
    }
    match method {
        None => {}
        Some(method) => match method.cast::<PyDict>() {
            Ok(lines) => {
                for (line, method) in entries(Some(lines))? {
                    overrides.method.push(format!("{line}={}", method.extract::<String>()?));
                }
            }
            Err(_) => overrides.method.push(method.extract()?),
        },
    }
    overrides.t_end = t_end.map(quantity).transpose()?;
    Ok(overrides)
}

/// A quantity as the command line has it.
fn quantity(given: &Bound<'_, PyAny>) -> PyResult<String> {
    match given.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Ok(format!("{:?} s", crate::convert::time(given)?)),
    }
}

/// A model as it is given to functions: itself, or the path of its file.
pub(crate) fn given<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Model>> {
    if let Ok(model) = given.cast::<Model>() {
        return Ok(model.clone());
    }
    let path: PathBuf = given.extract().map_err(|_| {
        let kind = given.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a carom.Model or the path of a model file is expected, not {kind}"))
    })?;
    let source = Source::File { path, robot: RobotChoices::by_words(Vec::new())? };
    Bound::new(given.py(), Model::checked(given.py(), source, Overrides::default())?)
}

/// A model with another relative tolerance. What is changed in the model itself counts as a change all the same.
pub(crate) fn with_tolerance<'py>(model: &Bound<'py, Model>, rtol: f64) -> PyResult<Bound<'py, Model>> {
    let py = model.py();
    let (source, mut all) = model.get().with_state(|state| (state.source.clone(), state.overrides.clone()));
    all.set.push(format!("solver.rtol={rtol:?}"));
    Bound::new(py, Model { revision: model.get().revision.clone(), ..Model::checked(py, source, all)? })
}

#[pymethods]
impl Model {
    /// A model file (TOML) or a robot file (URDF, SDF, MJCF). ``params`` are values of ``[params]``, ``set`` values of any keys by their
    /// paths, ``method`` a contact method or methods by contact line, ``t_end`` another end. ``robot`` are options of the command for
    /// robot files: ``{"base": "fixed", "no_floor": True, "package_path": ["ros"]}``. Raises ``ModelError`` with all that is wrong.
    #[staticmethod]
    #[pyo3(signature = (path, *, robot=None, params=None, set=None, method=None, t_end=None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        robot: Option<&Bound<'_, PyDict>>,
        params: Option<&Bound<'_, PyDict>>,
        set: Option<&Bound<'_, PyDict>>,
        method: Option<&Bound<'_, PyAny>>,
        t_end: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let robot = RobotChoices::of(&path, robot)?;
        Self::checked(py, Source::File { path, robot }, overrides(params, set, method, t_end)?)
    }

    /// A model from the text of a model file. Paths in it start at ``folder``; ``name`` stands for the file in messages.
    #[staticmethod]
    #[pyo3(signature = (text, *, name="model", folder=None, params=None, set=None, method=None, t_end=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn from_text(
        py: Python<'_>,
        text: String,
        name: &str,
        folder: Option<PathBuf>,
        params: Option<&Bound<'_, PyDict>>,
        set: Option<&Bound<'_, PyDict>>,
        method: Option<&Bound<'_, PyAny>>,
        t_end: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let folder = folder.unwrap_or_else(|| PathBuf::from("."));
        let source = Source::Text { name: name.to_owned(), text, folder };
        Self::checked(py, source, overrides(params, set, method, t_end)?)
    }

    /// A model from dictionaries with the tables and keys of a model file: ``{"body": {"ball": {"mass": "1 kg"}}}``. ``format = 1``
    /// need not be said.
    #[staticmethod]
    #[pyo3(signature = (tables, *, name="model", folder=None))]
    fn from_dict(
        py: Python<'_>,
        tables: &Bound<'_, PyDict>,
        name: &str,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let head = if tables.contains("format")? { "" } else { "format = 1\n" };
        let text = format!("{head}{}", toml::document(tables)?);
        Self::from_text(py, text, name, folder, None, None, None, None)
    }

    /// A model that comes with Carom, such as ``bouncing-ball``: those that ``carom new --list`` shows, but for those with meshes.
    #[staticmethod]
    fn example(py: Python<'_>, name: &str) -> PyResult<Self> {
        let mut all = carom_cli::TEMPLATES.iter().filter(|template| template.files.is_empty());
        let Some(template) = all.clone().find(|template| template.name == name) else {
            let known: Vec<String> = all.by_ref().map(|template| template.name.to_owned()).collect();
            return Err(crate::error::unknown(py, "example", name, &known));
        };
        let (name, text) = (format!("{name}.toml"), template.text.to_owned());
        Self::checked(py, Source::Text { name, text, folder: PathBuf::from(".") }, Overrides::default())
    }

    /// Another model, with changes beside those of this one.
    #[pyo3(signature = (*, params=None, set=None, method=None, t_end=None))]
    fn varied(
        &self,
        py: Python<'_>,
        params: Option<&Bound<'_, PyDict>>,
        set: Option<&Bound<'_, PyDict>>,
        method: Option<&Bound<'_, PyAny>>,
        t_end: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (source, mut all) = self.with_state(|state| (state.source.clone(), state.overrides.clone()));
        let more = overrides(params, set, method, t_end)?;
        all.set.extend(more.set);
        all.method.extend(more.method);
        all.t_end = more.t_end.or(all.t_end);
        Self::checked(py, source, all)
    }

    /// Runs to the end into a folder; see ``carom.simulate``.
    fn _record(&self, py: Python<'_>, folder: PathBuf, progress: bool) -> PyResult<crate::result::Result> {
        crate::record::record(py, &self.study(py)?, &folder, progress)
    }

    /// Looks for all mistakes, without raising.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = match self.load(py) {
            Ok(study) => Report { diagnostics: study.loaded().warnings.clone(), unreadable: false },
            Err(Error::Model(report)) => report,
            Err(error) => return Err(raise(py, error)),
        };
        py.import("carom._errors")?.getattr("Check")?.call1((diagnostics(py, &report)?,))
    }

    /// Sets a key by its path: ``model.set("law.soft.mu", 0.3)`` is ``model.law["soft"].mu = 0.3``. What is wrong with it is said by
    /// ``check``, or where the model is used next.
    fn set(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_key(path, value)
    }

    fn __setitem__(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_key(path, value)
    }

    /// The value of a key as it was understood, defaults included: plain numbers in SI units.
    pub(crate) fn __getitem__<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let whole = py.import("tomllib")?.call_method1("loads", (self.to_toml(py)?,))?;
        path.split('.').try_fold(whole, |place, key| {
            let table = place.cast::<PyDict>().ok();
            match table.map(|table| table.get_item(key)).transpose()?.flatten() {
                Some(value) => Ok(value),
                None => {
                    let known = table.map_or_else(|| Ok(Vec::new()), |table| table.keys().extract())?;
                    Err(crate::error::unknown(py, "key", path, &known))
                }
            }
        })
    }

    fn __getattr__(slf: Bound<'_, Self>, name: &str) -> PyResult<Section> {
        let is_key = carom_io::schema::section("").iter().any(|row| row.key == name);
        if !is_key {
            return Err(PyAttributeError::new_err(format!("a model has no attribute or table \"{name}\"")));
        }
        Ok(Section::new(slf.unbind(), name.to_owned()))
    }

    /// Name of the model.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.study(py)?.loaded().model.name.clone())
    }

    /// Hash of everything that can change a result.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.study(py)?.loaded().hash.clone())
    }

    /// End of a run (s).
    #[getter]
    fn t_end(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.study(py)?.loaded().model.solver.t_end)
    }

    /// The model as it was understood: everything expanded, plain numbers in SI units.
    #[getter]
    fn resolved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.study(py)?.loaded().resolved)
    }

    /// The same as a model file.
    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.study(py)?.loaded().to_toml())
    }

    /// Choices that were made, in sentences.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.study(py)?.loaded().notes.iter().map(|note| note.text()).collect())
    }

    /// Names of what a state has: ``ball.x``, ``elbow.angle``, ``elbow.angle_rate``.
    #[getter]
    fn state_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.study(py)?.system().state_names())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Pickled,))> {
        let (source, o) = slf.get().with_state(|state| (state.source.clone(), state.overrides.clone()));
        let (is_file, name, text, folder, robot) = match source {
            Source::File { path, robot } => (true, String::new(), String::new(), absolute(path), robot.words),
            Source::Text { name, text, folder } => (false, name, text, absolute(folder), Vec::new()),
        };
        let pickled = (is_file, name, text, folder, robot, o.set, o.method, o.t_end);
        Ok((slf.get_type().getattr("_unpickle")?, (pickled,)))
    }

    #[staticmethod]
    fn _unpickle(pickled: Pickled) -> PyResult<Self> {
        let (is_file, name, text, folder, robot, set, method, t_end) = pickled;
        let source = if is_file {
            Source::File { path: folder, robot: RobotChoices::by_words(robot)? }
        } else {
            Source::Text { name, text, folder }
        };
        Ok(Self::new(source, Overrides { set, method, t_end, ..Overrides::default() }))
    }

    fn __repr__(&self) -> String {
        let (source, set) = self.with_state(|state| (state.source.clone(), state.overrides.set.len()));
        let name = match source {
            Source::File { path, .. } => path.display().to_string(),
            Source::Text { name, .. } => name,
        };
        let changes = if set > 0 { format!(", {set} keys changed") } else { String::new() };
        format!("<carom.Model {name}{changes}>")
    }

    /// Degrees of freedom of the trees of joints, by name.
    #[getter]
    fn freedoms(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        crate::analysis::freedoms(py, &self.study(py)?)
    }

    /// A state in which all forces balance, found from the start of the model.
    #[pyo3(signature = (*, max_iterations=200, tolerance=1e-10))]
    fn equilibrium(
        &self,
        py: Python<'_>,
        max_iterations: usize,
        tolerance: f64,
    ) -> PyResult<crate::analysis::Equilibrium> {
        crate::analysis::equilibrium(py, &self.study(py)?, max_iterations, tolerance)
    }

    /// Small vibrations: about the equilibrium that is found from the start, or ``at`` a state of one's own, or ``"start"``.
    #[pyo3(signature = (*, at=None))]
    fn modes(&self, py: Python<'_>, at: Option<&Bound<'_, PyAny>>) -> PyResult<crate::analysis::Modes> {
        crate::analysis::modes(py, &self.study(py)?, at)
    }

    /// The equations of motion M v' + h = tau at a state (the start where none is given), by freedoms. ``loads`` that count in h:
    /// ``"none"``, ``"gravity"`` or ``"all"``.
    #[pyo3(signature = (state=None, *, time=0.0, loads="gravity"))]
    fn equations(
        &self,
        py: Python<'_>,
        state: Option<&Bound<'_, PyAny>>,
        time: f64,
        loads: &str,
    ) -> PyResult<crate::analysis::Equations> {
        crate::analysis::equations(py, &self.study(py)?, state, time, loads)
    }

    /// Efforts along the freedoms that accelerations take at a state, beside the loads.
    #[pyo3(signature = (accelerations, state=None, *, time=0.0, loads="gravity"))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        accelerations: &Bound<'py, PyAny>,
        state: Option<&Bound<'py, PyAny>>,
        time: f64,
        loads: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::analysis::inverse_dynamics(py, &self.study(py)?, accelerations, state, time, loads)
    }

    /// Tables that a model may have.
    fn __dir__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let own = slf.get_type().call_method0("mro")?.get_item(0)?.getattr("__dict__")?;
        let names = PyList::new(slf.py(), own.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        for row in carom_io::schema::section("") {
            names.append(row.key)?;
        }
        Ok(names)
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
