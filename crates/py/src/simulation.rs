//! A run step by step: the front room's simulation with callbacks, Ctrl-C and one thread at a time.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carom::{EventRow, Part, Study};
use carom_engine::model::ForceKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use crate::array::copy;
use crate::busy::{Open, Owned};
use crate::convert::{floats, time};
use crate::error::{plain, raise};
use crate::model;
use crate::result::Result as RunResult;
use crate::snapshot::Snapshot;
use crate::table::Table;

mod callbacks;
mod function;
mod listener;
mod parts;
mod settle;
mod view;

use callbacks::Callbacks;
use listener::{Listener, event_of, must_be_callable};
pub(crate) use parts::{Bodies, Joints};
pub(crate) use view::StateView;

/// Wall time between looks at signals and at the bar of a run.
const LOOK: Duration = Duration::from_millis(50);

/// A run under way: step by step, up to a time, or to its end, with looks, controls and snapshots in between. It belongs to one
/// thread at a time and lets others work while it runs.
///
/// >>> import carom
/// >>> simulation = carom.Simulation(carom.example("bouncing-ball"))
/// >>> simulation.advance_to(0.25)
/// >>> round(float(simulation.body["ball"].vel[2]), 6)
/// -2.4525
#[pyclass(frozen, module = "carom")]
pub(crate) struct Simulation {
    run: Owned<carom::Simulation>,
    study: Study,
    /// Changes of the model when the simulation was made, and its count of them.
    revision: (u64, Arc<AtomicU64>),
    callbacks: Callbacks,
    /// Counts what has moved the run on, so that views of it know.
    moves: AtomicU64,
}

/// What a force element is set to.
#[derive(FromPyObject)]
enum Components {
    One(f64),
    Three([f64; 3]),
}

