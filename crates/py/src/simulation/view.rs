//! A look at the state of a simulation, without a copy, as long as the simulation stays where it is.

use std::sync::atomic::Ordering;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use super::Simulation;
use crate::array::copy;
use crate::error::{plain, unknown};

/// The state of a simulation as it is now, read where it is: ``view[2]``, ``view["ball.z"]``, ``len(view)``, ``numpy.array(view)`` (a
/// copy). It cannot be written to. The next call that moves the simulation ends it: then it raises ``ExpiredError``.
#[pyclass(frozen, sequence, module = "carom")]
pub(crate) struct StateView {
    simulation: Py<Simulation>,
    moves: u64,
}

impl StateView {
    pub(super) fn new(simulation: Py<Simulation>, moves: u64) -> Self {
        Self { simulation, moves }
    }

    fn look<T>(&self, py: Python<'_>, look: impl FnOnce(&carom::Simulation) -> PyResult<T>) -> PyResult<T> {
        let simulation = self.simulation.get();
        let run = simulation.open(py)?;
        if simulation.moves.load(Ordering::Relaxed) != self.moves {
            let message = format!(
                "this view of a state expired when the simulation went on, which is at {} s now: take a new one, or a copy by \
                 simulation.state",
                run.time()
            );
            return Err(plain(py, "ExpiredError", &message));
        }
        look(&run)
    }
}

/// What a view is asked for.
#[derive(FromPyObject)]
enum Place {
    Index(isize),
    Name(String),
}

#[pymethods]
impl StateView {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |run| Ok(run.state().len()))
    }

    fn __getitem__(&self, py: Python<'_>, place: Place) -> PyResult<f64> {
        self.look(py, |run| {
            let state = run.state();
            let index = match place {
                Place::Index(index) if index < 0 => state.len().checked_add_signed(index),
                Place::Index(index) => usize::try_from(index).ok(),
                Place::Name(name) => {
                    let names = run.state_names();
                    let Some(index) = names.iter().position(|known| *known == name) else {
                        return Err(unknown(py, "coordinate or velocity", &name, &names));
                    };
                    Some(index)
                }
            };
            let value = index.and_then(|index| state.get(index)).copied();
            value.ok_or_else(|| PyIndexError::new_err(format!("a state has {} values", state.len())))
        })
    }

    /// A copy for NumPy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            let message = "an array over the state would change behind its owner's back: NumPy gets a copy";
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let state = self.look(py, |run| Ok(run.state().to_vec()))?;
        let length = state.len();
        let array = self::copy(py, &state, vec![length])?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.look(py, |run| Ok(run.state().len())) {
            Ok(length) => format!("<carom.StateView of {length} values>"),
            Err(_) => "<carom.StateView, expired>".to_owned(),
        }
    }
}
