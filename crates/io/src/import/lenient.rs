//! What tinyxml passes over, with which MuJoCo and the readers of URDF and SDF read, so that robot files have it: blanks before the
//! declaration, hyphens in comments, a document type without declarations of its own, bytes that are no UTF-8.

use std::ops::Range;
use std::path::Path;

use crate::document::{MAX_FILE_SIZE, text_of};
use crate::regular_file::read_file;

/// Reads the text of a robot file; the error is for people. Bytes that are no UTF-8 are taken for Latin-1: names keep ASCII only, so that
/// it makes no difference which table of characters they are of.
pub(super) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_file(path, MAX_FILE_SIZE)?;
    if std::str::from_utf8(&bytes).is_ok() || bytes.contains(&0) {
        return text_of(bytes);
    }
    Ok(bytes.into_iter().map(char::from).collect())
}

/// The text as XML has it: blanks stand for what is passed over, and all places stay where they are.
pub(super) fn as_xml(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    // Texts that were strings of C end in a zero.
    blank(&mut bytes, text.trim_end_matches('\0').len()..text.len());
    let start = text.len() - text.trim_start().len();
    if start > 0 && text[start..].starts_with("<?xml") {
        let end = text.find("?>").map_or(start, |at| at + 2);
        blank(&mut bytes, start..end);
    }
    let mut at = 0;
    while let Some(found) = text[at..].find("<!") {
        at += found;
        let rest = &text[at..];
        let until = |sign: &str| rest.find(sign).map_or(rest.len(), |end| end + sign.len());
        let length = if let Some(inside) = rest.strip_prefix("<!--") {
            let end = inside.find("-->").unwrap_or(0);
            blank(&mut bytes, at + 4..at + 4 + end);
            4 + end
        } else if rest.starts_with("<![CDATA[") {
            until("]]>")
        } else if rest.starts_with("<!DOCTYPE") && !rest[..until(">")].contains('[') {
            blank(&mut bytes, at..at + until(">"));
            until(">")
        } else {
            2
        };
        at += length;
    }
    String::from_utf8(bytes).expect("blanks in place of whole characters")
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    bytes[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::as_xml;

    #[test]
    fn places_stay_and_only_what_is_passed_over_goes() {
        for (text, expected) in [
            ("\n <?xml version=\"1.0\"?>\n<a/>", "\n                      \n<a/>"),
            ("<?xml version=\"1.0\"?><a/>", "<?xml version=\"1.0\"?><a/>"),
            ("<a><!-- é --\n- x ---></a>", "<a><!--      \n     --></a>"),
            ("<!---->-- <!--->", "<!---->-- <!--->"),
            ("<a><![CDATA[<!-- b -- c -->]]></a>", "<a><![CDATA[<!-- b -- c -->]]></a>"),
            ("<a/>\n\0\0", "<a/>\n  "),
            ("<!DOCTYPE a>\n<a/>", "            \n<a/>"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>"),
        ] {
            assert_eq!(as_xml(text), expected);
            assert_eq!(as_xml(text).len(), text.len());
        }
    }
}
