//! A whole run into a folder, with Ctrl-C and a bar.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use carom::{EndReason, Error, Monitor, Recorded, Recording, RunFolder, Study};
use carom_engine::record::{Progress, RunInfo};
use carom_results::RunData;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::{of_run, raise};
use crate::result::Result as RunResult;

/// Wall time between looks at signals and the bar.
const LOOK: Duration = Duration::from_millis(50);

/// Looks at signals, and stops the run at one.
struct Watch {
    looked: Instant,
    bar: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Monitor for Watch {
    fn progress(&mut self, progress: &Progress, _info: &RunInfo) -> ControlFlow<()> {
        if self.looked.elapsed() < LOOK {
            return ControlFlow::Continue(());
        }
        self.looked = Instant::now();
        let looked = Python::attach(|py| -> PyResult<()> {
            py.check_signals()?;
            self.bar
                .as_ref()
                .map_or(Ok(()), |bar| bar.call_method1(py, "reach", (progress.time,)).map(|_| ()))
        });
        self.raised = looked.err();
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs a model into a folder that is new, empty or a run's. What ends the run early is raised with the result so far.
pub(crate) fn record(py: Python<'_>, study: &Study, dir: &Path, progress: bool) -> PyResult<RunResult> {
    let end = study.loaded().model.solver.t_end;
    let bar = if progress {
        Some(py.import("carom._progress")?.getattr("bar")?.call1((0.0, end))?.unbind())
    } else {
        None
    };
    let mut watch = Watch { looked: Instant::now(), bar, raised: None };
    let done = py.detach(|| run(study, dir, &mut watch));
    if let Some(bar) = &watch.bar {
        bar.call_method0(py, "close")?;
    }
    let recorded = done.map_err(|error| raise(py, error))?;
    let result = RunResult::opened(py, dir)?;
    if let Some(error) = watch.raised {
        if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            return Err(error);
        }
        let interrupted = py.import("carom._errors")?.getattr("Interrupted")?.call1((result,))?;
        return Err(PyErr::from_value(interrupted));
    }
    if let EndReason::Failed(error) = &recorded.outcome.end {
        let error = of_run(py, error)?;
        error.value(py).setattr("result", result)?;
        return Err(error);
    }
    Ok(result)
}

fn run(study: &Study, dir: &Path, watch: &mut Watch) -> Result<Recorded, Error> {
    let folder = RunFolder::claim(dir, false)?;
    let mut recorded = study.record(&Recording::of(&folder), watch)?;
    let data = RunData::open(folder.path())?;
    recorded.manifest.expectations = study.judge(&data)?;
    recorded.manifest.write(folder.path())?;
    Ok(recorded)
}
