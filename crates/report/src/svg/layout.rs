//! Where things lie in a drawing: margins, ranges, ticks, units.

use crate::chart::Panel;
use crate::palette;
use crate::scale;

/// Units of the drawing per pixel: plotters rounds to whole units, and steps of whole pixels show.
pub(super) const FINE: f64 = 10.0;
/// Size of the letters (px).
pub(super) const FONT: f64 = 12.0;
/// Mean width of a letter over its size, for system fonts.
const LETTER: f64 = 0.56;
const LINE_HEIGHT: u32 = 20;
/// Height of a panel's axes over their width.
const ASPECT: f64 = 0.36;

/// Who shows the legend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Legend {
    /// The drawing.
    Drawn,
    /// The page around it.
    None,
}

/// One entry of a drawn legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) colour: palette::Colour,
    /// Place of its line's left end (px).
    pub(super) at: (f64, f64),
}

/// An axis as drawn.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Ends, in the displayed unit.
    pub range: [f64; 2],
    /// Displayed over given values.
    pub factor: f64,
    /// Displayed unit.
    pub unit: String,
    /// Ticks, in the displayed unit.
    pub ticks: Vec<f64>,
    pub(super) label: String,
    /// Ends and ticks are decimal logarithms.
    decades: bool,
}

impl Scale {
    /// Number at a tick.
    pub(super) fn tick_label(&self, tick: f64) -> String {
        if self.decades { scale::decade_label(tick) } else { scale::tick_label(tick, &self.ticks) }
    }
}

/// A drawing's measures (px).
#[derive(Clone, Debug)]
pub struct Frame {
    /// Width of the drawing.
    pub width: u32,
    /// Height of the drawing.
    pub height: u32,
    /// Left, top, right and bottom end of the axes.
    pub axes: [u32; 4],
    /// Horizontal axis.
    pub x: Scale,
    /// Vertical axis.
    pub y: Scale,
    pub(super) legend: Vec<Entry>,
}

impl Frame {
    /// Where a point lies, in the units of the drawing.
    pub fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let [left, top, right, bottom] = self.axes.map(f64::from);
        let part = |value: f64, scale: &Scale| {
            (value * scale.factor - scale.range[0]) / (scale.range[1] - scale.range[0])
        };
        [
            FINE * (left + part(x, &self.x) * (right - left)),
            FINE * (bottom - part(y, &self.y) * (bottom - top)),
        ]
    }

    /// Width and height in the units of the drawing.
    pub fn size(&self) -> [f64; 2] {
        [self.width, self.height].map(|pixels| FINE * f64::from(pixels))
    }
}

/// Width of a text (px).
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER * FONT
}

