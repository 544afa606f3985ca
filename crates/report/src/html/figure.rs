//! A chart in the page: caption with the legend, drawing, and what the script needs to read values.

use super::Context;
use crate::chart::Panel;
use crate::escape::escape;
use crate::palette;
use crate::svg;

/// Curves in one chart: as many as there are colours.
pub(super) const PER_CHART: usize = palette::SERIES.len();
/// Width of the drawing (px); the page scales it to its column.
const WIDTH: u32 = 620;
const HEIGHT: u32 = 240;
/// Two charts, their captions and the gap between them.
const TALL: u32 = 2 * HEIGHT + 74;

/// A chart over time, with event ticks.
pub(super) fn over_time(context: &Context<'_>, panel: Panel) -> String {
    let panel = Panel { marks: context.marks.clone(), x_range: Some(context.time), ..panel };
    figure(&panel, Some(HEIGHT), "time")
}

/// A path in the plane; a tall one is as high as two charts.
pub(super) fn path(panel: &Panel) -> String {
    let [x, y] = panel.bounds().unwrap_or([[0.0, 1.0]; 2]);
    let is_tall = y[1] - y[0] > 0.5 * (x[1] - x[0]);
    if is_tall { figure(panel, Some(TALL), "path tall") } else { figure(panel, Some(HEIGHT), "path") }
}

fn figure(panel: &Panel, height: Option<u32>, kind: &str) -> String {
    let svg::Inline { svg, frame } = svg::inline(panel, WIDTH, height);
    let keys: String = panel
        .lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let colour = palette::series(index).hex();
            format!(
                "<span class=\"key\" data-colour=\"{colour}\"><i style=\"background:{colour}\"></i>{}<output></output></span>",
                escape(&line.name)
            )
        })
        .collect();
    let list = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let [left, top, right, bottom] = frame.axes.map(f64::from);
    format!(
        "<figure class=\"{kind}\" data-axes=\"{axes}\" data-range=\"{range}\" data-unit=\"{unit}\">\n\
         <figcaption><b>{title}</b>{keys}</figcaption>\n{svg}\n</figure>\n",
        axes = list(&[left, top, right, bottom, f64::from(frame.width)]),
        range = list(&[frame.x.range[0], frame.x.range[1], frame.y.range[0], frame.y.range[1]]),
        unit = escape(&frame.y.unit),
        title = escape(&panel.title),
    )
}

/// Charts side by side where there is room.
pub(super) fn grid(figures: &str) -> String {
    if figures.is_empty() { String::new() } else { format!("<div class=\"grid\">\n{figures}</div>\n") }
}

/// Something that opens on a click.
pub(super) fn folded(title: &str, body: &str) -> String {
    format!("<details><summary>{}</summary>\n{body}</details>\n", escape(title))
}
