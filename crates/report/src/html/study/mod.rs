//! `study.html`: one offline page about the runs of a study. A click on a run opens its report.

mod influence;
mod parallel;
mod scatter;

#[cfg(test)]
mod tests;

use super::table::{Cell, named_rows};
use super::{STYLE, header, links_and_body};
use crate::escape::escape;
use crate::scale::{count, number, quantity};

const OWN_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyPage {
    /// Name of the study.
    pub name: String,
    /// Its model, its sample, and other facts in few words.
    pub facts: Vec<String>,
    /// What is varied.
    pub inputs: Vec<Variable>,
    /// What is measured.
    pub results: Vec<Variable>,
    /// The runs that there are, in their order.
    pub runs: Vec<StudyRun>,
    /// Runs that are still to come.
    pub missing: usize,
    /// What the inputs do to the results, a result each.
    pub influences: Vec<ResultInfluences>,
}

/// An input or a result with its value in each run, in SI units; what a run does not have is not a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// A value a run. Of words: which of them, from 1.
    pub values: Vec<f64>,
    /// The words, if the values are such.
    pub words: Vec<String>,
}

/// A run of the study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyRun {
    /// Number.
    pub number: usize,
    /// How it ended.
    pub end: String,
    /// What ended it early, code and words.
    pub problem: String,
    /// Wall time (s).
    pub wall: f64,
    /// Its report as seen from the page, if it has one.
    pub report: Option<String>,
}

/// What the inputs do to a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultInfluences {
    /// Runs that have the result.
    pub runs: usize,
    /// Share of the variance that the linear regression explains.
    pub explained: Option<f64>,
    /// One for each input, in their order.
    pub inputs: Vec<Influence>,
}

/// What an input does to a result, where the runs tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Standardised regression coefficient.
    pub regression: Option<f64>,
    /// Rank correlation of Spearman.
    pub rank: Option<f64>,
    /// First-order sensitivity index: the share of the variance that goes with this input alone.
    pub first_order: Option<f64>,
}

/// The page, which needs nothing else.
pub fn study_page(page: &StudyPage) -> String {
    let sections = [
        ("results", "Results", scatter::section(page)),
        ("runs-in-one", "All runs at once", parallel::section(page)),
        ("sensitivities", "Sensitivities", influence::section(page)),
        ("runs", "Runs", runs(page)),
    ];
    let [links, body] = links_and_body(&sections);
    let facts: String = page.facts.iter().map(|fact| format!("<span>{}</span>", escape(fact))).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name} – Carom study</title>\n<style>\n{STYLE}{OWN_STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"brand\">Carom study</p>\n<h1>{name}</h1>\n<p class=\"facts\">{facts}</p>\n</header>\n\
         <nav>{links}</nav>\n<main>\n{cards}{body}</main>\n<div id=\"tip\" hidden></div>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        name = escape(&page.name),
        cards = cards(page),
    )
}

fn cards(page: &StudyPage) -> String {
    let of = |end: &str| page.runs.iter().filter(|run| run.end == end).count();
    let finished = of("finished");
    let others = page.runs.len() - finished;
    let wall: f64 = page.runs.iter().map(|run| run.wall).sum();
    let mut cards = vec![
        header::card(
            "finished runs",
            &count(finished as u64),
            &format!("of {}", page.runs.len() + page.missing),
        ),
        header::card("did not finish", &count(others as u64), "failed, refused or killed"),
        header::card("varied", &page.inputs.len().to_string(), "keys of the model"),
        header::card("measured", &page.results.len().to_string(), "results a run"),
        header::card("computed in", &quantity(wall, "s"), "all runs together"),
    ];
    if page.missing > 0 {
        cards.push(header::card("still to come", &count(page.missing as u64), "the same command goes on"));
    }
    format!("<div class=\"cards\">\n{}</div>\n", cards.concat())
}

/// Attribute by which the script finds what belongs to a run.
fn mark(run: &StudyRun) -> String {
    format!(" data-run=\"{}\"", run.number)
}

/// An element that opens the report of a run, where it has one.
fn opens(run: &StudyRun, element: &str) -> String {
    match &run.report {
        Some(report) => format!("<a href=\"{}\">{element}</a>", escape(report)),
        None => element.to_owned(),
    }
}

fn runs(page: &StudyPage) -> String {
    let variables = || page.inputs.iter().chain(&page.results);
    let names: Vec<String> = variables()
        .map(|v| if v.words.is_empty() { format!("#{}", v.name) } else { v.name.clone() })
        .collect();
    let heads: Vec<&str> = ["#run", "end"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .chain(["#computed in", "problem"])
        .collect();
    let rows = page.runs.iter().enumerate().map(|(index, run)| {
        let name = run.number.to_string();
        let class = if run.end == "finished" { "good" } else { "bad" };
        let mut cells = vec![
            run.report
                .as_ref()
                .map_or_else(|| Cell::number(name.clone()), |report| Cell::link(&name, report)),
            Cell::badge(&run.end, class),
        ];
        cells.extend(variables().map(|v| match v.word(index) {
            Some(word) => Cell::text(word),
            None if v.values[index].is_nan() => Cell::number(String::new()),
            None => Cell::number(number(v.values[index])),
        }));
        cells.push(Cell::number(quantity(run.wall, "s")));
        cells.push(Cell::long(&run.problem));
        (mark(run), cells)
    });
    format!(
        "<p class=\"dim\">Values are in SI units. A number opens the report of its run; runs without one have it from \
         <code>carom report FOLDER</code>.</p>\n<div class=\"tall\">{}</div>\n",
        named_rows(&heads, rows)
    )
}

impl Variable {
    /// The word of a run.
    fn word(&self, run: usize) -> Option<&str> {
        let index = self.values[run] as usize;
        if self.words.is_empty() {
            None
        } else {
            index.checked_sub(1).and_then(|i| self.words.get(i)).map(String::as_str)
        }
    }

    /// Smallest and greatest value; none of a variable that no run has.
    fn range(&self) -> Option<[f64; 2]> {
        let finite = self.values.iter().copied().filter(|value| value.is_finite());
        finite.fold(None, |range: Option<[f64; 2]>, value| {
            Some(range.map_or([value; 2], |[low, high]| [low.min(value), high.max(value)]))
        })
    }

    /// Does it go over decades, so that its logarithm says more?
    fn is_over_decades(&self) -> bool {
        const DECADES: f64 = 50.0;
        self.words.is_empty() && self.range().is_some_and(|[low, high]| low > 0.0 && high > DECADES * low)
    }
}
