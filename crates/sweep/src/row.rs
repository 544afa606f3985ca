//! One small row a run.

use std::sync::Arc;

use carom_results::tables::{Column, Columns};
use serde::{Deserialize, Serialize};

use crate::{Case, KILLS_ITS_WORKER, Plan};

/// What has come of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the run.
    pub run: usize,
    /// `finished`, `failed`, `refused` (its model has errors) or `killed` (it kills its worker).
    pub end: String,
    /// Code of what ended it early; empty of a run that has finished.
    pub code: String,
    /// The same in words.
    pub message: String,
    /// Time that it reached (s).
    pub time: f64,
    /// Results in the order of the study; none where there is no such value.
    pub results: Vec<Option<f64>>,
    /// Accepted steps.
    pub steps: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Wall time of the run (s).
    pub wall: f64,
    /// Its folder, as seen from the study's.
    pub folder: String,
    /// The machine that made it.
    pub host: String,
}

impl Row {
    /// A run that has not come to an end of its own.
    pub(crate) fn without_end(case: &Case, plan: &Plan, end: &str, code: &str, message: String) -> Self {
        Self {
            run: case.number,
            end: end.to_owned(),
            code: code.to_owned(),
            message,
            time: 0.0,
            results: vec![None; plan.study.results.len()],
            steps: 0,
            evaluations: 0,
            wall: 0.0,
            folder: folder_of(case.number),
            host: String::new(),
        }
    }

    /// A run whose worker has died in it again and again.
    pub fn killer(case: &Case, plan: &Plan, times: usize) -> Self {
        let message = format!("its worker died {times} times in this run");
        Self::without_end(case, plan, "killed", KILLS_ITS_WORKER, message)
    }
}

/// Folder of a run, as seen from the study's.
pub(crate) fn folder_of(number: usize) -> String {
    format!("runs/{number:06}")
}

/// The table of a study. Values that a run does not have are not numbers.
pub(crate) fn table(plan: &Plan, rows: &[Row]) -> Arc<Columns> {
    let cases: Vec<&Case> = rows.iter().map(|row| &plan.cases[row.run - 1]).collect();
    let is_number = |index: usize| plan.cases.iter().all(|case| case.settings[index].number.is_some());
    let mut described = vec![Column::count("run", "number of the run, from 1")];
    for (index, key) in plan.keys.iter().enumerate() {
        described.push(match is_number(index) {
            true => Column::float(key, "", "value of the key, in SI units"),
            false => Column::text(key, "value of the key"),
        });
    }
    let results = plan.study.results.iter();
    described.extend(results.map(|(name, _)| Column::float(name, "", "what was measured, in SI units")));
    described.extend([
        Column::word(
            "end",
            "finished, failed, refused (its model has errors) or killed (it kills its worker)",
        ),
        Column::word("code", "what ended it early"),
        Column::text("message", "the same in words"),
        Column::float("time", "s", "time that it reached"),
        Column::count("steps", "accepted steps"),
        Column::count("evaluations", "evaluations of the right-hand side"),
        Column::float("wall", "s", "wall time of the run"),
        Column::text("folder", "its folder, as seen from the study's"),
        Column::text("host", "the machine that made it"),
    ]);
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let mut columns = Columns::new(described);
    for (row, case) in rows.iter().zip(cases) {
        let mut cells = columns.row();
        cells.count(count(row.run as u64));
        for (index, setting) in case.settings.iter().enumerate() {
            match setting.number.filter(|_| is_number(index)) {
                Some(number) => cells.float(number),
                None => cells.text(setting.toml.trim_matches('"')),
            };
        }
        for result in &row.results {
            cells.float(result.unwrap_or(f64::NAN));
        }
        cells.word(&row.end).word(&row.code).text(&row.message).float(row.time);
        cells.count(count(row.steps)).count(count(row.evaluations)).float(row.wall);
        cells.text(&row.folder).text(&row.host).end();
    }
    Arc::new(columns)
}
