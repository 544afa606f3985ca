//! The runs of a study.

use carom_io::study::{Sample, Setting, StudyFile};

use crate::sample;

/// A run of a study: its number, from 1, and the values of the keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Number.
    pub number: usize,
    /// Values, in the order of [`Plan::keys`].
    pub settings: Vec<Setting>,
}

/// All runs of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The study.
    pub study: StudyFile,
    /// Keys that vary: those of `[vary]`, then those of `[sample]`.
    pub keys: Vec<String>,
    /// Runs: of a product the last key goes through its values first; each comes with every point of the sample.
    pub cases: Vec<Case>,
}

impl Plan {
    /// Lists the runs.
    pub fn new(study: StudyFile) -> Self {
        let varied = if study.side_by_side { side_by_side(&study) } else { product(&study) };
        let drawn = study.sample.as_ref().map_or_else(|| vec![Vec::new()], points);
        let rows = varied
            .iter()
            .flat_map(|row| drawn.iter().map(move |point| [row.clone(), point.clone()].concat()));
        let cases = rows.enumerate().map(|(index, settings)| Case { number: index + 1, settings }).collect();
        let sampled = study.sample.iter().flat_map(|sample| sample.keys.iter().map(|key| &key.key));
        let keys = study.axes.iter().map(|axis| &axis.key).chain(sampled).cloned().collect();
        Self { keys, cases, study }
    }

    /// `KEY=TOML` of each key of a case.
    pub fn overrides(&self, case: &Case) -> Vec<String> {
        case.settings.iter().enumerate().map(|(key, setting)| self.set(key, setting)).collect()
    }

    /// `KEY=TOML` of a key, by its number.
    pub(crate) fn set(&self, key: usize, setting: &Setting) -> String {
        format!("{}={}", self.keys[key], setting.toml)
    }
}

fn product(study: &StudyFile) -> Vec<Vec<Setting>> {
    study.axes.iter().fold(vec![Vec::new()], |rows, axis| {
        let with = |row: &Vec<Setting>, value: &Setting| [row.clone(), vec![value.clone()]].concat();
        rows.iter().flat_map(|row| axis.values.iter().map(move |value| with(row, value))).collect()
    })
}

fn side_by_side(study: &StudyFile) -> Vec<Vec<Setting>> {
    let count = study.axes.first().map_or(1, |axis| axis.values.len());
    (0..count).map(|k| study.axes.iter().map(|axis| axis.values[k].clone()).collect()).collect()
}

fn points(sample: &Sample) -> Vec<Vec<Setting>> {
    let cube = sample::points(sample.method, sample.keys.len(), sample.count, sample.seed);
    let settings = |point: Vec<f64>| {
        let drawn = sample.keys.iter().zip(point);
        drawn.map(|(key, u)| Setting::quantity(sample::quantile(key.distribution, u), &key.unit)).collect()
    };
    cube.into_iter().map(settings).collect()
}
