//! Rows of a table in memory, column by column.

use std::ops::Range;

use super::column::{Column, Kind};
use super::vocabulary::Vocabulary;

/// Values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers.
    Float(Vec<f64>),
    /// Words as indices into a vocabulary that grows as words come.
    Word {
        /// One index per row.
        keys: Vec<i32>,
        /// Words in order of appearance.
        vocabulary: Vocabulary,
    },
    /// Texts that differ from row to row.
    Text(Vec<String>),
    /// Counts.
    Count(Vec<u32>),
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Float => Self::Float(Vec::new()),
            Kind::Word => Self::Word { keys: Vec::new(), vocabulary: Vocabulary::default() },
            Kind::Text => Self::Text(Vec::new()),
            Kind::Count | Kind::Index => Self::Count(Vec::new()),
        }
    }

    fn append(&mut self, other: &Self, rows: Range<usize>) {
        match (self, other) {
            (Self::Float(mine), Self::Float(theirs)) => mine.extend_from_slice(&theirs[rows]),
            (Self::Count(mine), Self::Count(theirs)) => mine.extend_from_slice(&theirs[rows]),
            (Self::Text(mine), Self::Text(theirs)) => mine.extend_from_slice(&theirs[rows]),
            (Self::Word { keys, vocabulary }, Self::Word { keys: theirs, vocabulary: words }) => {
                let mut translated: Vec<Option<i32>> = vec![None; words.len()];
                for &key in &theirs[rows] {
                    let slot = &mut translated[key as usize];
                    keys.push(*slot.get_or_insert_with(|| vocabulary.key_of(&words[key as usize], None)));
                }
            }
            _ => unreachable!("tables have the same columns"),
        }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Self::Float(values) => values.truncate(rows),
            Self::Word { keys, .. } => keys.truncate(rows),
            Self::Text(values) => values.truncate(rows),
            Self::Count(values) => values.truncate(rows),
        }
    }
}

/// Columns of equal length with their descriptions.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    columns: Vec<Column>,
    values: Vec<Values>,
    rows: usize,
}

impl Columns {
    /// No rows yet.
    pub fn new(columns: Vec<Column>) -> Self {
        let values = columns.iter().map(|c| Values::new(c.kind)).collect();
        Self { columns, values, rows: 0 }
    }

    /// Descriptions.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Values of column `index`.
    pub fn values(&self, index: usize) -> &Values {
        &self.values[index]
    }

    /// Index of the column that answers to `name`, with or without unit.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.answers_to(name))
    }

    /// Numbers of the column that answers to `name`; `None` if there is no such column of numbers.
    pub fn floats(&self, name: &str) -> Option<&[f64]> {
        match self.values(self.find(name)?) {
            Values::Float(values) => Some(values),
            _ => None,
        }
    }

    /// Counts of the column that answers to `name`.
    pub fn counts(&self, name: &str) -> Option<&[u32]> {
        match self.values(self.find(name)?) {
            Values::Count(values) => Some(values),
            _ => None,
        }
    }

    /// Texts of the column that answers to `name`.
    pub fn texts(&self, name: &str) -> Option<&[String]> {
        match self.values(self.find(name)?) {
            Values::Text(values) => Some(values),
            _ => None,
        }
    }

    /// Words of the column that answers to `name`, row by row.
    pub fn words<'a>(&'a self, name: &str) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
        let (keys, vocabulary) = self.word_keys(name)?;
        Some(keys.iter().map(|&k| vocabulary[k as usize].as_str()))
    }

    /// Words of the column that answers to `name`: one index per row, and what the indices mean.
    pub fn word_keys(&self, name: &str) -> Option<(&[i32], &[String])> {
        match self.values(self.find(name)?) {
            Values::Word { keys, vocabulary } => Some((keys, vocabulary)),
            _ => None,
        }
    }

    /// Starts a row; its cells are pushed in the order of the columns.
    pub fn row(&mut self) -> Row<'_> {
        Row { columns: self, next: 0 }
    }

    /// Forgets all rows; vocabularies stay.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.values.iter_mut().for_each(|v| v.truncate(rows));
        self.rows = self.rows.min(rows);
    }

    /// Appends rows of a table with the same columns.
    pub fn append(&mut self, other: &Self, rows: Range<usize>) {
        assert_eq!(self.columns.len(), other.columns.len(), "tables have the same columns");
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            mine.append(theirs, rows.clone());
        }
        self.rows += rows.len();
    }

    pub(crate) fn values_mut(&mut self, index: usize) -> &mut Values {
        &mut self.values[index]
    }

    /// Tells how many rows there are after values were appended column by column.
    pub(crate) fn set_rows(&mut self, rows: usize) {
        self.rows = rows;
    }
}

/// A row that is being pushed.
pub struct Row<'a> {
    columns: &'a mut Columns,
    next: usize,
}

impl Row<'_> {
    fn cell(&mut self) -> &mut Values {
        self.next += 1;
        &mut self.columns.values[self.next - 1]
    }

    /// The next cell is a number.
    pub fn float(&mut self, value: f64) -> &mut Self {
        match self.cell() {
            Values::Float(values) => values.push(value),
            _ => unreachable!("column {} is not one of numbers", self.next - 1),
        }
        self
    }

    /// The next cells are numbers.
    pub fn floats<'v>(&mut self, values: impl IntoIterator<Item = &'v f64>) -> &mut Self {
        for value in values {
            self.float(*value);
        }
        self
    }

    /// The next cell is a word.
    pub fn word(&mut self, word: &str) -> &mut Self {
        match self.cell() {
            Values::Word { keys, vocabulary } => {
                let key = vocabulary.key_of(word, keys.last().copied());
                keys.push(key);
            }
            _ => unreachable!("column {} is not one of words", self.next - 1),
        }
        self
    }

    /// The next cell is a text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        match self.cell() {
            Values::Text(values) => values.push(text.to_owned()),
            _ => unreachable!("column {} is not one of texts", self.next - 1),
        }
        self
    }

    /// The next cell is a count.
    pub fn count(&mut self, value: u32) -> &mut Self {
        match self.cell() {
            Values::Count(values) => values.push(value),
            _ => unreachable!("column {} is not one of counts", self.next - 1),
        }
        self
    }

    /// Ends the row, which must be complete.
    pub fn end(&mut self) {
        assert_eq!(self.next, self.columns.columns.len(), "a row has one cell per column");
        self.columns.rows += 1;
    }
}
