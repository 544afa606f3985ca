//! The words of a column, each once.

use std::collections::HashMap;
use std::ops::Deref;

/// Words in order of appearance, found by a look-up.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: Vec<String>,
    index: HashMap<String, i32>,
}

impl Vocabulary {
    /// Index of `word`, which is added if it is new. Words mostly come in the same order again and again: the one after
    /// `last` is tried first.
    pub(crate) fn key_of(&mut self, word: &str, last: Option<i32>) -> i32 {
        let next = last.map_or(0, |key| key + 1);
        if self.words.get(next as usize).is_some_and(|w| w == word) {
            return next;
        }
        if let Some(&key) = self.index.get(word) {
            return key;
        }
        let key = i32::try_from(self.words.len()).expect("a vocabulary is as small as the model");
        self.words.push(word.to_owned());
        self.index.insert(word.to_owned(), key);
        key
    }
}

impl Deref for Vocabulary {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.words
    }
}

impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}
