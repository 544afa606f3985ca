//! A contact region as SVG: its contours in its plane, about the centroid.

use std::fmt::Write as _;

use carom_results::RegionContour;

use super::plane::{Layout, MARGINS, draw_axes, end_frame, start_frame, text};
use super::{MARK, WIDTH};
use crate::escape::escape;
use crate::palette;
use crate::region::RegionMap;
use crate::scale::quantity;

/// Width of a contour (px).
const STROKE: f64 = 1.5;
/// How much of what is behind shows through a region.
const OPACITY: f64 = 0.25;

/// The map as a file of its own.
pub fn region(map: &RegionMap) -> String {
    let nodes = map.region.contours.iter().flat_map(|c| &c.nodes).map(|node| map.place(*node));
    let layout = Layout::new(nodes, None);
    let height = layout.height();
    let mut body = String::new();
    draw_title(&mut body, map);
    draw_axes(&mut body, &map.axes, &layout);
    draw_contours(&mut body, map, &layout);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{}\" role=\"img\">\n{MARK}\n<title>Region {} of \
         {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n{body}</svg>\n",
        palette::INK.hex(),
        map.region.region,
        escape(&map.region.pair)
    )
}

fn draw_title(body: &mut String, map: &RegionMap) {
    let region = &map.region;
    let head = format!("{}, region {}, at {}", region.pair, region.region, quantity(region.time, "s"));
    let contours = region.contours.len();
    let plural = if contours == 1 { "" } else { "s" };
    let area = if region.area.is_finite() { quantity(region.area * 1e4, "cm²") } else { "open".to_owned() };
    let facts = format!(
        "{contours} contour{plural}, area {area}, {} deep, {}; + is the centroid, the origin",
        quantity(region.penetration, "m"),
        quantity(region.normal_force, "N")
    );
    text(body, [MARGINS[0], 22.0], " font-size=\"14\" font-weight=\"600\"", &head);
    text(body, [MARGINS[0], 42.0], "", &facts);
}

/// Closed contours bound what is filled, holes left out; open ones are lines.
fn draw_contours(body: &mut String, map: &RegionMap, layout: &Layout) {
    let frame = start_frame(body, layout);
    let path = |contour: &RegionContour| {
        let mut path = String::new();
        for (index, node) in contour.nodes.iter().enumerate() {
            let [x, y] = layout.at(map.place(*node));
            let _ = write!(path, "{}{x:.2} {y:.2}", if index == 0 { "M" } else { "L" });
        }
        path + if contour.is_closed { "Z" } else { "" }
    };
    let (closed, open): (Vec<_>, Vec<_>) = map.region.contours.iter().partition(|contour| contour.is_closed);
    let colour = palette::series(0).hex();
    for (chains, fill) in [(closed, colour.as_str()), (open, "none")] {
        let chains: String = chains.into_iter().map(path).collect();
        if !chains.is_empty() {
            let _ = writeln!(
                body,
                "<path d=\"{chains}\" fill=\"{fill}\" fill-rule=\"evenodd\" fill-opacity=\"{OPACITY}\" stroke=\"{colour}\" \
                 stroke-width=\"{STROKE}\"/>"
            );
        }
    }
    end_frame(body, &frame, layout);
}
