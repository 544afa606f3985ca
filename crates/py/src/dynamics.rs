//! The equations of motion at states, one after the other, without a run: what is made for them is kept.

use carom::Error;
use carom_engine::StateError;
use carom_engine::analysis::{Derivatives as Found, Dynamics as Engine};
use nalgebra::{DMatrix, DVector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::analysis::{failed, loads, names};
use crate::array::copy;
use crate::busy::Owned;
use crate::convert::floats;
use crate::error::{raise, unknown};
use crate::model::Model;

type Array<'py> = PyResult<Bound<'py, PyAny>>;

/// The equations of motion of a model at states that are set: M(q) v' + h(q, v) = tau, by freedoms, as robot libraries have them.
///
/// Freedoms are those of ``model.freedoms``. A joint has its coordinates, in its own order. A body that no joint carries has six: the
/// velocity of its centre of mass in world axes, then its angular velocity in body axes. Jacobians have the three rows of the velocity
/// first, then those of the angular velocity, both in world axes: Pinocchio's ``LOCAL_WORLD_ALIGNED``. Derivatives by positions are those
/// by displacements along the freedoms, rotations by their vector: by tangent vectors, as Pinocchio's.
///
/// >>> import carom
/// >>> dynamics = carom.Dynamics(carom.example("pendulum"))
/// >>> dynamics.mass_matrix().shape
/// (7, 7)
#[pyclass(frozen, module = "carom")]
pub(crate) struct Dynamics {
    engine: Owned<Engine<'static>>,
    bodies: Vec<String>,
    joints: Vec<String>,
}

/// Derivatives of accelerations v'(q, v, tau): rows are accelerations, columns what they are derived by.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Derivatives(Found);

#[pymethods]
impl Derivatives {
    /// v' (m/s^2, rad/s^2).
    #[getter]
    fn accelerations<'py>(&self, py: Python<'py>) -> Array<'py> {
        vector(py, self.0.accelerations.as_slice())
    }

    /// By displacements along the freedoms.
    #[getter]
    fn by_position<'py>(&self, py: Python<'py>) -> Array<'py> {
        matrix(py, &self.0.by_position)
    }

    /// By velocities.
    #[getter]
    fn by_velocity<'py>(&self, py: Python<'py>) -> Array<'py> {
        matrix(py, &self.0.by_velocity)
    }

    /// By efforts: the inverse of the mass matrix.
    #[getter]
    fn by_effort<'py>(&self, py: Python<'py>) -> Array<'py> {
        matrix(py, &self.0.by_effort)
    }
}

/// Rows one behind the other, as NumPy has them.
fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> Array<'py> {
    copy(py, matrix.transpose().as_slice(), vec![matrix.nrows(), matrix.ncols()])
}

fn vector<'py>(py: Python<'py>, vector: &[f64]) -> Array<'py> {
    copy(py, vector, vec![vector.len()])
}

impl Dynamics {
    /// As many numbers as there are freedoms.
    fn by_freedom(given: &Bound<'_, PyAny>, what: &str, engine: &Engine<'_>) -> PyResult<DVector<f64>> {
        let (given, wanted) = (floats(given)?, engine.freedoms().len());
        if given.len() != wanted {
            let message = format!("the model has {wanted} freedoms, and {} {what} were given", given.len());
            return Err(PyValueError::new_err(message));
        }
        if let Some(at) = given.iter().position(|value| !value.is_finite()) {
            let message = format!("{what} must be finite: that of {} is {}", names(engine)[at], given[at]);
            return Err(PyValueError::new_err(message));
        }
        Ok(given.into())
    }

    fn find(py: Python<'_>, known: &[String], what: &str, name: &str) -> PyResult<usize> {
        known.iter().position(|known| known == name).ok_or_else(|| unknown(py, what, name, known))
    }
}

#[pymethods]
impl Dynamics {
    /// At the start of a model.
    #[new]
    fn new(py: Python<'_>, model: &Model) -> PyResult<Self> {
        let engine = model.study(py)?.dynamics();
        let info = engine.system().info();
        let joints = info.joints.iter().map(|(name, _)| name.clone()).collect();
        let bodies = info.bodies.clone();
        Ok(Self { engine: Owned::new("dynamics", engine), bodies, joints })
    }

    /// Names of the freedoms, in the order of all vectors and matrices.
    #[getter]
    fn freedoms(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(names(&*self.engine.lock(py)?))
    }

