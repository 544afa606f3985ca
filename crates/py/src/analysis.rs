//! Questions to a mechanism that need no simulation.

use carom::{Error, Study};
use carom_engine::analysis::{Dynamics, EquilibriumLimits, Loads, Stability, StabilityKind};
use carom_engine::{RunError, StateError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::array::copy;
use crate::convert::floats;
use crate::error::raise;

/// A state at rest under balanced forces.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Equilibrium {
    /// The state; all velocities are zero.
    state: Py<PyAny>,
    /// Is every motion resisted?
    stable: bool,
    /// "stable", "indifferent" where nothing resists some motions and none is helped, or "unstable".
    stability: &'static str,
    /// Names of freedoms, one for each direction that nothing resists.
    indifferent: Vec<String>,
    /// Smallest eigenvalue of stiffness over mass (1/s^2).
    smallest: f64,
    /// Its direction by freedom; the largest component is 1.
    direction: Py<PyAny>,
    /// Contacts that carry.
    contacts: usize,
    /// Largest unbalanced force (N).
    residual: f64,
    /// The same over the sum of all loads.
    residual_relative: f64,
    /// Steps of the search.
    iterations: usize,
}

/// Modes of small vibrations, slowest first.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Modes {
    /// Im s / 2 pi (Hz).
    frequencies: Py<PyAny>,
    /// |s| / 2 pi (Hz).
    undamped_frequencies: Py<PyAny>,
    /// -Re s / |s|.
    damping_ratios: Py<PyAny>,
    /// s (1/s), complex.
    eigenvalues: Py<PyAny>,
    /// Shapes by freedom, a column a mode, complex; the largest component is 1.
    shapes: Py<PyAny>,
    /// Names of the freedoms.
    freedoms: Vec<String>,
    /// Largest unbalanced force at the state (N, N m).
    unbalanced: f64,
}

/// M v' + h = tau at a state, by freedoms.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Equations {
    /// Names of the freedoms.
    freedoms: Vec<String>,
    /// Mass matrix (kg, kg m, kg m^2).
    mass: Py<PyAny>,
    /// Coriolis, centrifugal and gyroscopic terms, less the loads that count.
    bias: Py<PyAny>,
}

pub(crate) fn failed(py: Python<'_>, error: RunError) -> PyErr {
    raise(py, Error::Run(error))
}

/// The dynamics at a state: the start where none is given.
fn at<'a>(
    py: Python<'_>,
    study: &'a Study,
    state: Option<&Bound<'_, PyAny>>,
    time: f64,
) -> PyResult<Dynamics<'a>> {
    let mut dynamics = Dynamics::new(study.system());
    if let Some(state) = state {
        let state = floats(state)?;
        let wanted = study.system().states();
        if state.len() != wanted {
            return Err(raise(py, Error::State(StateError::Length { wanted, given: state.len() })));
        }
        if let Some(index) = state.iter().position(|value| !value.is_finite()) {
            return Err(raise(py, Error::State(StateError::NotFinite { index })));
        }
        dynamics.set_state(time, &state);
    }
    Ok(dynamics)
}

pub(crate) fn loads(word: &str) -> PyResult<Loads> {
    match word {
        "none" => Ok(Loads::Nothing),
        "gravity" => Ok(Loads::Gravity),
        "all" => Ok(Loads::All),
        other => {
            Err(PyValueError::new_err(format!("loads are \"none\", \"gravity\" or \"all\", not \"{other}\"")))
        }
    }
}

pub(crate) fn names(dynamics: &Dynamics<'_>) -> Vec<String> {
    dynamics.freedoms().iter().map(|freedom| freedom.name.clone()).collect()
}

pub(crate) fn freedoms(py: Python<'_>, study: &Study) -> PyResult<Vec<String>> {
    Ok(names(&at(py, study, None, 0.0)?))
}

