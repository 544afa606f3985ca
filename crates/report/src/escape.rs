//! Text of users in HTML and SVG.

/// Text that is safe between tags and in quoted attributes. Control characters, which XML forbids,
/// become a replacement sign.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_users_stays_text() {
        assert_eq!(
            escape("<b a='1'>\"x\"&</b>\u{1}"),
            "&lt;b a=&#39;1&#39;&gt;&quot;x&quot;&amp;&lt;/b&gt;\u{fffd}"
        );
    }
}