impl Simulation {
    /// The run, if it is open, this thread's, and its model as it was.
    fn open(&self, py: Python<'_>) -> PyResult<Open<'_, carom::Simulation>> {
        if self.revision.1.load(Ordering::Relaxed) != self.revision.0 {
            let message = "the model was changed after this simulation was made: make a new simulation of it";
            return Err(plain(py, "StaleError", message));
        }
        self.run.lock(py)
    }

    /// The run, to be moved on: what looks at it as it was is no longer valid.
    fn moving(&self, py: Python<'_>) -> PyResult<Open<'_, carom::Simulation>> {
        let run = self.open(py)?;
        self.moves.fetch_add(1, Ordering::Relaxed);
        Ok(run)
    }

    /// What a force element of the model is.
    fn kind_of(&self, force: &str) -> Option<&ForceKind> {
        let forces = &self.study.loaded().model.forces;
        forces.iter().find(|known| known.name == force).map(|known| &known.kind)
    }

    /// Goes on to a time, and tells listeners, signals and the bar on the way.
    fn go(&self, py: Python<'_>, until: f64, bar: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let back = self.way_back(py)?;
        loop {
            let mut run = self.moving(py)?;
            let before = run.events();
            let listens = self.callbacks.has_listeners();
            let simulation: &mut carom::Simulation = &mut run;
            let part = py.detach(|| {
                let began = Instant::now();
                simulation.advance_while(until, &mut |_, events| {
                    let is_to_look = (listens && events > before) || began.elapsed() > LOOK;
                    if is_to_look { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
            });
            let now = run.time();
            let events = if listens { run.events_since(before) } else { Ok(Vec::new()) };
            drop(run);
            let part = self.settle(py, part, back.as_ref())?;
            self.tell(py, &events.map_err(|error| raise(py, error))?)?;
            py.check_signals()?;
            if let Some(bar) = bar {
                bar.call_method1("reach", (now,))?;
            }
            if part == Part::Done {
                return Ok(());
            }
        }
    }

    /// Calls those who listen to events, when the run is free for them to look at and to set.
    fn tell(&self, py: Python<'_>, events: &[EventRow]) -> PyResult<()> {
        for event in events {
            let functions = self.callbacks.told_of(py, event);
            if functions.is_empty() {
                continue;
            }
            let event = event_of(py, event)?;
            for function in functions {
                function.call1(py, (&event,))?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (model, *, rtol=None))]
    fn new(py: Python<'_>, model: &Bound<'_, PyAny>, rtol: Option<f64>) -> PyResult<Self> {
        let model = model::given(model)?;
        let model = rtol.map_or_else(|| Ok(model.clone()), |rtol| model::with_tolerance(&model, rtol))?;
        let revision = model.get().revision();
        let study = model.get().study(py)?;
        let run = Owned::new("simulation", study.simulate());
        Ok(Self { run, study, revision, callbacks: Callbacks::default(), moves: AtomicU64::new(0) })
    }

    /// Time (s).
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.open(py)?.time())
    }

    /// End of the model (s).
    #[getter]
    fn end(&self) -> f64 {
        self.study.loaded().model.solver.t_end
    }

    /// Makes one step of the integrator and gives the time (s) that it reaches; none at the end of the model.
    fn step(&self, py: Python<'_>) -> PyResult<f64> {
        let back = self.way_back(py)?;
        let mut run = self.moving(py)?;
        let before = run.events();
        let simulation: &mut carom::Simulation = &mut run;
        let done = py.detach(|| simulation.step());
        let time = run.time();
        let listens = run.events() > before;
        let events = if listens { run.events_since(before) } else { Ok(Vec::new()) };
        drop(run);
        self.settle(py, done, back.as_ref())?;
        self.tell(py, &events.map_err(|error| raise(py, error))?)?;
        Ok(time)
    }

    /// Goes on by a time (s, or such as ``"5 ms"``), where a step ends exactly.
    fn advance(&self, py: Python<'_>, duration: &Bound<'_, PyAny>) -> PyResult<()> {
        let duration = time(duration)?;
        if duration.is_nan() || duration < 0.0 {
            return Err(PyValueError::new_err(format!("a run cannot go on by {duration} s")));
        }
        let until = self.open(py)?.time() + duration;
        let _hold = self.run.hold(py)?;
        self.go(py, until, None)
    }

    /// Goes on to a time (s, or such as ``"5 ms"``), where a step ends exactly; a time that is past is left alone.
    fn advance_to(&self, py: Python<'_>, until: &Bound<'_, PyAny>) -> PyResult<()> {
        let until = time(until)?;
        let _hold = self.run.hold(py)?;
        self.go(py, until, None)
    }

    /// Goes on to a time, or to the end of the model. ``control``, if given, is called with the simulation at once and then
    /// ``every`` so many seconds, between steps: there it may look and set motors and forces. ``progress`` shows a bar (tqdm's
    /// where it is installed). Ctrl-C leaves the run where it is: go on, or ``finish`` it.
    #[pyo3(signature = (until=None, *, control=None, every=None, progress=false))]
    fn run(
        slf: &Bound<'_, Self>,
        until: Option<&Bound<'_, PyAny>>,
        control: Option<&Bound<'_, PyAny>>,
        every: Option<&Bound<'_, PyAny>>,
        progress: bool,
    ) -> PyResult<()> {
        let (py, this) = (slf.py(), slf.get());
        let until = until.map_or(Ok(this.end()), time)?;
        let every = every.map(time).transpose()?;
        if control.is_some() != every.is_some() || every.is_some_and(|every| every.is_nan() || every <= 0.0) {
            return Err(PyValueError::new_err(
                "control and every belong together: a function, and seconds above 0",
            ));
        }
        let start = this.open(py)?.time();
        let _hold = this.run.hold(py)?;
        let bar = if progress {
            Some(py.import("carom._progress")?.getattr("bar")?.call1((start, until))?)
        } else {
            None
        };
        let went = this.go_in_parts(slf, start, until, control.zip(every), bar.as_ref());
        if let Some(bar) = bar {
            bar.call_method0("close")?;
        }
        went
    }

    /// The state: coordinates and velocities in the order of ``state_names`` (a copy).
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.open(py)?.state().to_vec();
        let length = state.len();
        copy(py, &state, vec![length])
    }

    /// The state without a copy: it is read where it is, by index or name, until the next call that moves the run on. After that it
    /// raises ``ExpiredError``; ``numpy.array(view)`` is a copy that stays.
    #[getter]
    fn state_view(slf: Bound<'_, Self>) -> PyResult<StateView> {
        slf.get().open(slf.py())?;
        let moves = slf.get().moves.load(Ordering::Relaxed);
        Ok(StateView::new(slf.unbind(), moves))
    }

    /// What the values of a state are.
    #[getter]
    fn state_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.open(py)?.state_names())
    }

    /// Goes on from another state at the present time. It is put onto the constraints by the least motion; what it has more of
    /// energy is booked as work from outside.
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = floats(state)?;
        let done = self.moving(py)?.set_state(&state);
        self.settle(py, done, None)
    }