pub(crate) fn equilibrium(
    py: Python<'_>,
    study: &Study,
    iterations: usize,
    tolerance: f64,
) -> PyResult<Equilibrium> {
    let mut dynamics = at(py, study, None, 0.0)?;
    let limits = EquilibriumLimits { iterations, tolerance };
    let found = dynamics.find_equilibrium(&limits).map_err(|error| failed(py, error))?;
    let length = found.state.len();
    let Stability { kind, smallest, direction, indifferent } = found.stability;
    let freedoms = dynamics.freedoms();
    let count = direction.len();
    Ok(Equilibrium {
        state: copy(py, &found.state, vec![length])?.unbind(),
        stable: kind == StabilityKind::Stable,
        stability: kind.name(),
        indifferent: indifferent.into_iter().map(|f| freedoms[f].name.clone()).collect(),
        smallest,
        direction: copy(py, &direction, vec![count])?.unbind(),
        contacts: found.contacts,
        residual: found.residual,
        residual_relative: found.residual_relative,
        iterations: found.iterations,
    })
}

pub(crate) fn modes(py: Python<'_>, study: &Study, place: Option<&Bound<'_, PyAny>>) -> PyResult<Modes> {
    let is_start = place.is_some_and(|place| {
        place.cast::<PyString>().is_ok_and(|word| word.to_str().is_ok_and(|word| word == "start"))
    });
    let mut dynamics = at(py, study, place.filter(|_| !is_start), 0.0)?;
    if place.is_none() {
        let found = dynamics.find_equilibrium(&EquilibriumLimits::default());
        found.map_err(|error| failed(py, error))?;
    }
    let found = dynamics.find_modes().map_err(|error| failed(py, error))?;
    let freedoms = names(&dynamics);
    let (count, rows) = (found.modes.len(), freedoms.len());
    let of = |value: fn(&carom_engine::analysis::Mode) -> f64| {
        Ok::<_, PyErr>(copy(py, &found.modes.iter().map(value).collect::<Vec<_>>(), vec![count])?.unbind())
    };
    let shapes =
        (0..rows).flat_map(|row| found.modes.iter().flat_map(move |m| [m.shape[row].re, m.shape[row].im]));
    let eigenvalues = found.modes.iter().flat_map(|m| [m.eigenvalue.re, m.eigenvalue.im]).collect();
    // Pairs of numbers are complex ones to NumPy.
    let complex = |values: Vec<f64>, shape: Vec<usize>| {
        let pairs = copy(py, &values, vec![shape.iter().product::<usize>() * 2])?;
        pairs.call_method1("view", ("complex128",))?.call_method1("reshape", (shape,)).map(Bound::unbind)
    };
    Ok(Modes {
        frequencies: of(|m| m.frequency)?,
        undamped_frequencies: of(|m| m.undamped_frequency)?,
        damping_ratios: of(|m| m.damping_ratio)?,
        eigenvalues: complex(eigenvalues, vec![count])?,
        shapes: complex(shapes.collect(), vec![rows, count])?,
        freedoms,
        unbalanced: found.unbalanced,
    })
}

pub(crate) fn equations(
    py: Python<'_>,
    study: &Study,
    state: Option<&Bound<'_, PyAny>>,
    time: f64,
    which: &str,
) -> PyResult<Equations> {
    let which = loads(which)?;
    let dynamics = at(py, study, state, time)?;
    let freedoms = names(&dynamics);
    let n = freedoms.len();
    // A symmetric matrix is the same by rows and by columns.
    let mass = copy(py, dynamics.mass_matrix().as_slice(), vec![n, n])?.unbind();
    let bias = copy(py, dynamics.bias_forces(which).as_slice(), vec![n])?.unbind();
    Ok(Equations { freedoms, mass, bias })
}

pub(crate) fn inverse_dynamics<'py>(
    py: Python<'py>,
    study: &Study,
    accelerations: &Bound<'py, PyAny>,
    state: Option<&Bound<'py, PyAny>>,
    time: f64,
    which: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let which = loads(which)?;
    let dynamics = at(py, study, state, time)?;
    let given = floats(accelerations)?;
    let wanted = dynamics.freedoms().len();
    if given.len() != wanted {
        let message =
            format!("the model has {wanted} freedoms, and {} accelerations were given", given.len());
        return Err(PyValueError::new_err(message));
    }
    let efforts = dynamics.inverse_dynamics(&given.into(), which);
    copy(py, efforts.as_slice(), vec![wanted])
}
