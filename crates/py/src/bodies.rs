//! A body and a joint at one time.

use carom_engine::record::{BodyState, JointSample};
use pyo3::prelude::*;

use crate::array::copy;

/// A body at one time; world axes, SI units. Arrays are copies.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Body {
    name: String,
    state: BodyState,
}

impl Body {
    pub(crate) fn new(name: &str, state: BodyState) -> Self {
        Self { name: name.to_owned(), state }
    }
}

#[pymethods]
impl Body {
    /// Path of the body.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Position of the frame's origin (m).
    #[getter]
    fn pos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copy(py, self.state.position.as_slice(), vec![3])
    }

    /// Orientation, a unit quaternion w, x, y, z.
    #[getter]
    fn quat<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let q = self.state.orientation;
        copy(py, &[q.w, q.x, q.y, q.z], vec![4])
    }

    /// Velocity of the frame's origin (m/s).
    #[getter]
    fn vel<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copy(py, self.state.velocity.as_slice(), vec![3])
    }

    /// Angular velocity (rad/s).
    #[getter]
    fn omega<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copy(py, self.state.angular_velocity.as_slice(), vec![3])
    }

    fn __repr__(&self) -> String {
        let p = self.state.position;
        format!("<carom.Body {} at {}, {}, {} m>", self.name, p.x, p.y, p.z)
    }
}

/// A joint at one time.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Joint {
    name: String,
    freedoms: [usize; 2],
    sample: JointSample,
}

impl Joint {
    pub(crate) fn new(name: &str, freedoms: [usize; 2], sample: JointSample) -> Self {
        Self { name: name.to_owned(), freedoms, sample }
    }
}

#[pymethods]
impl Joint {
    /// Name of the joint.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Coordinates (m, rad, quaternion).
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.freedoms[0];
        copy(py, &self.sample.position[..n], vec![n])
    }

    /// Velocities (m/s, rad/s).
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.freedoms[1];
        copy(py, &self.sample.velocity[..n], vec![n])
    }

    /// Force that the joint exerts on its second body, at that body's attachment, in world axes (N).
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copy(py, self.sample.force.as_slice(), vec![3])
    }

    /// Torque there (N m).
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copy(py, self.sample.torque.as_slice(), vec![3])
    }

    fn __repr__(&self) -> String {
        let shown = |values: &[f64]| values.iter().map(|x| format!("{x}")).collect::<Vec<_>>().join(", ");
        format!("<carom.Joint {} at {}>", self.name, shown(&self.sample.position[..self.freedoms[0]]))
    }
}
