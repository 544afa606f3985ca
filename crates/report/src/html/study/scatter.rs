//! Each result over each input: a point a run.

use super::{StudyPage, StudyRun, Variable, mark, opens};
use crate::chart::{Axis, Dots, Panel};
use crate::escape::escape;
use crate::html::figure::grid;
use crate::scale::number;
use crate::svg;

/// Size of a drawing (px).
const WIDTH: u32 = 400;
const HEIGHT: u32 = 250;
/// Radius of a point (units of the drawing).
const RADIUS: f64 = 38.0;

/// The section; empty of a study that measures or varies nothing.
pub(super) fn section(page: &StudyPage) -> String {
    let row = |result: &Variable| {
        let figures: String = page.inputs.iter().map(|input| figure(input, result, &page.runs)).collect();
        let drawn = grid(&figures);
        if drawn.is_empty() { drawn } else { format!("<h3>{}</h3>\n{drawn}", escape(&result.name)) }
    };
    let rows: String = page.results.iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<p class=\"dim\">A point is a run; a click opens its report. Values are in SI units.</p>\n{rows}"
    )
}

fn figure(input: &Variable, result: &Variable, runs: &[StudyRun]) -> String {
    let is_log = input.is_over_decades();
    let shown = |value: f64| if is_log { value.log10() } else { value };
    let label = if is_log { format!("log₁₀ {}", input.name) } else { input.name.clone() };
    let x: Vec<f64> = input.values.iter().copied().map(shown).collect();
    let panel = Panel {
        title: format!("{} over {}", result.name, input.name),
        x: Axis::new(label, ""),
        y: Axis::new(result.name.clone(), ""),
        dots: vec![Dots { line: 0, x: x.clone(), y: result.values.clone() }],
        x_range: range(input, &x),
        ..Panel::default()
    };
    if panel.bounds().is_none() {
        return String::new();
    }
    let drawing = svg::axes(&panel, WIDTH, HEIGHT);
    let points =
        runs.iter().zip(x.iter().zip(&result.values)).filter(|(_, (x, y))| x.is_finite() && y.is_finite());
    let points: String = points
        .map(|(run, (&x, &y))| {
            let [left, top] = drawing.frame.place(x, y);
            opens(run, &format!("<circle{} cx=\"{left:.0}\" cy=\"{top:.0}\" r=\"{RADIUS}\"/>", mark(run)))
        })
        .collect();
    let [width, height] = drawing.frame.size();
    format!(
        "<figure class=\"study\">\n{}<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n{}{points}</svg>\n</figure>\n",
        legend(input),
        escape(&panel.title),
        drawing.svg,
    )
}

/// Where the axis goes: somewhat beyond the points, half a step beyond words.
fn range(input: &Variable, x: &[f64]) -> Option<[f64; 2]> {
    const BEYOND: f64 = 0.04;
    let finite = || x.iter().copied().filter(|x| x.is_finite());
    let (low, high) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
    let beyond = if input.words.is_empty() { BEYOND * (high - low) } else { 0.5 };
    Some([low - beyond, high + beyond])
}

/// What the numbers of words mean.
fn legend(input: &Variable) -> String {
    let words = input.words.iter().enumerate();
    let words: Vec<String> =
        words.map(|(index, word)| format!("{} {}", number((index + 1) as f64), escape(word))).collect();
    if words.is_empty() { String::new() } else { format!("<figcaption>{}</figcaption>\n", words.join(", ")) }
}