    /// Bodies by their paths: ``simulation.body["ball"].pos``.
    #[getter]
    fn body(slf: Bound<'_, Self>) -> Bodies {
        Bodies(slf.unbind())
    }

    /// Joints by their names: ``simulation.joint["hinge"].position``.
    #[getter]
    fn joint(slf: Bound<'_, Self>) -> Joints {
        Joints(slf.unbind())
    }

    /// Positions of all bodies' frames, a row a body (m).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut run = self.open(py)?;
        let bodies = run.now().map_err(|error| raise(py, error))?.bodies;
        let count = bodies.len();
        copy(
            py,
            &bodies
                .iter()
                .flat_map(|body| [body.position.x, body.position.y, body.position.z])
                .collect::<Vec<_>>(),
            vec![count, 3],
        )
    }

    /// Contacts that are closed or near now: a table with the columns of a result's ``contacts`` (a copy).
    #[getter]
    fn contacts(&self, py: Python<'_>) -> PyResult<Table> {
        let contacts = self.open(py)?.contacts().map_err(|error| raise(py, error))?;
        Ok(Table::new("contacts", Arc::new(contacts), Vec::new()))
    }

    /// Sum of the normal forces of a contact line or pair on its Bs, and of its friction forces (N, world axes).
    fn contact_force<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let mut run = self.open(py)?;
        let now = run.now().map_err(|error| raise(py, error))?;
        let [normal, friction] = now.contact(name).map_err(|error| raise(py, error))?;
        let array = |force: &[f64]| copy(py, force, vec![3]);
        Ok((array(normal.as_slice())?, array(friction.as_slice())?))
    }

    /// Energy accounts now (J).
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut run = self.open(py)?;
        let e = run.now().map_err(|error| raise(py, error))?.energy;
        let accounts = PyDict::new(py);
        for (name, value) in [
            ("kinetic", e.kinetic),
            ("gravity", e.gravity),
            ("springs", e.springs),
            ("contact_elastic", e.contact_elastic),
            ("work_motors", e.work_motors),
            ("work_external", e.work_external),
            ("dissipated_normal", e.dissipated_normal),
            ("dissipated_friction", e.dissipated_friction),
            ("dissipated_viscous", e.dissipated_viscous),
            ("dissipated_impact", e.dissipated_impact),
            ("projection", e.projection),
            ("model_defect", e.model_defect),
            ("residual", e.residual),
        ] {
            accounts.set_item(name, value)?;
        }
        Ok(accounts)
    }

    /// Sets what the motor of a joint gives from now on: a force (N), torque (N m) or velocity (m/s, rad/s); ``None`` gives it back to
    /// the model. Another axis than the first is ``"arm[1]"``.
    #[pyo3(signature = (joint, value))]
    fn set_motor(&self, py: Python<'_>, joint: &str, value: Option<f64>) -> PyResult<()> {
        self.open(py)?.set_motor(joint, value).map_err(|error| raise(py, error))
    }

    /// Sets the components of an applied force (N) or torque (N m) of the model from now on, or, as one number, the effort of a spring's actuator
    /// or the control of an actuator; ``None`` gives it back to the model.
    #[pyo3(signature = (force, components))]
    fn set_force(&self, py: Python<'_>, force: &str, components: Option<Components>) -> PyResult<()> {
        let set = |components| self.open(py)?.set_force(force, components).map_err(|error| raise(py, error));
        match components {
            Some(Components::Three(components)) => set(Some(components)),
            Some(Components::One(number)) => {
                if !matches!(self.kind_of(force), Some(ForceKind::Force { .. } | ForceKind::Torque { .. })) {
                    return set(Some([number, 0.0, 0.0]));
                }
                let message = format!("\"{force}\" is an applied force or torque: it has three components");
                Err(PyValueError::new_err(message))
            }
            None => set(None),
        }
    }

    /// Lets an applied force or torque of the model follow a function: as a decorator, ``@simulation.force("wind")``.
    /// It gets the time, and position and velocity of the attachment in world axes (of a torque: the columns of the rotation matrix one
    /// after the other, and the angular velocity), and gives three components in the axes that the model states. It is called at trial points too, and so must have no side
    /// effects. ``set_force_function(name, None)`` gives the force back.
    fn force<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let partial = slf.py().import("functools")?.getattr("partial")?;
        partial.call1((slf.getattr("_decorate_force")?, name))
    }

    fn _decorate_force<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        function: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.set_force_function(py, name, Some(function.clone()))?;
        Ok(function)
    }

    /// See ``force``.
    #[pyo3(signature = (name, function))]
    fn set_force_function(
        &self,
        py: Python<'_>,
        name: &str,
        function: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        function.iter().try_for_each(must_be_callable)?;
        let turns = matches!(self.kind_of(name), Some(ForceKind::Torque { .. }));
        let function = self.callbacks.follow(name, function.map(Bound::unbind), turns);
        self.open(py)?.set_force_function(name, function).map_err(|error| raise(py, error))
    }

    /// Calls a function with each ``carom.Event`` of a kind (``contact_begin``, ``contact_end``, ...; ``None``: of all) and of a pair
    /// or contact line, when the step that it ends is accepted: the function may look at the simulation and set motors and forces.
    #[pyo3(signature = (kind, function, *, pair=None))]
    fn on_event(
        &self,
        kind: Option<String>,
        function: &Bound<'_, PyAny>,
        pair: Option<String>,
    ) -> PyResult<()> {
        self.callbacks.listen(Listener::new(function, kind, pair, &self.study)?);
        Ok(())
    }

    /// The run as it is now.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let mut run = self.open(py)?;
        let inner = run.snapshot().map_err(|error| raise(py, error))?;
        Ok(Snapshot::new(inner, run.time()))
    }

    /// Goes on from a snapshot of this or another simulation of the same model, with the same bits.
    fn restore(&self, py: Python<'_>, snapshot: &Bound<'_, Snapshot>) -> PyResult<()> {
        self.callbacks.trust();
        let done = self.moving(py)?.restore(&snapshot.get().inner);
        self.settle(py, done, None)
    }

    /// Ends the run here and gives its result; the simulation is closed.
    fn finish(&self, py: Python<'_>) -> PyResult<RunResult> {
        let run = self.run.take(py)?;
        let done = py.detach(|| run.finish()).map_err(|error| raise(py, error))?;
        self.callbacks.clear();
        Ok(RunResult::of_run(done, self.study.clone()))
    }

    /// Gives up what the simulation holds.
    fn close(&self, py: Python<'_>) {
        // One that is closed already stays so.
        let _ = self.run.take(py);
        self.callbacks.clear();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.callbacks.traverse(&visit)
    }

    fn __clear__(&self) {
        self.callbacks.clear();
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

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = &self.study.loaded().model.name;
        match self.run.lock(py) {
            Ok(run) => format!("<carom.Simulation of {name} at {} s>", run.time()),
            Err(_) => format!("<carom.Simulation of {name}>"),
        }
    }
}

impl Simulation {
    fn go_in_parts(
        &self,
        slf: &Bound<'_, Self>,
        start: f64,
        until: f64,
        control: Option<(&Bound<'_, PyAny>, f64)>,
        bar: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let Some((control, every)) = control else { return self.go(slf.py(), until, bar) };
        let mut part = 0u64;
        loop {
            let next = start + part as f64 * every;
            if next >= until {
                return self.go(slf.py(), until, bar);
            }
            self.go(slf.py(), next, bar)?;
            control.call1((slf,))?;
            part += 1;
        }
    }
}
