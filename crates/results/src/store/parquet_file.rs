//! Parquet file of one table: zstd unless rows are few, byte-stream-split numbers, dictionaries for words only.
//!
//! Row groups, and the parts in which they are handed to the encoders, have sizes that depend on the columns alone, so
//! that the same rows give the same bytes however they came, in memory that does not grow with their number.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use super::batch;
use super::batches::{Batches, batch_rows};
use crate::Error;
use crate::files::Temporary;
use crate::tables::{Column, Columns, Kind};

/// Cells of a row group: 16 MB of numbers, so that a reader can skip through time.
const GROUP_CELLS: usize = 1 << 21;
/// Cells that wait for the encoders: 1 MB of numbers.
const PART_CELLS: usize = 1 << 17;
/// Tables of fewer rows are not compressed: their columns gain a few kilobytes, and each costs an encoder.
const FEW_ROWS: usize = 1000;
/// zstd level: 3 is its default, higher ones gain under 2 % on byte-stream-split numbers.
const ZSTD_LEVEL: i32 = 3;

/// A file that is being written under a temporary name.
pub(crate) struct ParquetFile {
    path: PathBuf,
    temporary: Temporary,
    schema: SchemaRef,
    /// Until the first part, which says whether there are many rows.
    waiting: Option<(File, WriterPropertiesBuilder)>,
    writer: Option<ArrowWriter<BufWriter<File>>>,
    pending: Columns,
    part_rows: usize,
    parts_of_group: usize,
    /// Parts that the row group has.
    parts: usize,
    rows: u64,
}

impl ParquetFile {
    /// An empty table that will become `path`.
    pub(crate) fn create(
        path: &Path,
        columns: Vec<Column>,
        about: &[(String, String)],
    ) -> Result<Self, Error> {
        let (temporary, file) = Temporary::create(path).map_err(Error::write(path))?;
        // The metadata of the run goes to the file's key-value metadata, not into the Arrow schema too.
        let schema = batch::schema(&columns, &[]);
        let waiting = Some((file, properties(&columns, about)));
        let part_rows = (PART_CELLS / columns.len()).max(1);
        let parts_of_group = (GROUP_CELLS / columns.len() / part_rows).max(1);
        let (path, pending) = (path.to_owned(), Columns::new(columns));
        let (writer, parts, rows) = (None, 0, 0);
        Ok(Self { path, temporary, schema, waiting, writer, pending, part_rows, parts_of_group, parts, rows })
    }

    /// Appends rows.
    pub(crate) fn write(&mut self, batch: &Columns) -> Result<(), Error> {
        let mut start = 0;
        while start < batch.rows() {
            let end = batch.rows().min(start + self.part_rows - self.pending.rows());
            self.pending.append(batch, start..end);
            if self.pending.rows() == self.part_rows {
                self.write_part()?;
            }
            start = end;
        }
        Ok(())
    }

    fn write_part(&mut self) -> Result<(), Error> {
        let batch = batch::to_batch(&self.schema, &self.pending)
            .map_err(|error| write_error(&self.path)(ParquetError::from(error)))?;
        let writer = match self.waiting.take() {
            None => self.writer.as_mut(),
            Some((file, properties)) => {
                let has_few_rows = self.pending.rows() < FEW_ROWS.min(self.part_rows);
                let properties = if has_few_rows {
                    properties
                } else {
                    compressed(properties).map_err(write_error(&self.path))?
                };
                let properties = Some(properties.build());
                let writer = ArrowWriter::try_new(BufWriter::new(file), self.schema.clone(), properties);
                Some(self.writer.insert(writer.map_err(write_error(&self.path))?))
            }
        };
        let Some(writer) = writer else { return Ok(()) };
        writer.write(&batch).map_err(write_error(&self.path))?;
        self.rows += self.pending.rows() as u64;
        self.pending.clear();
        self.parts += 1;
        if self.parts == self.parts_of_group {
            writer.flush().map_err(write_error(&self.path))?;
            self.parts = 0;
        }
        Ok(())
    }

    /// Completes the file and gives it its name; returns the number of rows.
    pub(crate) fn close(mut self) -> Result<u64, Error> {
        // A table without rows is a file, too.
        if self.pending.rows() > 0 || self.writer.is_none() {
            self.write_part()?;
        }
        if let Some(writer) = self.writer {
            let file = writer.into_inner().map_err(write_error(&self.path))?;
            let file = file.into_inner().map_err(|error| Error::write(&self.path)(error.into_error()))?;
            file.sync_data().map_err(Error::write(&self.path))?;
        }
        self.temporary.put(&self.path).map_err(Error::write(&self.path))?;
        Ok(self.rows)
    }
}

fn compressed(properties: WriterPropertiesBuilder) -> Result<WriterPropertiesBuilder, ParquetError> {
    Ok(properties.set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?)))
}

fn properties(columns: &[Column], about: &[(String, String)]) -> WriterPropertiesBuilder {
    let about = about.iter().map(|(key, text)| KeyValue::new(key.clone(), text.clone())).collect();
    let mut builder = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(None)
        .set_key_value_metadata(Some(about));
    for column in columns {
        let path = ColumnPath::from(vec![column.name()]);
        builder = match column.kind {
            Kind::Float => builder.set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT),
            Kind::Word => builder.set_column_dictionary_enabled(path, true),
            Kind::Text | Kind::Count | Kind::Index => builder,
        };
    }
    builder
}

/// The rows of a Parquet file in these of its columns.
pub(super) fn parquet_batches(path: &Path, columns: Vec<Column>) -> Result<Batches, Error> {
    let file = crate::files::open(path)?;
    let of_columns = |builder: ParquetRecordBatchReaderBuilder<File>| {
        let builder = builder.with_batch_size(batch_rows(columns.len()));
        let names: HashSet<String> = columns.iter().map(Column::name).collect();
        // By their places: names of ours have points, which are paths there.
        let own =
            builder.schema().fields().iter().enumerate().filter(|(_, field)| names.contains(field.name()));
        let own: Vec<usize> = own.map(|(place, _)| place).collect();
        let mask = ProjectionMask::roots(builder.parquet_schema(), own);
        builder.with_projection(mask).build()
    };
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)
        .and_then(of_columns)
        .map_err(|error| Error::damaged(path, error))?;
    Ok(Batches::new(path, columns, Box::new(reader)))
}

fn write_error(path: &Path) -> impl FnOnce(ParquetError) -> Error + '_ {
    move |error| {
        let source = match error {
            ParquetError::External(source) => match source.downcast::<std::io::Error>() {
                Ok(source) => *source,
                Err(other) => std::io::Error::other(other),
            },
            other => std::io::Error::other(other),
        };
        Error::Write { path: path.to_owned(), source }
    }
}

/// Any columns as a Parquet file, which is replaced at once; `about` is its metadata.
pub fn write_parquet(path: &Path, columns: &Columns, about: &[(String, String)]) -> Result<(), Error> {
    let mut file = ParquetFile::create(path, columns.columns().to_vec(), about)?;
    file.write(columns)?;
    file.close().map(|_| ())
}
