//! The run as a moving picture, on top of the page.

use carom_results::{Error, RunData};

use crate::escape::escape;
use crate::view::{Limits, framed_page, has_page, pack};

/// The section; empty of a run whose shapes were not recorded.
pub(super) fn section(data: &RunData) -> Result<String, Error> {
    let Some(_) = data.shapes()? else { return Ok(String::new()) };
    if !has_page() {
        let why = "There is no scene here: this program was built without the viewer's page (E0714).";
        return Ok(format!("<p class=\"dim\">{}</p>\n", escape(why)));
    }
    let packed = pack(data, &Limits::REPORT)?;
    let notes: String =
        packed.notes.iter().map(|note| format!("<p class=\"dim\">{}</p>\n", escape(note))).collect();
    Ok(framed_page(&packed.bytes).unwrap_or_default() + &notes)
}
