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
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Name in messages.
    pub(crate) name: String,
    /// Whole text.
    pub(crate) text: String,
    /// Where relative paths of the text start.
    pub(crate) folder: PathBuf,
    /// Rank in the order of definitions: included files come before the file that includes them.
    pub(crate) rank: usize,
}

/// All texts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

/// A place as people count: from one, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Characters to underline, within the line.
    pub(crate) length: usize,
    pub(crate) source_line: String,
}

impl Sources {
    /// Adds a text and gives its index.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: impl Into<String>, folder: &Path) -> usize {
        self.0.push(Source { name: name.into(), text: text.into(), folder: folder.to_owned(), rank: 0 });
        self.0.len() - 1
    }

    /// Line, column and length of a span.
    pub(crate) fn place(&self, span: Span) -> Place {
        let text = &self.0[span.file].text;
        let start = floor_char_boundary(text, span.start);
        let end = floor_char_boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |k| k + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |k| start + k);
        let source_line = text[line_start..line_end].trim_end_matches('\r');
        let underlined_end = end.min(line_start + source_line.len()).max(start);
        Place {
            line: text[..start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            length: text[start..underlined_end].chars().count().max(1),
            source_line: source_line.to_owned(),
        }
    }

    /// Text of a span.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.0[span.file].text.get(span.start..span.end).unwrap_or("")
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
    fn a_span_at_the_end_of_the_text_is_a_place() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "x =", Path::new(""));
        let place = sources.place(Span { file, start: 90, end: 95 });
        assert_eq!((place.line, place.column, place.length), (1, 4, 1));
    }
}