/// Measures of a panel's drawing.
pub(super) fn arrange(panel: &Panel, width: u32, height: Option<u32>, legend: Legend) -> Frame {
    let [bx, by] = panel.bounds().unwrap_or([[0.0, 1.0], [0.0, 1.0]]);
    let bx = panel.x_range.unwrap_or(bx);
    let (legend, legend_rows) = match legend {
        Legend::Drawn => legend_entries(panel, width),
        Legend::None => (Vec::new(), 0),
    };
    let top = 8 + LINE_HEIGHT * legend_rows;
    let bottom = if panel.x.label.is_empty() { 24 } else { 42 };
    let right = 14;
    let y_range = if panel.equal_aspect { padded(by, 0.04) } else { padded(by, 0.06) };
    let y_ticks_wanted = height.map_or(5, |h| ((h.saturating_sub(top + bottom)) / 42).clamp(3, 8) as usize);
    let mut y = if panel.decades {
        decades_of(y_range, &panel.y.label, panel.y.unit)
    } else {
        scale_of(y_range, &panel.y.label, panel.y.unit, y_ticks_wanted)
    };
    let widest = y.ticks.iter().map(|t| text_width(&y.tick_label(*t))).fold(0.0, f64::max);
    let label_width = (widest + 12.0).ceil() as u32;
    // Beside the tick labels there is the name of the axis, turned by a right angle.
    let left = (label_width + 28).max(60);
    let inner = f64::from(width.saturating_sub(left + right).max(1));
    let x_range = if panel.equal_aspect { padded(bx, 0.04) } else { widened(bx) };
    let mut x = scale_of(x_range, &panel.x.label, panel.x.unit, (inner / 80.0).clamp(3.0, 10.0) as usize);
    let mut inner_height =
        height.map_or(inner * ASPECT, |h| f64::from(h.saturating_sub(top + bottom).max(1)));
    if panel.equal_aspect {
        // The same unit on both axes, then the shape of the motion decides the height, within limits.
        let (factor, unit) = scale::prefixed(magnitude(x_range).max(magnitude(y_range)), panel.x.unit);
        let span = |r: [f64; 2]| r[1] - r[0];
        let natural = inner * span(y_range) / span(x_range);
        inner_height = height.map_or(natural.clamp(0.25 * inner, 0.8 * inner), |_| inner_height);
        let per_pixel = (span(x_range) / inner).max(span(y_range) / inner_height);
        let around = |r: [f64; 2], pixels: f64| {
            let (middle, half) = (0.5 * (r[0] + r[1]), 0.5 * per_pixel * pixels);
            [(middle - half) * factor, (middle + half) * factor]
        };
        x = fixed_scale(around(x_range, inner), factor, &unit, x, (inner / 80.0) as usize);
        y = fixed_scale(around(y_range, inner_height), factor, &unit, y, (inner_height / 50.0) as usize);
    }
    let height = top + inner_height.round() as u32 + bottom;
    let axes = [left, top, width - right, height - bottom];
    Frame { width, height, axes, x, y, legend }
}

fn magnitude(range: [f64; 2]) -> f64 {
    range[0].abs().max(range[1].abs())
}

fn scale_of(range: [f64; 2], label: &str, unit: &str, ticks: usize) -> Scale {
    let (factor, unit) = scale::prefixed(magnitude(range), unit);
    let range = range.map(|v| v * factor);
    let ticks = scale::ticks(range[0], range[1], ticks);
    Scale { range, factor, unit, ticks, label: label.to_owned(), decades: false }
}

fn decades_of(range: [f64; 2], label: &str, unit: &str) -> Scale {
    let ticks = scale::decade_ticks(range[0], range[1]);
    Scale { range, factor: 1.0, unit: unit.to_owned(), ticks, label: label.to_owned(), decades: true }
}

fn fixed_scale(range: [f64; 2], factor: f64, unit: &str, old: Scale, ticks: usize) -> Scale {
    let ticks = scale::ticks(range[0], range[1], ticks.max(2));
    Scale { range, factor, unit: unit.to_owned(), ticks, label: old.label, decades: false }
}

/// Some air around the values.
fn padded(range: [f64; 2], part: f64) -> [f64; 2] {
    let [low, high] = widened(range);
    let air = part * (high - low);
    // Zero is a natural edge: values that start at it stand on the axis.
    let keep = |v: f64| v == 0.0;
    [if keep(low) { low } else { low - air }, if keep(high) { high } else { high + air }]
}

/// A range that is not empty, also for values that are all (nearly) the same.
fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let smallest = 1e-9 * low.abs().max(high.abs());
    if high - low > smallest {
        [low, high]
    } else if low == 0.0 && high == 0.0 {
        [0.0, 1.0]
    } else {
        let half = 0.1 * low.abs().max(high.abs());
        [low - half, high + half]
    }
}

fn legend_entries(panel: &Panel, width: u32) -> (Vec<Entry>, u32) {
    let (mut x, mut row) = (14.0, 0);
    let mut entries = Vec::new();
    for (index, line) in panel.lines.iter().enumerate() {
        let length = 24.0 + text_width(&line.name) + 18.0;
        if x > 14.0 && x + length > f64::from(width) {
            (x, row) = (14.0, row + 1);
        }
        let at = (x, f64::from(LINE_HEIGHT) * (f64::from(row) + 0.7));
        entries.push(Entry { name: line.name.clone(), colour: palette::series(index), at });
        x += length;
    }
    (entries, row + 1)
}
