//! A pressure map as SVG: a polygon for each element, a scale of colours, axes with the same unit.

use std::fmt::Write as _;

use super::MARK;
use super::WIDTH;
use crate::escape::escape;
use crate::palette;
use crate::pressure::{PressureMap, direction};
use crate::scale::{count, number, prefixed, quantity, tick_label, ticks};

/// Left and top end of the axes, room right of them for the scale, room below (px).
const MARGINS: [f64; 4] = [76.0, 58.0, 120.0, 48.0];
/// Height of the axes over their width, at least and at most.
const ASPECT: [f64; 2] = [0.3, 1.0];
/// Air around the elements, over the larger extent.
const AIR: f64 = 0.04;
/// Outline in the element's own colour, so that no background shows between neighbours (px).
const SEAM: f64 = 0.4;
/// Width of the scale (px), and how far it is from the axes.
const BAR: [f64; 2] = [16.0, 18.0];
/// Colours of the scale's gradient.
const STOPS: usize = 17;
/// Half the cross at the centre of pressure (px).
const CROSS: f64 = 6.0;

/// Where the axes are, and how the plane comes to the picture.
struct Layout {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    /// Centre of what is shown (m), and pixels per metre.
    middle: [f64; 2],
    scale: f64,
}

impl Layout {
    fn new(map: &PressureMap) -> Self {
        let corners = || map.patch.elements.iter().flat_map(|e| e.corners).map(|corner| map.place(corner));
        let bound = |axis: usize, sign: f64| {
            sign * corners().map(|p| sign * p[axis]).fold(f64::NEG_INFINITY, f64::max)
        };
        let [left, top, beside, _] = MARGINS;
        let inner = f64::from(WIDTH) - left - beside;
        let (low, high) = ([bound(0, -1.0), bound(1, -1.0)], [bound(0, 1.0), bound(1, 1.0)]);
        let mut extent = [high[0] - low[0], high[1] - low[1]];
        let mut middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        if let Some([x, y, width]) = map.window {
            (middle, extent) = ([x, y], [width; 2]);
        } else {
            let larger = extent[0].max(extent[1]);
            extent = extent.map(|e| e + 2.0 * AIR * larger);
        }
        let height = inner * (extent[1] / extent[0]).clamp(ASPECT[0], ASPECT[1]);
        let scale = (inner / extent[0]).min(height / extent[1]);
        Self { left, top, right: left + inner, bottom: top + height, middle, scale }
    }

    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            0.5 * (self.left + self.right) + self.scale * (x - self.middle[0]),
            0.5 * (self.top + self.bottom) - self.scale * (y - self.middle[1]),
        ]
    }

    /// Ends of an axis (m).
    fn range(&self, axis: usize) -> [f64; 2] {
        let pixels = [self.right - self.left, self.bottom - self.top][axis];
        let half = 0.5 * pixels / self.scale;
        [self.middle[axis] - half, self.middle[axis] + half]
    }

    /// Does the box around these points lie in the axes, at least in part?
    fn shows(&self, points: &[[f64; 2]]) -> bool {
        let overlaps = |axis: usize, low: f64, high: f64| {
            points.iter().any(|p| p[axis] >= low) && points.iter().any(|p| p[axis] <= high)
        };
        overlaps(0, self.left, self.right) && overlaps(1, self.top, self.bottom)
    }
}

/// The map as a file of its own. Elements beside its window are left out.
pub fn pressure(map: &PressureMap) -> String {
    let layout = Layout::new(map);
    let height = (layout.bottom + MARGINS[3]).round();
    let mut body = String::new();
    draw_title(&mut body, map);
    draw_axes(&mut body, map, &layout);
    draw_elements(&mut body, map, &layout);
    draw_bar(&mut body, map.pressures(), &layout);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{}\" role=\"img\">\n{MARK}\n<title>Pressure of {}, \
         patch {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n{body}</svg>\n",
        palette::INK.hex(),
        escape(&map.patch.pair),
        map.patch.patch
    )
}

fn text(body: &mut String, [x, y]: [f64; 2], attributes: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{words}</text>");
}

