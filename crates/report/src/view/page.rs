//! The page of the viewer with a run in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::compressed;

/// The page as it was built, without data; empty where it was not.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
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

/// The page with its data as a frame in another page, whose styles and scripts it does not meet.
pub fn framed_page(data: &[u8]) -> Option<String> {
    let packed = STANDARD.encode(compressed(page(Some(data))?.as_bytes()));
    Some(format!(
        "<iframe id=\"scene\" title=\"Scene\" allow=\"fullscreen\"></iframe>\n\
         <script type=\"application/octet-stream\" id=\"scene-page\">{packed}</script>\n<script>\n{SCRIPT}</script>\n"
    ))
}

const SCRIPT: &str = include_str!("frame.js");
