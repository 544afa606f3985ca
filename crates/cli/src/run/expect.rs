//! Expectations of a model against the tables of its run.

use carom_engine::Problem;
use carom_engine::model::Expectation;
use carom_engine::record::RunInfo;
use carom_io::LoadedModel;
use carom_results::manifest::Verdict;
use carom_results::{Error, RunData, Scene, check_expectation, evaluate};

use crate::failure::{Failure, problem_of};

/// Names that the run will not have, so that a misspelt one costs no run.
pub(crate) fn check_names(loaded: &LoadedModel, info: &RunInfo) -> Vec<Problem> {
    let scene = Scene::new(info);
    let problem = |expectation: &Expectation| {
        let error = check_expectation(&scene, expectation).err()?;
        Some(Problem { path: format!("expect.{}", expectation.text), ..problem_of(&error) })
    };
    loaded.expectations.iter().filter_map(problem).collect()
}

/// One verdict per expectation, in their order. A value that the run does not have, such as the time of an
/// event that did not happen, is a failed expectation.
pub(crate) fn judge(data: &RunData, expectations: &[Expectation]) -> Result<Vec<Verdict>, Failure> {
    let judge_one = |expectation: &Expectation| match evaluate(data, expectation) {
        Err(Error::NoValue { message }) => Ok(Verdict {
            quantity: expectation.text.clone(),
            wanted: format!("a value; {message}"),
            unit: String::new(),
            measured: f64::NAN,
            passed: false,
        }),
        other => Ok(other?),
    };
    expectations.iter().map(judge_one).collect()
}
