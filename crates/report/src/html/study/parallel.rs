//! Parallel coordinates: an axis a variable, a line a run.

use super::{StudyPage, Variable, mark, opens};
use crate::escape::escape;
use crate::palette;
use crate::scale::number;

/// Size of the drawing (px), and of its margins.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 420.0;
const SIDE: f64 = 70.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 30.0;
/// Half of the width that a hand catches an axis at (px).
const CATCH: f64 = 14.0;

/// An axis.
struct Upright<'a> {
    variable: &'a Variable,
    range: [f64; 2],
    is_log: bool,
    x: f64,
}

impl Upright<'_> {
    /// Height of a value (px); the middle, where all have the same.
    fn height(&self, value: f64) -> f64 {
        let [low, high] = self.range.map(|end| self.shown(end));
        let share = if high > low { (self.shown(value) - low) / (high - low) } else { 0.5 };
        HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
    }

    fn shown(&self, value: f64) -> f64 {
        if self.is_log { value.log10() } else { value }
    }

    fn label(&self, value: f64) -> String {
        match self.variable.words.get((value as usize).wrapping_sub(1)) {
            Some(word) => word.clone(),
            None => number(value),
        }
    }
}

/// The section; empty where fewer than two variables have values.
pub(super) fn section(page: &StudyPage) -> String {
    let known: Vec<(&Variable, [f64; 2])> = page
        .inputs
        .iter()
        .chain(&page.results)
        .filter_map(|variable| Some((variable, variable.range()?)))
        .collect();
    let Some(gaps) = known.len().checked_sub(1).filter(|gaps| *gaps > 0) else { return String::new() };
    let distance = (WIDTH - 2.0 * SIDE) / gaps as f64;
    let axes: Vec<Upright<'_>> = known
        .into_iter()
        .enumerate()
        .map(|(index, (variable, range))| {
            let x = distance.mul_add(index as f64, SIDE);
            Upright { variable, range, is_log: variable.is_over_decades(), x }
        })
        .collect();
    let lines: String = (0..page.runs.len()).map(|run| line(page, &axes, run)).collect();
    let last = axes.len() - 1;
    let drawn: String = axes
        .iter()
        .enumerate()
        .map(|(index, axis)| {
            // Names at the sides lean inwards.
            let anchor = if index == 0 {
                "first"
            } else if index == last {
                "last"
            } else {
                ""
            };
            upright(index, axis, anchor)
        })
        .collect();
    format!(
        "<p class=\"dim\">A line is a run, coloured by {}. Drag along an axis to keep the runs that pass there, in all \
         drawings; a click on the axis lets them back.</p>\n\
         <figure class=\"study\"><svg id=\"parallel\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Parallel coordinates\">\n{lines}{drawn}</svg></figure>\n",
        axes.last().map(|axis| escape(&axis.variable.name)).unwrap_or_default(),
    )
}

/// The line of a run, broken where it has no value.
fn line(page: &StudyPage, axes: &[Upright<'_>], run: usize) -> String {
    let mut path = String::new();
    let mut is_down = false;
    for axis in axes {
        let value = axis.variable.values[run];
        if value.is_finite() {
            path.push_str(&format!(
                "{}{:.1} {:.1}",
                if is_down { "L" } else { "M" },
                axis.x,
                axis.height(value)
            ));
        }
        is_down = value.is_finite();
    }
    let heights: Vec<String> = axes
        .iter()
        .map(|axis| {
            Some(axis.variable.values[run])
                .filter(|v| v.is_finite())
                .map_or("-".to_owned(), |v| format!("{:.1}", axis.height(v)))
        })
        .collect();
    let share = axes.last().map_or(0.5, |axis| {
        (HEIGHT - BOTTOM - axis.height(axis.variable.values[run])) / (HEIGHT - BOTTOM - TOP)
    });
    let colour = if share.is_finite() { palette::sequential(share) } else { palette::MARK };
    let run = &page.runs[run];
    opens(
        run,
        &format!(
            "<path{} data-heights=\"{}\" d=\"{path}\" stroke=\"{}\"/>",
            mark(run),
            heights.join(" "),
            colour.hex()
        ),
    )
}

fn upright(index: usize, axis: &Upright<'_>, anchor: &str) -> String {
    let (x, bottom) = (axis.x, HEIGHT - BOTTOM);
    let [low, high] = axis.range;
    let name = if axis.is_log { format!("{} (log)", axis.variable.name) } else { axis.variable.name.clone() };
    // Names that are too close would cover each other.
    let above = if index.is_multiple_of(2) { TOP - 26.0 } else { TOP - 12.0 };
    let text = |y: f64, class: &str, text: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>\n", escape(text))
    };
    let ends = if high > low {
        let middle = if axis.is_log { (low * high).sqrt() } else { 0.5 * (low + high) };
        let between = if axis.variable.words.is_empty() {
            text(axis.height(middle) + 4.0, "beside", &axis.label(middle))
        } else {
            String::new()
        };
        text(TOP + 4.0, "beside", &axis.label(high))
            + &between
            + &text(bottom + 4.0, "beside", &axis.label(low))
    } else {
        text(axis.height(low) + 4.0, "beside", &axis.label(low))
    };
    format!(
        "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\n{}{ends}\
         <rect class=\"kept\" data-axis=\"{index}\" x=\"{:.1}\" width=\"{}\" y=\"0\" height=\"0\"/>\n\
         <rect class=\"catch\" data-axis=\"{index}\" x=\"{:.1}\" width=\"{}\" y=\"{TOP}\" height=\"{}\"/>\n",
        text(above, &format!("name {anchor}"), &name),
        x - CATCH / 2.0,
        CATCH,
        x - CATCH,
        2.0 * CATCH,
        bottom - TOP,
    )
}
