//! Choices for robot files, by the options of the command.

use std::path::Path;

use carom_io::import::{Options, is_robot_file};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySequence, PyString};

use crate::convert::entries;

/// What an import is told, and the words of the command line that say so, by which a model is pickled.
#[derive(Clone)]
pub(crate) struct RobotChoices {
    pub(crate) words: Vec<String>,
    pub(crate) options: Options,
}

impl RobotChoices {
    /// `ValueError` for what is wrong with them.
    pub(crate) fn by_words(words: Vec<String>) -> PyResult<Self> {
        let options = carom_cli::robot_options(&words).map_err(PyValueError::new_err)?;
        Ok(Self { words, options })
    }

    /// Those of a dictionary: `True` sets a switch, and a list says an option several times.
    pub(crate) fn of(path: &Path, robot: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut words = Vec::new();
        for (name, value) in entries(robot)? {
            let option = format!("--{}", name.replace('_', "-"));
            if let Ok(is_on) = value.extract::<bool>() {
                // A switch that is off has a name that must be right, too.
                carom_cli::robot_options(std::slice::from_ref(&option)).map_err(PyValueError::new_err)?;
                words.extend(is_on.then_some(option));
                continue;
            }
            let is_sequence = !value.is_instance_of::<PyString>() && value.cast::<PySequence>().is_ok();
            let items = if is_sequence { value.try_iter()?.collect::<PyResult<_>>()? } else { vec![value] };
            for item in items {
                words.push(format!("{option}={}", item.str()?));
            }
        }
        if robot.is_some_and(|robot| !robot.is_empty()) && !is_robot_file(path) {
            let message = format!("{} is no robot file: it has no choices of an import", path.display());
            return Err(PyValueError::new_err(message));
        }
        Self::by_words(words)
    }
}
