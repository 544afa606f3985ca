/// Pattern of body and shape paths. `*` stands for any letters but a dot, `**` for anything, `**.` also
/// for nothing; brackets are letters like others, so `rack[*].ball` names the balls of a rack.
#[derive(Clone, Debug)]
pub(crate) struct Glob<'a> {
    text: &'a str,
}

impl<'a> Glob<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// A plain path, no pattern.
    pub(crate) fn is_plain(&self) -> bool {
        !self.text.contains('*')
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        // Row by row over the pattern: which prefixes of the path the pattern's prefix matches.
        let path = path.as_bytes();
        let mut reach = vec![false; path.len() + 1];
        reach[0] = true;
        let mut rest = self.text.as_bytes();
        while let Some(&c) = rest.first() {
            if rest.starts_with(b"**.") && (rest.len() == self.text.len() || before(self.text, rest) == b'.')
            {
                // Whole levels: nothing, or anything that ends in a dot.
                let mut seen = false;
                let from = reach.clone();
                for k in 0..=path.len() {
                    reach[k] = from[k] || (seen && k > 0 && path[k - 1] == b'.');
                    seen |= from[k];
                }
                rest = &rest[3..];
            } else if rest.starts_with(b"**") {
                let mut seen = false;
                for slot in &mut reach {
                    seen |= *slot;
                    *slot = seen;
                }
                rest = &rest[2..];
            } else if c == b'*' {
                for k in 1..=path.len() {
                    reach[k] |= reach[k - 1] && path[k - 1] != b'.';
                }
                rest = &rest[1..];
            } else {
                for k in (1..=path.len()).rev() {
                    reach[k] = reach[k - 1] && path[k - 1] == c;
                }
                reach[0] = false;
                rest = &rest[1..];
            }
        }
        reach[path.len()]
    }
}

/// Byte of the pattern before what is left of it.
fn before(text: &str, rest: &[u8]) -> u8 {
    text.as_bytes()[text.len() - rest.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Glob::new(pattern).matches(path)
    }

    #[test]
    fn a_star_stays_within_a_level() {
        assert!(matches("*.ball", "cue.ball"));
        assert!(matches("*.ball", "rack[3].ball"));
        assert!(!matches("*.ball", "ball"));
        assert!(!matches("*.ball", "a.b.ball"));
        assert!(matches("table.cushion_*", "table.cushion_px"));
        assert!(!matches("table.cushion_*", "table.cloth"));
        assert!(matches("rack[*].ball", "rack[14].ball"));
        assert!(!matches("rack[*].ball", "rack.ball"));
        assert!(matches("sleeve.*", "sleeve.left"));
        assert!(matches("*", "ball") && !matches("*", "cue.ball"));
    }

    #[test]
    fn two_stars_cross_levels() {
        assert!(matches("**.foot", "middle.left.spoke[2].foot"));
        assert!(matches("**.foot", "foot"));
        assert!(!matches("**.foot", "barefoot"));
        assert!(matches("a.**.foot", "a.foot") && matches("a.**.foot", "a.b.c.foot"));
        assert!(matches("**", "a.b") && matches("a**", "a.b"));
    }

    #[test]
    fn a_plain_path_matches_itself() {
        assert!(matches("cue.ball", "cue.ball") && !matches("cue.ball", "cue.balls"));
        assert!(Glob::new("cue.ball").is_plain() && !Glob::new("*").is_plain());
    }
}
