//! Notes of pairs, those that say the same of many pairs of a line together.

use std::collections::{BTreeMap, BTreeSet};

use crate::Note;

/// Notes of pairs, in the order in which they came.
#[derive(Default)]
pub(super) struct PairNotes {
    /// With how many more like them there are.
    notes: Vec<(Note, usize)>,
    known: BTreeSet<String>,
    /// By contact line, code and wording.
    groups: BTreeMap<(usize, &'static str, String), usize>,
}

impl PairNotes {
    /// Takes the notes of a pair of a contact line. Those that are word by word the same count once.
    pub(super) fn take(&mut self, line: usize, notes: Vec<Note>) {
        for note in notes {
            if !self.known.insert(note.text()) {
                continue;
            }
            let next = self.notes.len();
            let group = *self.groups.entry((line, note.code, wording(&note.message))).or_insert(next);
            match self.notes.get_mut(group) {
                Some((_, more)) => *more += 1,
                None => self.notes.push((note, 0)),
            }
        }
    }

    /// One note of each group, which tells how many more there are.
    pub(super) fn into_notes(self) -> impl Iterator<Item = Note> {
        self.notes.into_iter().map(|(mut note, more)| {
            if more > 0 {
                note.message.push_str(&format!(" (and {more} more like it)"));
            }
            note
        })
    }
}

/// A message without its names, which are in quotes, and without its numbers.
fn wording(message: &str) -> String {
    let unquoted = message.split('"').step_by(2);
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let words = unquoted.flat_map(str::split_whitespace).filter(|word| !is_number(word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::PairNotes;
    use crate::Note;

    #[test]
    fn what_differs_in_names_and_numbers_is_told_once() {
        let told = |pair: &str, words: &str| Note::new("N0410", format!("pair \"{pair}\": {words}"));
        let mut notes = PairNotes::default();
        notes.take(0, vec![told("a|b", "12 elements, felt at 1e-5 m")]);
        notes.take(0, vec![told("a|c", "13 elements, felt at 2e-5 m"), told("a|c", "edges are sharp")]);
        notes.take(0, vec![told("a|d", "13 elements, felt at 2e-5 m"), told("a|c", "edges are sharp")]);
        notes.take(1, vec![told("e|f", "13 elements, felt at 2e-5 m")]);
        let texts: Vec<String> = notes.into_notes().map(|note| note.message).collect();
        let expected = [
            "pair \"a|b\": 12 elements, felt at 1e-5 m (and 2 more like it)",
            "pair \"a|c\": edges are sharp",
            "pair \"e|f\": 13 elements, felt at 2e-5 m",
        ];
        assert_eq!(texts, expected);
    }
}
