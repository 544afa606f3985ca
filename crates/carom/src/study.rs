//! A model that is ready to be run.

use std::path::Path;
use std::sync::Arc;

use carom_engine::System;
use carom_engine::analysis::Dynamics;
use carom_io::{LoadedModel, Overrides, Report};
use carom_results::manifest::{Command, Verdict};
use carom_results::{MemoryWriter, RunData};

use crate::{Error, Run, Simulation, names, provenance};

/// A model with everything that belongs to it, checked and compiled. Copies share it.
#[derive(Clone, Debug)]
pub struct Study {
    loaded: Arc<LoadedModel>,
    file: Option<String>,
    command: Command,
}

impl Study {
    /// A model file (TOML) or a robot file (URDF, SDF, MJCF).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Overrides::default())
    }

    /// The same with changes, as the command's `--set`, `--method` and `--t-end` make them.
    pub fn open_with(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::of_file(path, carom_io::load(path, overrides)?, overrides)
    }

    /// A robot file with choices of its import, as the command's `--base` and others make them.
    pub fn open_robot(
        path: impl AsRef<Path>,
        options: &carom_io::import::Options,
        overrides: &Overrides,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::of_file(path, carom_io::import::load_robot(path, options, overrides)?, overrides)
    }

    fn of_file(path: &Path, loaded: LoadedModel, overrides: &Overrides) -> Result<Self, Error> {
        let command = Command { line: Vec::new(), overrides: overrides.set.clone() };
        Ok(Self::new(loaded)?.from_command(&path.display().to_string(), command))
    }

    /// A model from a text. `name` stands for the file in messages; relative paths start at `folder`.
    pub fn parse(name: &str, text: &str, folder: &Path, overrides: &Overrides) -> Result<Self, Error> {
        Ok(Self::new(carom_io::load_str(name, text, folder, overrides)?)?)
    }

    /// A model that was loaded. Expectations of quantities that a run of it does not have are errors.
    pub fn new(loaded: LoadedModel) -> Result<Self, Report> {
        let misspelt = names::misspelt(&loaded);
        if misspelt.is_empty() {
            return Ok(Self { loaded: Arc::new(loaded), file: None, command: Command::default() });
        }
        let mut report = loaded.diagnose(misspelt);
        report.diagnostics.extend(loaded.warnings);
        Err(report)
    }

    /// The same, with the file and the command that its runs say they come from.
    pub fn from_command(self, file: &str, command: Command) -> Self {
        Self { file: Some(file.to_owned()), command, ..self }
    }

    /// The model as it was loaded: warnings, notes, resolved numbers, expectations.
    pub fn loaded(&self) -> &LoadedModel {
        &self.loaded
    }

    /// The model itself.
    pub fn into_loaded(self) -> LoadedModel {
        Arc::unwrap_or_clone(self.loaded)
    }

    /// The compiled model.
    pub fn system(&self) -> &System {
        &self.loaded.system
    }

    /// The equations of motion at states, from the start of the model on.
    pub fn dynamics(&self) -> Dynamics<'static> {
        Dynamics::shared(Arc::clone(&self.loaded.system))
    }

    /// The start of a run that is made step by step.
    pub fn simulate(&self) -> Simulation {
        Simulation::new(self)
    }

    /// Runs to the end, or to where it cannot go on, with the results in memory.
    pub fn run(&self) -> Result<Run, Error> {
        let mut writer = self.memory();
        let mut engine = carom_engine::Simulation::new(self.system());
        let outcome = engine.run(&mut writer).map_err(Error::Recording)?;
        let data = writer.finish(&outcome);
        self.ended(outcome, data)
    }

    /// A run that has ended, with its verdicts.
    pub(crate) fn ended(&self, outcome: carom_engine::Outcome, data: RunData) -> Result<Run, Error> {
        let verdicts = self.judge(&data)?;
        Ok(Run { outcome, data, verdicts })
    }

    /// What the model's expectations say of a run: none of one that has not finished.
    pub fn judge(&self, data: &RunData) -> Result<Vec<Verdict>, Error> {
        if data.manifest().end.reason != "finished" {
            return Ok(Vec::new());
        }
        Ok(carom_results::judge(data, &self.loaded.expectations)?)
    }

    pub(crate) fn memory(&self) -> MemoryWriter {
        MemoryWriter::new(self.system().info(), self.provenance())
    }

    pub(crate) fn provenance(&self) -> carom_results::Provenance {
        provenance::of(self.file.as_deref(), &self.command, &self.loaded)
    }
}
