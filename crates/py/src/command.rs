//! The `carom` command in this process.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Does what the command does with these arguments, of which the first is the name of the program; gives its exit code. The words
/// of ``program`` start the command once more.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>, program: Vec<OsString>) -> u8 {
    py.detach(|| carom_cli::execute(arguments, &program))
}
