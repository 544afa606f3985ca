//! A pressure map as SVG: a polygon for each element, a scale of colours, axes with the same unit.

use std::fmt::Write as _;

use super::plane::{Layout, MARGINS, draw_axes, end_frame, line, start_frame, text};
use super::{MARK, WIDTH};
use crate::escape::escape;
use crate::palette;
use crate::pressure::PressureMap;
use crate::scale::{count, number, prefixed, quantity, tick_label, ticks};

/// Width of the scale (px), and how far it is from the axes.
const BAR: [f64; 2] = [16.0, 18.0];
/// Colours of the scale's gradient.
const STOPS: usize = 17;

/// The map as a file of its own. Elements beside its window are left out.
pub fn pressure(map: &PressureMap) -> String {
    let corners = map.patch.elements.iter().flat_map(|e| e.corners);
    let ends = map.outline.iter().flatten().copied();
    let layout = Layout::new(corners.chain(ends).map(|point| map.place(point)), map.window);
    let height = layout.height();
    let mut body = String::new();
    draw_title(&mut body, map);
    draw_axes(&mut body, &map.axes, &layout);
    draw_elements(&mut body, map, &layout);
    draw_bar(&mut body, map.pressures(), &layout);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{}\" role=\"img\">\n{MARK}\n<title>Pressure of \
         {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n{body}</svg>\n",
        palette::INK.hex(),
        escape(&map.title)
    )
}

fn draw_title(body: &mut String, map: &PressureMap) {
    let patch = &map.patch;
    let force = patch.force.map(|f| f * f).iter().sum::<f64>().sqrt();
    let area = quantity(patch.area * 1e4, "cm²");
    let area = if patch.area < 0.1 { area } else { format!("{}\u{a0}m²", number(patch.area)) };
    let elements = count(patch.elements.len() as u64);
    let plural = if patch.elements.len() == 1 { "" } else { "s" };
    let facts = format!(
        "{elements} element{plural}, area {area}, force {}; + is the centre of pressure, the origin",
        quantity(force, "N")
    );
    text(body, [MARGINS[0], 22.0], " font-size=\"14\" font-weight=\"600\"", &map.title);
    text(body, [MARGINS[0], 42.0], "", &facts);
}

fn draw_elements(body: &mut String, map: &PressureMap, layout: &Layout) {
    let frame = start_frame(body, layout);
    let [low, high] = map.pressures();
    draw_outline(body, map, layout);
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
    end_frame(body, &frame, layout);
}

/// Under the elements.
fn draw_outline(body: &mut String, map: &PressureMap, layout: &Layout) {
    let mut path = String::new();
    for ends in &map.outline {
        let [[x0, y0], [x1, y1]] = ends.map(|end| layout.at(map.place(end)));
        if layout.shows(&[[x0, y0], [x1, y1]]) {
            let _ = write!(path, "M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}");
        }
    }
    if !path.is_empty() {
        let colour = palette::MARK.hex();
        let _ = writeln!(body, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/>");
    }
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
