//! The only module that knows plotters.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::layout::{FINE, FONT, Frame, Scale};
use crate::chart::Panel;
use crate::decimate::{decimate, straighten};
use crate::palette::{self, Colour};

/// Width of curves (px).
const CURVE: f64 = 1.6;
/// Room beside the name of the vertical axis (px).
const EDGE: u32 = 8;
/// Points may lie this far from the curve that leaves them out (px).
const FLATNESS: f64 = 0.05;
/// Radius of points (px).
const DOT: f64 = 2.2;
/// Height of event ticks (px).
const MARK_HEIGHT: f64 = 7.0;
/// Fonts of the reader's system.
const FONTS: &str = "system-ui, sans-serif";

fn fine(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

fn rgb(Colour(r, g, b): Colour) -> RGBColor {
    RGBColor(r, g, b)
}

fn stroke(colour: Colour, pixels: f64) -> ShapeStyle {
    rgb(colour).stroke_width(fine(pixels) as u32)
}

/// Elements of the drawing, in units of 1/[`FINE`] px.
pub(super) fn draw(panel: &Panel, frame: &Frame) -> String {
    let mut text = String::new();
    let size = (fine(f64::from(frame.width)) as u32, fine(f64::from(frame.height)) as u32);
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    // Writing to a string does not fail, and a chart without any room has no elements.
    let _ =
        draw_axes(&root, panel, frame).and_then(|()| draw_legend(&root, frame)).and_then(|()| root.present());
    drop(root);
    elements(&text).to_owned()
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw_axes<'a>(root: &Area<'a>, panel: &Panel, frame: &Frame) -> Drawn<'a> {
    let [left, top, right, bottom] = frame.axes;
    let pixels = |n: u32| fine(f64::from(n)) as u32;
    let (x, y) = (&frame.x, &frame.y);
    let font = (FONTS, FONT * FINE * 1.24).into_font().color(&rgb(palette::INK));
    let mut chart = ChartBuilder::on(root)
        .margin_top(pixels(top))
        .margin_left(pixels(EDGE))
        .margin_right(pixels(frame.width - right))
        .set_label_area_size(LabelAreaPosition::Left, pixels(left - EDGE))
        .set_label_area_size(LabelAreaPosition::Bottom, pixels(frame.height - bottom))
        .build_cartesian_2d(Ruler::new(x), Ruler::new(y))?;
    chart
        .configure_mesh()
        .bold_line_style(stroke(palette::GRID, 1.0))
        .light_line_style(TRANSPARENT)
        .axis_style(stroke(palette::MARK, 1.0))
        .label_style(font.clone())
        .axis_desc_style(font)
        .set_all_tick_mark_size(fine(4.0))
        .x_label_formatter(&|v| x.tick_label(*v))
        .y_label_formatter(&|v| y.tick_label(*v))
        .x_desc(description(x))
        .y_desc(description(y))
        .draw()?;
    draw_marks(&mut chart, panel, frame)?;
    draw_lines(&mut chart, panel, frame)
}

fn draw_lines<'a>(chart: &mut Chart<'a, '_>, panel: &Panel, frame: &Frame) -> Drawn<'a> {
    let shown = |&(x, y): &(f64, f64)| (x * frame.x.factor, y * frame.y.factor);
    let dot = |point, index, radius| Circle::new(point, fine(radius), rgb(palette::series(index)).filled());
    // Two pixels a bucket: with lowest and highest of each, the eye sees no difference.
    let buckets = (frame.axes[2] - frame.axes[0]) as usize / 2;
    let flat = FLATNESS * (frame.y.range[1] - frame.y.range[0]) / f64::from(frame.axes[3] - frame.axes[1]);
    for (index, line) in panel.lines.iter().enumerate() {
        let style = stroke(palette::series(index), CURVE);
        for run in decimate(&line.x, &line.y, buckets) {
            let points = straighten(run.iter().map(shown).collect(), flat);
            if let [point] = points[..] {
                chart.draw_series([dot(point, index, DOT)])?;
            } else {
                chart.draw_series([PathElement::new(points, style)])?;
            }
        }
    }
    for dots in &panel.dots {
        let points = decimate(&dots.x, &dots.y, buckets).concat();
        chart.draw_series(points.iter().map(|point| dot(shown(point), dots.line, DOT)))?;
    }
    Ok(())
}

