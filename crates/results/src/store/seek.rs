//! A table whose rows are found by their times: what is read of a long run is what is looked at.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::file::metadata::PageIndexPolicy;

use super::batches::{Batches, batch_rows};
use crate::Error;
use crate::tables::{Column, Columns};

/// Rows of one column that are read at once: 1 MB of numbers.
const ROWS_OF_TIMES: usize = 1 << 17;
/// Rows of a page of a column, at most (the writer's default).
const ROWS_OF_PAGE: i64 = 20_000;
/// What it costs to begin with a page of a column, in cells.
const COST_OF_PAGE: usize = 10_000;

/// A Parquet file with the times of its rows.
pub(crate) struct Seekable {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    columns: Vec<Column>,
    /// Times (s) of rows that follow each other and have the same one, and the first row of each.
    spans: Vec<(f64, usize)>,
    rows: usize,
}

impl Seekable {
    /// Reads the times of all rows, and where pages of the file begin; a table without times has none.
    pub(crate) fn open(path: &Path, columns: Vec<Column>) -> Result<Self, Error> {
        let file = crate::files::open(path)?;
        // With the places of pages, those without a wanted row are not even unpacked.
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let metadata =
            ArrowReaderMetadata::load(&file, options).map_err(|error| Error::damaged(path, error))?;
        let rows = usize::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or(0);
        let mut table = Self { path: path.to_owned(), metadata, columns, spans: Vec::new(), rows };
        table.spans = table.read_spans(file)?;
        Ok(table)
    }

    fn read_spans(&self, file: File) -> Result<Vec<(f64, usize)>, Error> {
        let damaged = |error: &dyn std::fmt::Display| Error::damaged(&self.path, error);
        let time = self.columns.first().map(Column::name).unwrap_or_default();
        let mask = ProjectionMask::columns(self.metadata.parquet_schema(), [time.as_str()]);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(mask)
            .with_batch_size(ROWS_OF_TIMES)
            .build()
            .map_err(|error| damaged(&error))?;
        let mut spans: Vec<(f64, usize)> = Vec::new();
        let mut row = 0;
        for batch in reader {
            let batch = batch.map_err(|error| damaged(&error))?;
            let column = batch.columns().first().and_then(|array| array.as_primitive_opt::<Float64Type>());
            let times = column.ok_or_else(|| damaged(&"its first column has no times"))?.values();
            for &time in times {
                // A time that is not a number is another one each time.
                if spans.last().is_none_or(|(last, _)| *last != time) {
                    spans.push((time, row));
                }
                row += 1;
            }
        }
        Ok(spans)
    }

    /// Times (s), each once where the rows of each follow each other, as they come.
    pub(crate) fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        self.spans.iter().map(|(time, _)| *time)
    }

    /// Cells of the table.
    pub(crate) fn cells(&self) -> usize {
        self.rows * self.columns.len()
    }

    /// Times (by number) whose rows are packed together, one stretch after the other.
    pub(crate) fn stretches(&self) -> Vec<Range<usize>> {
        let mut stretches = Vec::new();
        let (mut row, mut first) = (0, 0);
        for group in self.metadata.metadata().row_groups() {
            row += usize::try_from(group.num_rows()).unwrap_or(0);
            let end = self.spans.partition_point(|(_, start)| *start < row);
            stretches.push(first..end);
            first = end;
        }
        stretches.retain(|stretch| !stretch.is_empty());
        stretches
    }

    /// What it costs to read the rows of one time, in cells that are unpacked: of each column a page.
    pub(crate) fn cost_of_one_time(&self) -> usize {
        let row_groups = self.metadata.metadata().row_groups();
        let page = row_groups.first().map_or(0, |group| group.num_rows()).min(ROWS_OF_PAGE);
        let own = self.rows / self.spans.len().max(1);
        (usize::try_from(page).unwrap_or(0).max(own) + COST_OF_PAGE) * self.columns.len()
    }

    /// Rows whose time is wanted.
    pub(crate) fn read(&self, is_wanted: &dyn Fn(f64) -> bool) -> Result<Columns, Error> {
        let mut found = Columns::new(self.columns.clone());
        let ranges = self.ranges(is_wanted);
        if ranges.is_empty() {
            return Ok(found);
        }
        let file = crate::files::open(&self.path)?;
        let (groups, ranges, rows) = self.groups_of(&ranges);
        let selection = RowSelection::from_consecutive_ranges(ranges.into_iter(), rows);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_row_groups(groups)
            .with_row_selection(selection)
            .with_batch_size(batch_rows(self.columns.len()))
            .build()
            .map_err(|error| Error::damaged(&self.path, error))?;
        Batches::new(&self.path, self.columns.clone(), Box::new(reader)).feed(&mut |batch| {
            found.append(batch, 0..batch.rows());
            Ok(())
        })?;
        Ok(found)
    }

    /// Row groups that have some of these rows, the same rows counted within them alone, and how many rows they have: of others, too,
    /// each column would get a decoder.
    fn groups_of(&self, ranges: &[Range<usize>]) -> (Vec<usize>, Vec<Range<usize>>, usize) {
        let (mut groups, mut own) = (Vec::new(), Vec::new());
        let (mut first, mut before) = (0, 0);
        for (number, group) in self.metadata.metadata().row_groups().iter().enumerate() {
            let end = first + usize::try_from(group.num_rows()).unwrap_or(0);
            let inside = ranges.iter().map(|range| range.start.max(first)..range.end.min(end));
            let inside: Vec<_> = inside.filter(|range| !range.is_empty()).collect();
            if !inside.is_empty() {
                groups.push(number);
                own.extend(
                    inside.iter().map(|range| range.start - first + before..range.end - first + before),
                );
                before += end - first;
            }
            first = end;
        }
        (groups, own, before)
    }

    /// Does any row have a time that is wanted?
    pub(crate) fn has(&self, is_wanted: &dyn Fn(f64) -> bool) -> bool {
        self.spans.iter().any(|(time, _)| is_wanted(*time))
    }

    /// Rows whose time is wanted, those that follow each other together.
    fn ranges(&self, is_wanted: &dyn Fn(f64) -> bool) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let ends = self.spans.iter().skip(1).map(|(_, start)| *start).chain([self.rows]);
        for ((time, start), end) in self.spans.iter().zip(ends) {
            match ranges.last_mut() {
                _ if !is_wanted(*time) => {}
                Some(last) if last.end == *start => last.end = end,
                _ => ranges.push(*start..end),
            }
        }
        ranges
    }
}
