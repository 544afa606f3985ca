//! Expectations of a model before its run.

use carom_engine::Problem;
use carom_engine::model::Expectation;
use carom_engine::record::RunInfo;
use carom_io::LoadedModel;
use carom_results::{Scene, check_expectation};

use crate::failure::problem_of;

/// Names that the run will not have, so that a misspelt one costs no run.
pub(crate) fn check_names(loaded: &LoadedModel, info: &RunInfo) -> Vec<Problem> {
    let scene = Scene::new(info);
    let problem = |expectation: &Expectation| {
        let error = check_expectation(&scene, expectation).err()?;
        Some(Problem { path: format!("expect.{}", expectation.text), ..problem_of(&error) })
    };
    loaded.expectations.iter().filter_map(problem).collect()
}
