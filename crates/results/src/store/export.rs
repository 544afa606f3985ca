//! A table for other programs of the process, by Arrow's C stream interface: numbers stay where they are.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, RecordBatchIterator, StringArray,
    UInt32Array,
};
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer, ToByteSlice};
use arrow_schema::ArrowError;
use bytes::Bytes;

use super::batch;
use crate::tables::{Column, Columns, Kind, Values};

/// A table on its way out, as Arrow's `ArrowArrayStream`.
pub use arrow_array::ffi_stream::FFI_ArrowArrayStream as ArrowStream;

/// One batch of all rows, one chunk a column. It keeps the columns alive; `about` are metadata of the schema.
///
/// # Errors
/// That columns are no Arrow arrays, in words.
pub fn arrow_stream(columns: &Arc<Columns>, about: &[(String, String)]) -> Result<ArrowStream, String> {
    let batch = to_shared_batch(columns, about).map_err(|error| error.to_string())?;
    let schema = batch.schema();
    Ok(ArrowStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))))
}

fn to_shared_batch(columns: &Arc<Columns>, about: &[(String, String)]) -> Result<RecordBatch, ArrowError> {
    // An index is a count in memory, and goes out as what it is there.
    let described = columns.columns().iter().cloned().map(|column| match column.kind {
        Kind::Index => Column { kind: Kind::Count, ..column },
        _ => column,
    });
    let schema = batch::schema(&described.collect::<Vec<_>>(), about);
    let array = |index: usize| -> Result<ArrayRef, ArrowError> {
        Ok(match columns.values(index) {
            Values::Float(_) => Arc::new(Float64Array::new(shared(columns, index), None)),
            Values::Count(_) => Arc::new(UInt32Array::new(shared(columns, index), None)),
            Values::Text(values) => Arc::new(StringArray::from_iter_values(values)),
            Values::Word { vocabulary, .. } => Arc::new(DictionaryArray::<Int32Type>::try_new(
                Int32Array::new(shared(columns, index), None),
                Arc::new(StringArray::from_iter_values(vocabulary.iter())),
            )?),
        })
    };
    let arrays = (0..columns.columns().len()).map(array).collect::<Result<Vec<_>, _>>()?;
    RecordBatch::try_new(schema, arrays)
}

/// The numbers of a column as Arrow's memory.
fn shared<T: ArrowNativeType>(columns: &Arc<Columns>, index: usize) -> ScalarBuffer<T> {
    ScalarBuffer::from(Buffer::from(Bytes::from_owner(Numbers { columns: columns.clone(), index })))
}

/// The numbers of a column, which live as long as anybody reads them.
struct Numbers {
    columns: Arc<Columns>,
    index: usize,
}

impl AsRef<[u8]> for Numbers {
    fn as_ref(&self) -> &[u8] {
        match self.columns.values(self.index) {
            Values::Float(values) => values.to_byte_slice(),
            Values::Count(values) => values.to_byte_slice(),
            Values::Word { keys, .. } => keys.to_byte_slice(),
            Values::Text(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::ffi_stream::ArrowArrayStreamReader;
    use arrow_array::types::Float64Type;

    use super::*;

    #[test]
    fn numbers_go_out_at_their_own_address_and_words_as_they_are() {
        let described =
            vec![Column::float("time", "s", "Time"), Column::word("kind", "Kind"), Column::count("n", "")];
        let mut columns = Columns::new(described);
        for (time, kind, count) in [(0.5, "begin", 7), (1.5, "end", 8), (2.5, "begin", 9)] {
            columns.row().float(time).word(kind).count(count).end();
        }
        let columns = Arc::new(columns);
        let stream = arrow_stream(&columns, &[("carom.schema".to_owned(), "3".to_owned())]).unwrap();
        let mut reader = ArrowArrayStreamReader::try_new(stream).unwrap();
        let batch = reader.next().unwrap().unwrap();
        assert!(reader.next().is_none(), "one chunk a column");
        let time = batch.column(0).as_primitive::<Float64Type>().values();
        assert_eq!(time.as_ptr(), columns.floats("time").unwrap().as_ptr());
        assert_eq!(batch.schema().field(0).metadata()["unit"], "s");
        let words = batch.column(1).as_dictionary::<Int32Type>().downcast_dict::<StringArray>().unwrap();
        assert_eq!(words.into_iter().flatten().collect::<Vec<_>>(), ["begin", "end", "begin"]);
        // The table is alive while anybody reads it.
        drop((reader, columns));
        assert_eq!(time[2], 2.5);
    }
}
