//! The page of the viewer with a run in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The page as it was built, without data; empty where it was not.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
/// The same by gzip: packing it takes longer than a short run.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/viewer.html.gz"));
/// Where the data go: inside an element that the page has for them.
const PLACE: &str = "@CAROM-RUN@";

/// Does this program carry the page? It does not if it was built where there was no npm.
pub fn has_page() -> bool {
    PAGE.contains(PLACE)
}

/// The page with the data of [`super::pack`] inside: one file that needs nothing else. Without data it asks for them
/// where it came from. None if this program does not carry it.
pub fn page(data: Option<&[u8]>) -> Option<String> {
    let text = data.map(|bytes| STANDARD.encode(bytes)).unwrap_or_default();
    has_page().then(|| PAGE.replacen(PLACE, &text, 1))
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
