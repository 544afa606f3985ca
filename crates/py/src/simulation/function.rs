//! Functions of Python that forces follow, and what they raise.

use std::sync::{Arc, Mutex, PoisonError};

use carom::{LoadFunction, LoadPoint};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// A function, until it is let go of.
pub(super) type Held = Arc<Mutex<Option<Py<PyAny>>>>;

/// What has come of the functions, told by whoever asked for the step.
pub(super) type Raised = Arc<Mutex<Soundness>>;

/// Of the functions that forces follow.
#[derive(Default)]
pub(super) enum Soundness {
    /// None has raised anything.
    #[default]
    Sound,
    /// This, and it has not been told yet.
    Raised(PyErr),
    /// Something that was told: none is called any more.
    Told,
}

/// A function of Python as one that a force follows. What it raises is kept, and no number comes back, which ends the step.
pub(super) fn load_function(held: Held, raised: Raised, turns: bool) -> LoadFunction {
    let call = move |point: &LoadPoint| -> PyResult<[f64; 3]> {
        Python::attach(|py| {
            let function = {
                let held = held.lock().unwrap_or_else(PoisonError::into_inner);
                held.as_ref().map(|function| function.clone_ref(py))
            };
            let gone =
                || PyRuntimeError::new_err("the simulation that a force function was given to is gone");
            let function = function.ok_or_else(gone)?;
            let (x, v, w) = (point.position, point.velocity, point.angular_velocity);
            let given = if turns {
                let rotation: [f64; 9] = std::array::from_fn(|index| point.rotation[index]);
                function.call1(py, (point.time, rotation, (w.x, w.y, w.z)))?
            } else {
                function.call1(py, (point.time, (x.x, x.y, x.z), (v.x, v.y, v.z)))?
            };
            let load: [f64; 3] = given.extract(py)?;
            if load.iter().all(|component| component.is_finite()) {
                return Ok(load);
            }
            let message =
                format!("a force function gave {load:?} at t = {} s: components are finite", point.time);
            Err(PyValueError::new_err(message))
        })
    };
    LoadFunction::new(move |point| {
        let is_sound = matches!(*raised.lock().unwrap_or_else(PoisonError::into_inner), Soundness::Sound);
        if !is_sound {
            return [f64::NAN; 3];
        }
        call(point).unwrap_or_else(|error| {
            *raised.lock().unwrap_or_else(PoisonError::into_inner) = Soundness::Raised(error);
            [f64::NAN; 3]
        })
    })
}
