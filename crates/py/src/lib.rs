//! Carom from Python. Thin: everything that has physics or formats is in the crates below. Classes are frozen, and what changes
//! in them is behind a lock that is never waited for while Python is held, so that no two threads can wait for each other.

mod analysis;
mod array;
mod bodies;
mod busy;
mod command;
mod convert;
mod dynamics;
mod error;
mod model;
mod record;
mod result;
mod robot;
mod section;
mod simulation;
mod snapshot;
mod sweep;
mod table;
mod toml;

use pyo3::pymodule;

#[pymodule(gil_used = true)]
mod _carom {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{Equations, Equilibrium, Modes};
    #[pymodule_export]
    use crate::array::Numbers;
    #[pymodule_export]
    use crate::bodies::{Body, Joint};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::dynamics::{Derivatives, Dynamics};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::result::{Result, Series, open};
    #[pymodule_export]
    use crate::section::Section;
    #[pymodule_export]
    use crate::simulation::{Bodies, Joints, Simulation, StateView};
    #[pymodule_export]
    use crate::snapshot::Snapshot;
    #[pymodule_export]
    use crate::sweep::{Ledger, make_study_run, open_study};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::toml::document;

    #[pymodule_init]
    fn state_version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