    /// The state: for each link its coordinates, then its velocities, as ``model.state_names`` says.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Array<'py> {
        vector(py, self.engine.lock(py)?.state())
    }

    /// Goes to a state, and a time where loads depend on it. Quaternions are put to length one.
    #[pyo3(signature = (state, *, time=0.0))]
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>, time: f64) -> PyResult<()> {
        let state = floats(state)?;
        let mut engine = self.engine.lock(py)?;
        let wanted = engine.system().states();
        if state.len() != wanted {
            return Err(raise(py, Error::State(StateError::Length { wanted, given: state.len() })));
        }
        if let Some(index) = state.iter().position(|value| !value.is_finite()) {
            return Err(raise(py, Error::State(StateError::NotFinite { index })));
        }
        engine.set_state(time, &state);
        Ok(())
    }

    /// Puts one joint to coordinates (m, rad, quaternion w, x, y, z) and velocities (m/s, rad/s), and leaves the others.
    fn set_joint(
        &self,
        py: Python<'_>,
        joint: &str,
        position: &Bound<'_, PyAny>,
        velocity: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let index = Self::find(py, &self.joints, "joint", joint)?;
        let mut engine = self.engine.lock(py)?;
        let numbers = |given: &Bound<'_, PyAny>| {
            given.extract().map_or_else(|_| floats(given), |one: f64| Ok(vec![one]))
        };
        let (position, velocity) = (numbers(position)?, numbers(velocity)?);
        let wanted = engine.joint_position(index).zip(engine.joint_velocity(index));
        let Some(counts) = wanted.map(|(q, v)| [q.len(), v.len()]) else {
            let message = format!("joint \"{joint}\" closes a loop: its coordinates follow from others");
            return Err(PyValueError::new_err(message));
        };
        if counts != [position.len(), velocity.len()]
            || !position.iter().chain(&velocity).all(|x| x.is_finite())
        {
            let message = format!(
                "joint \"{joint}\" takes {} finite coordinates and {} velocities",
                counts[0], counts[1]
            );
            return Err(PyValueError::new_err(message));
        }
        let (time, mut state) = (engine.time(), engine.state().to_vec());
        engine.write_joint(&mut state, index, &position, &velocity);
        engine.set_state(time, &state);
        Ok(())
    }

    /// Mass matrix of the trees of joints (kg, kg m, kg m^2).
    fn mass_matrix<'py>(&self, py: Python<'py>) -> Array<'py> {
        matrix(py, &self.engine.lock(py)?.mass_matrix())
    }

    /// h: Coriolis, centrifugal and gyroscopic terms, less the loads that count (N, N m).
    #[pyo3(signature = (*, loads="gravity"))]
    fn bias<'py>(&self, py: Python<'py>, loads: &str) -> Array<'py> {
        vector(py, self.engine.lock(py)?.bias_forces(self::loads(loads)?).as_slice())
    }

    /// Efforts that accelerations take beside the loads (N, N m). Loops count as open.
    #[pyo3(signature = (accelerations, *, loads="gravity"))]
    fn inverse<'py>(&self, py: Python<'py>, accelerations: &Bound<'py, PyAny>, loads: &str) -> Array<'py> {
        let engine = self.engine.lock(py)?;
        let accelerations = Self::by_freedom(accelerations, "accelerations", &engine)?;
        vector(py, engine.inverse_dynamics(&accelerations, self::loads(loads)?).as_slice())
    }

    /// Accelerations under the loads and efforts, with all constraints (m/s^2, rad/s^2).
    #[pyo3(signature = (efforts, *, loads="gravity"))]
    fn forward<'py>(&self, py: Python<'py>, efforts: &Bound<'py, PyAny>, loads: &str) -> Array<'py> {
        let mut engine = self.engine.lock(py)?;
        let efforts = Self::by_freedom(efforts, "efforts", &engine)?;
        let found = engine.forward_dynamics(&efforts, self::loads(loads)?);
        vector(py, found.map_err(|error| failed(py, error))?.as_slice())
    }

    /// Accelerations under the loads and efforts, and their derivatives in closed form. Mechanisms with loops, constraints or
    /// cables, and friction with bristles, have none: ``ValueError``.
    #[pyo3(signature = (efforts, *, loads="gravity"))]
    fn derivatives(&self, py: Python<'_>, efforts: &Bound<'_, PyAny>, loads: &str) -> PyResult<Derivatives> {
        let mut engine = self.engine.lock(py)?;
        let efforts = Self::by_freedom(efforts, "efforts", &engine)?;
        let found = engine.derivatives(&efforts, self::loads(loads)?).map_err(|error| failed(py, error))?;
        let message = "derivatives are in closed form for trees of joints alone: this model has constraints, cables or bristles";
        found.map(Derivatives).ok_or_else(|| PyValueError::new_err(message))
    }

    /// Jacobian of a point of a body, given in the body's frame (m): the velocity's three rows, then those of the angular velocity,
    /// both in world axes.
    #[pyo3(signature = (body, point=None))]
    fn jacobian<'py>(&self, py: Python<'py>, body: &str, point: Option<&Bound<'py, PyAny>>) -> Array<'py> {
        let index = Self::find(py, &self.bodies, "body", body)?;
        let point = point.map_or_else(|| Ok(vec![0.0; 3]), floats)?;
        let [x, y, z] = point[..] else {
            return Err(PyValueError::new_err("a point has three coordinates"));
        };
        if !point.iter().all(|x| x.is_finite()) {
            return Err(PyValueError::new_err(format!("a point has finite coordinates, not {point:?}")));
        }
        let found = self.engine.lock(py)?.point_jacobian(index, &carom_math::Vec3::new(x, y, z));
        let mut turned = found.clone();
        turned.rows_mut(0, 3).copy_from(&found.rows(3, 3));
        turned.rows_mut(3, 3).copy_from(&found.rows(0, 3));
        matrix(py, &turned)
    }

    /// Mass of all that moves (kg).
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.engine.lock(py)?.centre_of_mass().0)
    }

    /// Centre of mass of all that moves, in world axes (m).
    fn center_of_mass<'py>(&self, py: Python<'py>) -> Array<'py> {
        vector(py, self.engine.lock(py)?.centre_of_mass().1.as_slice())
    }

    /// Jacobian of the centre of mass of all that moves: its velocity in world axes by freedoms.
    fn center_of_mass_jacobian<'py>(&self, py: Python<'py>) -> Array<'py> {
        matrix(py, &self.engine.lock(py)?.centre_of_mass_jacobian())
    }
}
