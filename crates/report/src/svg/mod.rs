//! Charts as SVG.

mod layout;
mod plane;
mod plotters_backend;
mod pressure;
mod region;

pub use layout::Frame;
pub use pressure::pressure;
pub use region::region;

use crate::chart::{Chart, Panel};
use crate::escape::escape;
use layout::{Legend, arrange};

/// In the file of every chart: what has it may be drawn anew.
pub const MARK: &str = "<metadata>a chart by carom</metadata>";

/// Pixels of a drawing.
pub const WIDTH: u32 = 720;

/// A panel's drawing, to be embedded in a page: SVG without legend or title, and where its axes lie.
#[derive(Clone, Debug)]
pub struct Inline {
    /// `<svg>` element without name space, for HTML.
    pub svg: String,
    /// Axes.
    pub frame: Frame,
}

/// A whole chart as a file of its own.
pub fn standalone(chart: &Chart) -> String {
    let drawings: Vec<_> =
        chart.panels.iter().map(|panel| (panel, arrange(panel, WIDTH, None, Legend::Drawn))).collect();
    let height: u32 = drawings.iter().map(|(_, frame)| frame.height).sum();
    let mut body = String::new();
    let mut top = 0;
    for (panel, frame) in &drawings {
        body.push_str(&format!(
            "<g transform=\"translate(0 {top})\"><g transform=\"scale({})\">\n",
            1.0 / layout::FINE
        ));
        body.push_str(&plotters_backend::draw(panel, frame));
        body.push_str("</g></g>\n");
        top += frame.height;
    }
    let titles: Vec<&str> = chart.panels.iter().map(|p| p.title.as_str()).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n{MARK}\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n{body}</svg>\n",
        escape(&titles.join("; "))
    )
}

/// A panel for a page, `width` pixels wide; its height follows unless given.
pub fn inline(panel: &Panel, width: u32, height: Option<u32>) -> Inline {
    let frame = arrange(panel, width, height, Legend::None);
    let fine = layout::FINE;
    let svg = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>",
        f64::from(frame.width) * fine,
        f64::from(frame.height) * fine,
        escape(&panel.title),
        plotters_backend::draw(panel, &frame)
    );
    Inline { svg, frame }
}

/// Axes for the points of a panel, without the points: whoever draws them asks the frame where they lie ([`Frame::place`]).
pub fn axes(panel: &Panel, width: u32, height: u32) -> Inline {
    let frame = arrange(panel, width, Some(height), Legend::None);
    let bare = Panel { lines: Vec::new(), dots: Vec::new(), ..panel.clone() };
    Inline { svg: plotters_backend::draw(&bare, &frame), frame }
}

#[cfg(test)]
mod tests;
