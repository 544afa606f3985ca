//! The run as a moving picture, on top of the page; as stills where there is no page for it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_results::{Error, RunData};

use crate::escape::escape;
use crate::picture::{Shot, Stage, View, png};
use crate::view::{Limits, framed_page, has_page, pack};

/// Moments that are drawn where there is no page, in two rows.
const MOMENTS: usize = 8;
/// Pixels of these.
const SIZE: [usize; 2] = [1200, 600];

/// The section; empty of a run whose shapes were not recorded.
pub(super) fn section(data: &RunData) -> Result<String, Error> {
    let Some(_) = data.shapes()? else { return Ok(String::new()) };
    if !has_page() {
        return stills(data);
    }
    let packed = pack(data, &Limits::REPORT)?;
    let notes: String =
        packed.notes.iter().map(|note| format!("<p class=\"dim\">{}</p>\n", escape(note))).collect();
    Ok(framed_page(&packed.bytes).unwrap_or_default() + &notes)
}

/// Some moments side by side.
pub(super) fn stills(data: &RunData) -> Result<String, Error> {
    let stage = Stage::of(data)?;
    let shot = Shot { size: SIZE, view: View::Auto, around: None };
    let [width, height] = SIZE;
    let picture = STANDARD.encode(png(&stage.pictures(&stage.moments(MOMENTS), 2, &shot)));
    Ok(format!(
        "<img id=\"scene\" alt=\"{MOMENTS} moments of the run\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width: 100%; height: auto\" src=\"data:image/png;base64,{picture}\">\n\
         <p class=\"dim\">This program was built without the viewer's page (E0714): these are stills.</p>\n"
    ))
}
