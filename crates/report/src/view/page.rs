//! The page of the viewer with a run in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The page as it was built, without data; empty where it was not.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
/// The same by gzip: packing it takes longer than a short run.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/viewer.html.gz"));
/// Where the data go: inside an element that the page has for them. Those of a second run have another one.
const PLACE: &str = "@CAROM-RUN@";
const OTHER_PLACE: &str = "@CAROM-OTHER@";
/// In the place of a second run that is to be asked for.
const SERVED: &str = "served";

/// Does this program carry the page? It does not if it was built where there was no npm.
pub fn has_page() -> bool {
    PAGE.contains(PLACE)
}

/// The page with the data of [`super::pack`] inside, and with those of a run to compare it with: one file that needs nothing
/// else. None if this program does not carry it.
pub fn page(data: &[u8], other: Option<&[u8]>) -> Option<String> {
    filled(&STANDARD.encode(data), &other.map(|bytes| STANDARD.encode(bytes)).unwrap_or_default())
}

/// The page that asks for its data where it came from: `run.bin`, and `other.bin` of two runs.
pub fn page_that_asks(of_two: bool) -> Option<String> {
    filled("", if of_two { SERVED } else { "" })
}

fn filled(run: &str, other: &str) -> Option<String> {
    has_page().then(|| PAGE.replacen(PLACE, run, 1).replacen(OTHER_PLACE, other, 1))
}

/// The page with its data as a frame in another page, whose styles and scripts it does not meet. That page's script puts
/// the data into the frame's.
pub fn framed_page(data: &[u8]) -> Option<String> {
    if !has_page() {
        return None;
    }
    let (page, data) = (STANDARD.encode(PACKED), STANDARD.encode(data));
    Some(format!(
        "<iframe id=\"scene\" title=\"Scene\" allow=\"fullscreen\"></iframe>\n\
         <script type=\"application/octet-stream\" id=\"scene-page\">{page}</script>\n\
         <script type=\"application/octet-stream\" id=\"scene-data\" data-place=\"{PLACE}\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n"
    ))
}

const SCRIPT: &str = include_str!("frame.js");