fn line(body: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: palette::Colour) {
    let colour = colour.hex();
    let _ = writeln!(
        body,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn draw_title(body: &mut String, map: &PressureMap) {
    let patch = &map.patch;
    let force = patch.force.map(|f| f * f).iter().sum::<f64>().sqrt();
    let head = format!("{}, patch {}, at {}", patch.pair, patch.patch, quantity(patch.time, "s"));
    let area = quantity(patch.area * 1e4, "cm²");
    let area = if patch.area < 0.1 { area } else { format!("{}\u{a0}m²", number(patch.area)) };
    let elements = count(patch.elements.len() as u64);
    let plural = if patch.elements.len() == 1 { "" } else { "s" };
    let facts = format!(
        "{elements} element{plural}, area {area}, force {}; + is the centre of pressure, the origin",
        quantity(force, "N")
    );
    text(body, [MARGINS[0], 22.0], " font-size=\"14\" font-weight=\"600\"", &head);
    text(body, [MARGINS[0], 42.0], "", &facts);
}

fn draw_axes(body: &mut String, map: &PressureMap, layout: &Layout) {
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
    let name = |axis: usize| format!("along {} ({unit})", direction(map.axes[axis]));
    let middle = [0.5 * (layout.left + layout.right), 0.5 * (layout.top + layout.bottom)];
    text(body, [middle[0], layout.bottom + 38.0], " text-anchor=\"middle\"", &name(0));
    let turned = format!(" text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1})\"", middle[1]);
    text(body, [18.0, middle[1]], &turned, &name(1));
}

fn draw_elements(body: &mut String, map: &PressureMap, layout: &Layout) {
    let Layout { left, top, right, bottom, .. } = *layout;
    let (width, height) = (right - left, bottom - top);
    let frame = format!("x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
    let _ = writeln!(body, "<clipPath id=\"axes\"><rect {frame}/></clipPath>");
    let _ = writeln!(body, "<g clip-path=\"url(#axes)\" stroke-width=\"{SEAM}\" stroke-linejoin=\"round\">");
    let [low, high] = map.pressures();
    for element in &map.patch.elements {
        let corners = element.corners.map(|corner| layout.at(map.place(corner)));
        if map.window.is_some() && !layout.shows(&corners) {
            continue;
        }
        let [[x0, y0], [x1, y1], [x2, y2]] = corners;
        let share = if high > low { (element.pressure - low) / (high - low) } else { 0.0 };
        let colour = palette::sequential(share).hex();
        let _ = writeln!(
            body,
            "<polygon points=\"{x0:.2},{y0:.2} {x1:.2},{y1:.2} {x2:.2},{y2:.2}\" fill=\"{colour}\" stroke=\"{colour}\"/>"
        );
    }
    body.push_str("</g>\n");
    let centre = layout.at([0.0, 0.0]);
    if layout.shows(&[centre]) {
        let [x, y] = centre;
        line(body, [x - CROSS, y], [x + CROSS, y], palette::INK);
        line(body, [x, y - CROSS], [x, y + CROSS], palette::INK);
    }
    let _ = writeln!(body, "<rect {frame} fill=\"none\" stroke=\"{}\"/>", palette::MARK.hex());
}

fn draw_bar(body: &mut String, [low, high]: [f64; 2], layout: &Layout) {
    let [width, away] = BAR;
    let (x, top) = (layout.right + away, layout.top + 22.0);
    let height = layout.bottom - top;
    body.push_str("<linearGradient id=\"pressures\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n");
    for stop in 0..STOPS {
        let share = stop as f64 / (STOPS - 1) as f64;
        let colour = palette::sequential(share).hex();
        let _ = writeln!(body, "<stop offset=\"{share}\" stop-color=\"{colour}\"/>");
    }
    body.push_str("</linearGradient>\n");
    let _ = writeln!(
        body,
        "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height:.1}\" fill=\"url(#pressures)\"/>"
    );
    let (factor, unit) = prefixed(high.abs().max(low.abs()), "Pa");
    text(body, [x, layout.top + 8.0], "", &format!("pressure ({unit})"));
    let marks = ticks(low * factor, high * factor, (height / 50.0).clamp(2.0, 8.0) as usize);
    for tick in marks.iter().filter(|_| high > low) {
        let at = layout.bottom - height * (tick / factor - low) / (high - low);
        line(body, [x + width, at], [x + width + 4.0, at], palette::MARK);
        text(body, [x + width + 8.0, at + 4.0], "", &tick_label(*tick, &marks));
    }
}
