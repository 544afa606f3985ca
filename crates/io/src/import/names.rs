//! Names as a model file can take them.

use std::collections::BTreeSet;

/// Gives each name one of its own made of letters, digits, `_` and `-`. Equal names get numbers in order.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// With names that are taken already.
    pub(super) fn reserving(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|n| (*n).to_owned()).collect() }
    }

    /// A name for `wanted`; `fallback` if that is empty.
    pub(super) fn pick(&mut self, wanted: &str, fallback: &str) -> String {
        let wanted = if wanted.is_empty() { fallback } else { wanted };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let base: String = wanted.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_differ() {
        let mut names = Names::reserving(&["world"]);
        assert_eq!(names.pick("left.foot [1]", "x"), "left_foot__1_");
        assert_eq!(names.pick("left/foot [1]", "x"), "left_foot__1__2");
        assert_eq!(names.pick("knöchel", "x"), "kn_chel");
        assert_eq!(names.pick("world", "x"), "world_2");
        assert_eq!(names.pick("", "shape"), "shape");
        assert_eq!(names.pick("", "shape"), "shape_2");
    }
}
