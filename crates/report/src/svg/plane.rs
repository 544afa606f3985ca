//! What pictures in a plane share: where the axes are, with the same unit both ways, and the frame about what is drawn.

use std::fmt::Write as _;

use super::WIDTH;
use crate::escape::escape;
use crate::palette;
use crate::plane::direction;
use crate::scale::{prefixed, tick_label, ticks};

/// Left and top end of the axes, room right of them for the scale, room below (px).
pub(super) const MARGINS: [f64; 4] = [76.0, 58.0, 120.0, 48.0];
/// Height of the axes over their width, at least and at most.
const ASPECT: [f64; 2] = [0.3, 1.0];
/// Outline in the element's own colour, so that no background shows between neighbours (px).
const SEAM: f64 = 0.4;
/// Air around what is drawn, over the larger extent.
const AIR: f64 = 0.04;
/// Half the cross at the origin (px).
const CROSS: f64 = 6.0;

/// Where the axes are, and how the plane comes to the picture.
pub(super) struct Layout {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    /// Centre of what is shown (m), and pixels per metre.
    middle: [f64; 2],
    scale: f64,
}

impl Layout {
    /// Room for points of the plane (m), or for a window: its middle and its width.
    pub(super) fn new(points: impl Iterator<Item = [f64; 2]> + Clone, window: Option<[f64; 3]>) -> Self {
        let bound = |axis: usize, sign: f64| {
            sign * points.clone().map(|p| sign * p[axis]).fold(f64::NEG_INFINITY, f64::max)
        };
        let [left, top, beside, _] = MARGINS;
        let inner = f64::from(WIDTH) - left - beside;
        let (low, high) = ([bound(0, -1.0), bound(1, -1.0)], [bound(0, 1.0), bound(1, 1.0)]);
        let mut extent = [high[0] - low[0], high[1] - low[1]];
        let mut middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        if let Some([x, y, width]) = window {
            (middle, extent) = ([x, y], [width; 2]);
        } else {
            let larger = extent[0].max(extent[1]);
            extent = extent.map(|e| e + 2.0 * AIR * larger);
        }
        let height = inner * (extent[1] / extent[0]).clamp(ASPECT[0], ASPECT[1]);
        let scale = (inner / extent[0]).min(height / extent[1]);
        Self { left, top, right: left + inner, bottom: top + height, middle, scale }
    }

    pub(super) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            0.5 * (self.left + self.right) + self.scale * (x - self.middle[0]),
            0.5 * (self.top + self.bottom) - self.scale * (y - self.middle[1]),
        ]
    }

    /// Height of the picture (px).
    pub(super) fn height(&self) -> f64 {
        (self.bottom + MARGINS[3]).round()
    }

    /// Ends of an axis (m).
    fn range(&self, axis: usize) -> [f64; 2] {
        let pixels = [self.right - self.left, self.bottom - self.top][axis];
        let half = 0.5 * pixels / self.scale;
        [self.middle[axis] - half, self.middle[axis] + half]
    }

    /// Does the box around these points lie in the axes, at least in part?
    pub(super) fn shows(&self, points: &[[f64; 2]]) -> bool {
        let overlaps = |axis: usize, low: f64, high: f64| {
            points.iter().any(|p| p[axis] >= low) && points.iter().any(|p| p[axis] <= high)
        };
        overlaps(0, self.left, self.right) && overlaps(1, self.top, self.bottom)
    }
}

pub(super) fn text(body: &mut String, [x, y]: [f64; 2], attributes: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{words}</text>");
}

pub(super) fn line(body: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: palette::Colour) {
    let colour = colour.hex();
    let _ = writeln!(
        body,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

pub(super) fn draw_axes(body: &mut String, directions: &[[f64; 3]; 3], layout: &Layout) {
    let (x, y) = (layout.range(0), layout.range(1));
    let largest = x.iter().chain(&y).fold(0.0_f64, |m, v| m.max(v.abs()));
    let (factor, unit) = prefixed(largest, "m");
    for (axis, range) in [x, y].into_iter().enumerate() {
        let wanted = (range[1] - range[0]) * layout.scale / 80.0;
        let marks = ticks(range[0] * factor, range[1] * factor, wanted.clamp(3.0, 10.0) as usize);
        for tick in &marks {
            let label = tick_label(*tick, &marks);
            let place = tick / factor;
            if axis == 0 {
                let [at, _] = layout.at([place, 0.0]);
                line(body, [at, layout.top], [at, layout.bottom], palette::GRID);
                text(body, [at, layout.bottom + 17.0], " text-anchor=\"middle\"", &label);
            } else {
                let [_, at] = layout.at([0.0, place]);
                line(body, [layout.left, at], [layout.right, at], palette::GRID);
                text(body, [layout.left - 7.0, at + 4.0], " text-anchor=\"end\"", &label);
            }
        }
    }
    // Short: a flat patch makes a low picture, and the name of the upward axis has its height.
    let name = |axis: usize| format!("along {} ({unit})", direction(directions[axis]));
    let middle = [0.5 * (layout.left + layout.right), 0.5 * (layout.top + layout.bottom)];
    text(body, [middle[0], layout.bottom + 38.0], " text-anchor=\"middle\"", &name(0));
    let turned = format!(" text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1})\"", middle[1]);
    text(body, [18.0, middle[1]], &turned, &name(1));
}

/// Begins what is cut off at the axes; returns their rectangle.
pub(super) fn start_frame(body: &mut String, layout: &Layout) -> String {
    let Layout { left, top, right, bottom, .. } = *layout;
    let (width, height) = (right - left, bottom - top);
    let frame = format!("x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
    let _ = writeln!(body, "<clipPath id=\"axes\"><rect {frame}/></clipPath>");
    let _ = writeln!(body, "<g clip-path=\"url(#axes)\" stroke-width=\"{SEAM}\" stroke-linejoin=\"round\">");
    frame
}

/// Ends it, with a cross at the origin.
pub(super) fn end_frame(body: &mut String, frame: &str, layout: &Layout) {
    body.push_str("</g>\n");
    let centre = layout.at([0.0, 0.0]);
    if layout.shows(&[centre]) {
        let [x, y] = centre;
        line(body, [x - CROSS, y], [x + CROSS, y], palette::INK);
        line(body, [x, y - CROSS], [x, y + CROSS], palette::INK);
    }
    let _ = writeln!(body, "<rect {frame} fill=\"none\" stroke=\"{}\"/>", palette::MARK.hex());
}