/// Name of an axis with its unit.
fn description(scale: &Scale) -> String {
    match (scale.label.is_empty(), scale.unit.is_empty()) {
        (true, _) => scale.unit.clone(),
        (false, true) => scale.label.clone(),
        (false, false) => format!("{} ({})", scale.label, scale.unit),
    }
}

/// A linear axis with ticks of our own.
struct Ruler {
    range: [f64; 2],
    ticks: Vec<f64>,
}

impl Ruler {
    fn new(scale: &Scale) -> Self {
        Self { range: scale.range, ticks: scale.ticks.clone() }
    }
}

impl Ranged for Ruler {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let part = (value - self.range[0]) / (self.range[1] - self.range[0]);
        f64::from(start).mul_add(1.0 - part, f64::from(end) * part).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range[0]..self.range[1]
    }
}

type Chart<'a, 'b> = ChartContext<'b, SVGBackend<'a>, Cartesian2d<Ruler, Ruler>>;

/// Events as short ticks that stand on the horizontal axis; those between which nothing would be seen are one band.
fn draw_marks<'a>(chart: &mut Chart<'a, '_>, panel: &Panel, frame: &Frame) -> Drawn<'a> {
    let [left, top, right, bottom] = frame.axes;
    let [low, high] = frame.x.range;
    let per_pixel = (high - low) / f64::from(right - left);
    let [floor, ceiling] = frame.y.range;
    let roof = floor + (ceiling - floor) * MARK_HEIGHT / f64::from(bottom - top);
    let marks = panel.marks.iter().map(|m| m * frame.x.factor).filter(|m| (low..=high).contains(m));
    for [first, last] in bands(marks, 2.0 * per_pixel) {
        if last - first < per_pixel {
            let tick = vec![(first, floor), (first, roof)];
            chart.draw_series([PathElement::new(tick, stroke(palette::MARK, 1.0))])?;
        } else {
            let corners = [(first, floor), (last, roof)];
            chart.draw_series([Rectangle::new(corners, rgb(palette::MARK).filled())])?;
        }
    }
    Ok(())
}

/// First and last of neighbours, in order, that are less than `gap` apart.
fn bands(marks: impl Iterator<Item = f64>, gap: f64) -> Vec<[f64; 2]> {
    let mut bands: Vec<[f64; 2]> = Vec::new();
    for mark in marks {
        match bands.last_mut() {
            Some([_, last]) if mark - *last < gap => *last = mark,
            _ => bands.push([mark, mark]),
        }
    }
    bands
}

fn draw_legend<'a>(root: &Area<'a>, frame: &Frame) -> Drawn<'a> {
    let font = (FONTS, FONT * FINE * 1.24).into_font().color(&rgb(palette::INK));
    let font = font.pos(Pos::new(HPos::Left, VPos::Center));
    for entry in &frame.legend {
        let (x, y) = (fine(entry.at.0), fine(entry.at.1));
        root.draw(&PathElement::new(vec![(x, y), (x + fine(18.0), y)], stroke(entry.colour, 2.5)))?;
        root.draw(&Text::new(entry.name.clone(), (x + fine(24.0), y), font.clone()))?;
    }
    Ok(())
}

/// What stands between the `<svg>` tags.
fn elements(document: &str) -> &str {
    let start = document.find("<svg").and_then(|at| document[at..].find('>').map(|end| at + end + 1));
    let end = document.rfind("</svg>");
    match (start, end) {
        (Some(start), Some(end)) if start <= end => document[start..end].trim_start(),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_too_near_to_be_told_apart_are_one_band() {
        let marks = [0.0, 1.0, 1.5, 2.0, 5.0, 7.0].into_iter();
        assert_eq!(bands(marks, 1.1), [[0.0, 2.0], [5.0, 5.0], [7.0, 7.0]]);
    }
}
