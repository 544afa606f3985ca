//! The mechanism that is asked about.

use std::path::PathBuf;
use std::sync::Arc;

use carom_engine::model::Coordinates;
use carom_engine::{RunError, System};
use carom_io::{LoadedModel, Overrides, render};
use carom_results::Scene;

use crate::console::Console;
use crate::exit;
use crate::failure::{Failure, problem_of_run};
use crate::import::ImportArgs;
use crate::model;

/// Options of all analyses.
#[derive(Debug, clap::Args)]
pub(super) struct SubjectArgs {
    /// Model file, robot file (URDF, SDF, MJCF), or - for standard input
    #[arg(index = 1)]
    pub(super) file: PathBuf,
    /// Change a value of the model, such as params.mu=0.3
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    import: ImportArgs,
}

/// A compiled model with its names.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) system: Arc<System>,
    pub(super) scene: Scene,
}

impl SubjectArgs {
    /// The mechanism in the coordinates that its model asks for.
    pub(super) fn open(&self, console: &Console) -> Result<Subject, Failure> {
        let loaded = self.load(console)?;
        Ok(Subject::new(loaded.model.name, loaded.system))
    }

    /// The same in joint coordinates: each freedom belongs to a joint, or to a body that no joint carries.
    pub(super) fn open_by_joints(&self, console: &Console) -> Result<Subject, Failure> {
        let mut loaded = self.load(console)?;
        loaded.model.solver.coordinates = Coordinates::Joint;
        let compiled = System::compile(&loaded.model);
        let system = compiled.map_err(|problems| Failure::Model(loaded.diagnose(problems)))?;
        Ok(Subject::new(loaded.model.name, Arc::new(system)))
    }

    fn load(&self, console: &Console) -> Result<LoadedModel, Failure> {
        let overrides = Overrides { set: self.set.clone(), ..Overrides::default() };
        let loaded = model::open(&self.file, &overrides, &self.import, console)?.map_err(Failure::Model)?;
        for warning in &loaded.warnings {
            console.warning(&format!("{}\n", render(warning, console.style())));
        }
        Ok(loaded)
    }
}

impl Subject {
    fn new(name: String, system: Arc<System>) -> Self {
        let scene = Scene::new(system.info());
        Self { name, system, scene }
    }
}

/// An analysis that began and did not come to its end.
pub(super) fn not_finished(error: &RunError) -> Failure {
    Failure::Coded { exit: exit::NOT_FINISHED, problem: Box::new(problem_of_run(error)) }
}
