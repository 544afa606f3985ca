//! Names in expectations, before the run.

use carom_engine::Problem;
use carom_engine::model::Expectation;
use carom_io::LoadedModel;
use carom_results::{Scene, check_expectation};

use crate::error::problem_of;

/// Names that a run of the model will not have, so that a misspelt one costs no run.
pub(crate) fn misspelt(loaded: &LoadedModel) -> Vec<Problem> {
    let scene = Scene::new(loaded.system.info());
    let problem = |expectation: &Expectation| {
        let error = check_expectation(&scene, expectation).err()?;
        Some(Problem { path: format!("expect.{}", expectation.text), ..problem_of(&error) })
    };
    loaded.expectations.iter().filter_map(problem).collect()
}
