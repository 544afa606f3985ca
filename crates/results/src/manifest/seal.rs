//! The checksum of `run.json` itself: its second line, of all the other lines.

/// What the line begins with.
const BEGIN: &str = "  \"checksum\": \"";
const END: &str = "\",\n";

/// Text of an object with the line that vouches for the rest.
pub(super) fn seal(text: &str) -> String {
    let body = text.strip_prefix("{\n").unwrap_or(text);
    format!("{{\n{BEGIN}{}{END}{body}", blake3::hash(body.as_bytes()).to_hex())
}

/// Is there such a line?
pub(super) fn is_sealed(text: &str) -> bool {
    text.strip_prefix("{\n").is_some_and(|t| t.starts_with(BEGIN))
}

/// Is the rest what it was when it was sealed?
pub(super) fn is_whole(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("{\n").and_then(|t| t.strip_prefix(BEGIN)) else { return false };
    let Some((hash, body)) = rest.split_once(END) else { return false };
    *hash == *blake3::hash(body.as_bytes()).to_hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_byte_breaks_the_seal() {
        let text = seal("{\n  \"schema\": 3\n}\n");
        assert!(is_whole(&text));
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        for k in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[k] ^= 1;
            assert!(!is_whole(&String::from_utf8(bytes).unwrap()), "byte {k}");
        }
    }
}
