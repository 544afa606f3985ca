//! Texts of the files that make up a model, and places in them.

use std::path::{Path, PathBuf};

/// Part of a source text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Span {
    /// Index into [`Sources`].
    pub(crate) file: usize,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

/// One text: a file, or an override of the command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    /// Name in messages.
    pub(crate) name: String,
    /// Whole text.
    pub(crate) text: String,
    /// Where relative paths of the text start.
    pub(crate) folder: PathBuf,
    /// Rank in the order of definitions: included files come before the file that includes them.
    pub(crate) rank: usize,
    /// First byte of each line.
    lines: Vec<usize>,
    is_ascii: bool,
}

/// Longest line that is shown whole (characters); of others what is around the place.
const SHOWN: usize = 240;
/// Characters shown before the place.
const BEFORE: usize = 80;

/// All texts of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

/// A place as people count: from one, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Characters to underline, within what is shown of the line.
    pub(crate) length: usize,
    /// The line, or what is shown of it.
    pub(crate) source_line: String,
    /// Characters of that before the place.
    pub(crate) indent: usize,
}

impl Source {
    /// Is it from outside the files of the model? Such texts are named by the options that give them.
    pub(crate) fn is_override(&self) -> bool {
        self.name.starts_with("--")
    }
}

impl Sources {
    /// Adds a text and gives its index.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: impl Into<String>, folder: &Path) -> usize {
        let (name, text) = (name.into(), text.into());
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(k, _)| k + 1)).collect();
        let is_ascii = text.is_ascii();
        self.0.push(Source { name, text, folder: folder.to_owned(), rank: 0, lines, is_ascii });
        self.0.len() - 1
    }

    /// Line, column and length of a span.
    pub(crate) fn place(&self, span: Span) -> Place {
        let Source { text, lines, is_ascii, .. } = &self.0[span.file];
        let count = |part: &str| if *is_ascii { part.len() } else { part.chars().count() };
        let start = floor_char_boundary(text, span.start);
        let end = floor_char_boundary(text, span.end).max(start);
        let line = lines.partition_point(|first| *first <= start);
        let line_start = lines[line - 1];
        let line_end = lines.get(line).map_or(text.len(), |next| next - 1);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let underlined_end = end.min(line_end).max(start);
        let (column, length) =
            (count(&text[line_start..start]) + 1, count(&text[start..underlined_end]).max(1));
        let whole = Place { line, column, length, source_line: String::new(), indent: column - 1 };
        if line_end - line_start <= SHOWN {
            return Place { source_line: text[line_start..line_end].to_owned(), ..whole };
        }
        // The place is at the end of the line, or behind its carriage return.
        let (head, tail) = (&text[line_start..start.min(line_end)], &text[start.min(line_end)..line_end]);
        let shown_from = head.char_indices().rev().nth(BEFORE - 1).map_or(0, |(k, _)| k);
        let shown_to = tail.char_indices().nth(SHOWN - BEFORE).map_or(tail.len(), |(k, _)| k);
        let (head, tail) = (&head[shown_from..], &tail[..shown_to]);
        let (left, right) = (
            if shown_from > 0 { "…" } else { "" },
            if shown_to < line_end - start.min(line_end) { "…" } else { "" },
        );
        Place {
            source_line: format!("{left}{head}{tail}{right}"),
            indent: left.chars().count() + count(head),
            length: length.min(count(tail).max(1)),
            ..whole
        }
    }

    /// Text of a span.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.0[span.file].text.get(span.start..span.end).unwrap_or("")
    }
}

/// A text, or its beginning if it is long.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((k, _)) => format!("{}…", &text[..k]),
        None => text.to_owned(),
    }
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|k| text.is_char_boundary(*k)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "x = 1\nµ = \"2 m\"\n", Path::new(""));
        let place = sources.place(Span { file, start: 11, end: 16 });
        assert_eq!((place.line, place.column, place.length), (2, 5, 5));
        assert_eq!(place.source_line, "µ = \"2 m\"");
    }

    #[test]
    fn of_long_lines_the_surroundings_are_shown() {
        let mut sources = Sources::default();
        for filler in ["x", "é"] {
            let text = format!("a\n{}HERE{}\nb", filler.repeat(100_000), filler.repeat(100_000));
            let start = text.find("HERE").unwrap();
            let file = sources.add("a.toml", text, Path::new(""));
            let place = sources.place(Span { file, start, end: start + 4 });
            assert_eq!((place.line, place.column, place.length), (2, 100_001, 4));
            let shown: Vec<char> = place.source_line.chars().collect();
            assert!(shown.len() < 300, "{}", shown.len());
            assert_eq!(shown[place.indent..][..4], ['H', 'E', 'R', 'E']);
            let all = sources.place(Span { file, start: 2, end: start + 50_000 });
            assert!(all.length <= shown.len() && all.indent == 0);
        }
    }

    #[test]
    fn a_span_at_the_end_of_the_text_is_a_place() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "x =", Path::new(""));
        let place = sources.place(Span { file, start: 90, end: 95 });
        assert_eq!((place.line, place.column, place.length), (1, 4, 1));
    }
}
