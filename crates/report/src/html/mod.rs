//! `report.html`: one offline page about a run, for reading and for printing.

mod area;
mod contact;
mod curves;
mod energy;
mod figure;
mod force;
mod header;
mod joint;
mod motion;
mod provenance;
mod scene;
mod study;
mod table;
mod tables;
mod worst;

#[cfg(test)]
mod tests;

pub use study::{Influence, ResultInfluences, StudyPage, StudyRun, Variable, study_page};

use std::path::{Path, PathBuf};

use carom_results::{Error, REPORT_HTML, RunData, write_result};

use crate::escape::escape;
use crate::plot::event_times;
use crate::scale::count;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes `report.html` into the run folder and returns its path.
pub fn write_report(run_dir: &Path) -> Result<PathBuf, Error> {
    let data = RunData::open_for_charts(run_dir)?;
    let page = page(&data)?;
    let path = run_dir.join(REPORT_HTML);
    // The page is the run's own, and so replaced; a link in its place is not followed.
    write_result(&path, page.as_bytes(), true)?;
    Ok(path)
}

/// What the sections share.
struct Context<'a> {
    data: &'a RunData,
    /// Times of contact begins (s).
    marks: Vec<f64>,
    /// Range of every axis of time (s).
    time: [f64; 2],
}

fn forces_title(context: &Context<'_>) -> &'static str {
    let scene = context.data.scene();
    match (scene.forces.is_empty(), scene.constraints.is_empty()) {
        (false, false) => "Forces and constraints",
        (true, false) => "Constraints",
        _ => "Forces",
    }
}

/// Says that curves show some of the output times.
fn choice(data: &RunData) -> String {
    match data.every() {
        1 => String::new(),
        every => format!(
            "<p class=\"dim\">Curves are of every {every}th of {} output times; all are in the tables. Peaks of contacts are those \
             of the whole run.</p>\n",
            count(data.output_times())
        ),
    }
}

/// Links to the sections that are not empty, and these, from name, title and contents of each.
fn links_and_body(sections: &[(&str, &str, String)]) -> [String; 2] {
    let present = sections.iter().filter(|(.., body)| !body.is_empty());
    let links = present.clone().map(|(id, title, _)| format!("<a href=\"#{id}\">{title}</a>")).collect();
    let body = present
        .map(|(id, title, body)| format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n"))
        .collect();
    [links, body]
}

fn page(data: &RunData) -> Result<String, Error> {
    let times = data.times()?;
    let time = [times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(1.0)];
    let context = Context { data, marks: event_times(data)?, time };
    let sections = [
        ("motion", "Motion", motion::section(&context)?),
        ("joints", "Joints", joint::section(&context)?),
        ("forces", forces_title(&context), force::section(&context)?),
        ("contacts", "Contacts", contact::section(&context)?),
        ("energy", "Energy", energy::section(&context)?),
        ("events", "Events", tables::events(&context)?),
        ("provenance", "Provenance", provenance::section(&context)?),
    ];
    let [links, body] = links_and_body(&sections);
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Carom</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         {header}<nav>{links}</nav>\n<main>\n{scene}{summary}{body}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&data.manifest().name),
        header = header::header(data),
        scene = scene::section(data)?,
        summary = header::summary(data) + &choice(data),
    ))
}
