//! The page of a study: what its table holds, for the eye.

use std::path::Path;

use carom_report::{StudyPage, StudyRun, Variable};
use carom_results::REPORT_HTML;

use crate::sensitivity::{Classes, Input, influences};
use crate::{Plan, Row};

/// What the page of these rows shows; reports are looked for in the folder of the study.
pub(crate) fn page_of(plan: &Plan, rows: &[Row], dir: &Path) -> StudyPage {
    let inputs: Vec<Variable> = (0..plan.keys.len()).map(|key| input(plan, rows, key)).collect();
    let results: Vec<Variable> = plan
        .study
        .results
        .iter()
        .enumerate()
        .map(|(index, (name, _))| Variable {
            name: name.clone(),
            values: rows.iter().map(|row| result(row, index)).collect(),
            words: Vec::new(),
        })
        .collect();
    let told: Vec<Input> = inputs
        .iter()
        .enumerate()
        .map(|(key, variable)| Input {
            values: variable.values.clone(),
            is_numeric: variable.words.is_empty(),
            classes: classes(plan, key),
        })
        .collect();
    let influences = results.iter().map(|result| influences(&told, &result.values)).collect();
    StudyPage {
        name: dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        facts: facts(plan),
        runs: rows.iter().map(|row| run(row, dir)).collect(),
        missing: plan.cases.len() - rows.len(),
        inputs,
        results,
        influences,
    }
}

/// A result of a run that has come to its end: what the table has of one that failed is of where it did.
fn result(row: &Row, index: usize) -> f64 {
    row.results[index].filter(|_| row.end == "finished").unwrap_or(f64::NAN)
}

fn facts(plan: &Plan) -> Vec<String> {
    let study = &plan.study;
    let model = study.model.file_name().map(|name| format!("model {}", name.to_string_lossy()));
    let sample =
        study.sample.as_ref().map(|sample| format!("{} points of {}", sample.count, sample.method.name()));
    let how = if study.axes.len() < 2 {
        None
    } else if study.side_by_side {
        Some("values side by side".to_owned())
    } else {
        Some("each value with each".to_owned())
    };
    model.into_iter().chain(how).chain(sample).collect()
}

/// Values of a key: numbers where all are, else words by their first appearance.
fn input(plan: &Plan, rows: &[Row], key: usize) -> Variable {
    let settings = || rows.iter().map(|row| &plan.cases[row.run - 1].settings[key]);
    let name = plan.keys[key].clone();
    if let Some(values) = settings().map(|setting| setting.number).collect() {
        return Variable { name, values, words: Vec::new() };
    }
    let mut words: Vec<String> = Vec::new();
    let values = settings().map(|setting| {
        let word = setting.toml.trim_matches('"');
        let known = words.iter().position(|other| other == word);
        let index = known.unwrap_or_else(|| {
            words.push(word.to_owned());
            words.len() - 1
        });
        (index + 1) as f64
    });
    Variable { values: values.collect(), name, words }
}

fn classes(plan: &Plan, key: usize) -> Classes {
    let study = &plan.study;
    match (&study.sample, key < study.axes.len()) {
        (_, true) if study.side_by_side && study.axes.len() > 1 => Classes::None,
        (_, true) => Classes::OfValues,
        (Some(sample), false) => Classes::OfNeighbours(sample.count),
        (None, false) => Classes::None,
    }
}

fn run(row: &Row, dir: &Path) -> StudyRun {
    let report = format!("{}/{REPORT_HTML}", row.folder);
    StudyRun {
        number: row.run,
        end: row.end.clone(),
        problem: [row.code.as_str(), row.message.strip_prefix(&row.code).unwrap_or(&row.message)]
            .join(" ")
            .trim()
            .to_owned(),
        wall: row.wall,
        report: dir.join(&report).is_file().then_some(report),
    }
}

#[cfg(test)]
mod tests {
    use super::result;
    use crate::Row;

    #[test]
    fn what_failed_has_no_result() {
        let row = |end: &str| Row {
            run: 1,
            end: end.to_owned(),
            code: String::new(),
            message: String::new(),
            time: 0.0,
            results: vec![Some(2.0), None],
            steps: 0,
            evaluations: 0,
            wall: 0.0,
            folder: String::new(),
            host: String::new(),
        };
        assert_eq!(result(&row("finished"), 0), 2.0);
        assert!(result(&row("finished"), 1).is_nan() && result(&row("failed"), 0).is_nan());
    }
}
