//! Study files: one model in many variants.

mod axis;
mod places;
mod read;

use std::path::PathBuf;

use carom_engine::model::Expectation;

pub use axis::{Axis, Distribution, Sampled, Setting};
pub use places::Places;
pub use read::read_study;

/// A study as its file says it.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyFile {
    /// Model file, as seen from the current folder.
    pub model: PathBuf,
    /// Keys with the values that they take.
    pub axes: Vec<Axis>,
    /// Axes go side by side, value by value, instead of each with each.
    pub side_by_side: bool,
    /// Keys that are drawn.
    pub sample: Option<Sample>,
    /// Columns of results: name, and what is measured.
    pub results: Vec<(String, Expectation)>,
    /// Text of the file.
    pub text: String,
    /// Where it says what.
    pub places: Places,
}

/// A sample of some keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// How it is drawn.
    pub method: SampleMethod,
    /// Number of points.
    pub count: usize,
    /// Start of the random numbers; a Sobol sequence has none.
    pub seed: u64,
    /// Keys with their distributions.
    pub keys: Vec<Sampled>,
}

/// How points of the unit cube are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleMethod {
    /// Sobol sequence with the direction numbers of Joe and Kuo.
    Sobol,
    /// Latin hypercube.
    LatinHypercube,
    /// Independent random numbers.
    Random,
}

impl SampleMethod {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sobol, Self::LatinHypercube, Self::Random];

    /// As in study files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sobol => "sobol",
            Self::LatinHypercube => "latin-hypercube",
            Self::Random => "random",
        }
    }
}
