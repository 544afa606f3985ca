//! Base64 (RFC 4648, section 4), as of data within files of text.

/// The bytes; `None` if it is none.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let values = group.iter().map(|digit| value(*digit)).collect::<Option<Vec<u32>>>()?;
        if values.len() == 1 {
            return None;
        }
        let bits = (0..4).fold(0, |sum, k| sum << 6 | values.get(k).copied().unwrap_or(0));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..values.len()]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of section 10 of the RFC.
    #[test]
    fn the_examples_of_the_standard_are_read() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
        ] {
            assert_eq!(decode(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        assert_eq!(decode("/+8=").unwrap(), [0xff, 0xef]);
        for text in ["Z", "Zm9vY", "Zm9-", "Zm 9v"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
