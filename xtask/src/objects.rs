//! Objects of the engine that do too much: types with many methods.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::rooms::code_of;

/// Methods of a type, those of traits among them.
const MOST_METHODS: usize = 40;

const SOURCES: &str = "crates/engine/src/";

/// Types of the engine with more methods than that.
pub(crate) fn check(root: &Path, files: &[String]) -> Vec<String> {
    let mut methods: BTreeMap<String, usize> = BTreeMap::new();
    for name in files.iter().filter(|name| name.starts_with(SOURCES) && name.ends_with(".rs")) {
        let Ok(text) = fs::read_to_string(root.join(name)) else { continue };
        for (object, count) in count_methods(&text) {
            *methods.entry(object).or_default() += count;
        }
    }
    let crowded = methods.into_iter().filter(|(_, count)| *count > MOST_METHODS);
    crowded
        .map(|(object, count)| format!("{SOURCES}: {object} has {count} methods, more than {MOST_METHODS}"))
        .collect()
}

/// Methods by type in the `impl` blocks of a formatted file, without its tests.
fn count_methods(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut object: Option<String> = None;
    for line in code_of(text).lines() {
        if let Some(head) = line.strip_prefix("impl") {
            object = object_of(head);
        } else if line.starts_with('}') {
            object = None;
        } else if let Some(object) = &object
            && is_method(line)
        {
            *counts.entry(object.clone()).or_default() += 1;
        }
    }
    counts
}

/// Type that the head of an `impl` block, behind that word, is of.
fn object_of(head: &str) -> Option<String> {
    let mut depth = 0;
    let outside: String = head
        .chars()
        .filter(|c| {
            depth += i32::from(*c == '<') - i32::from(*c == '>');
            depth == 0 && *c != '>'
        })
        .collect();
    let target = outside.split(" for ").last()?;
    let name = target.trim().split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next()?;
    name.rsplit("::").next().filter(|name| !name.is_empty()).map(str::to_owned)
}

fn is_method(line: &str) -> bool {
    let Some(item) = line.strip_prefix("    ").filter(|item| !item.starts_with(' ')) else { return false };
    let mut words = item.split_whitespace().filter(|word| !word.starts_with("pub"));
    words.find(|word| !["const", "unsafe"].contains(word)) == Some("fn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_all_blocks_are_counted() {
        let text = "impl<'a, T: Into<f64>> Held<'a, T> {\n    pub(crate) fn one(&self) {\n        fn inner() {}\n    }\n}\n\
                    impl fmt::Debug for Held<'_, u8> {\n    fn fmt(&self) {}\n}\nfn free() {}\nimpl Other {\n    const fn two() {}\n}\n\
                    #[cfg(test)]\nmod tests {\nimpl Held {\n    fn no() {}\n}\n}\n";
        let counts = count_methods(text);
        assert_eq!(counts.get("Held"), Some(&2));
        assert_eq!(counts.get("Other"), Some(&1));
        assert_eq!(counts.len(), 2);
    }
}
