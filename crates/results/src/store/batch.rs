//! Columns to Arrow record batches and back.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_array::{UInt16Array, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::tables::{Column, Columns, Kind, Values};

/// Arrow schema of a table; unit, frame and meaning are metadata of the fields, `about` of the whole.
pub(super) fn schema(columns: &[Column], about: &[(String, String)]) -> SchemaRef {
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let about: HashMap<String, String> = about.iter().cloned().collect();
    Arc::new(Schema::new_with_metadata(fields, about))
}

fn field(column: &Column) -> Field {
    let data_type = match column.kind {
        Kind::Float => DataType::Float64,
        Kind::Word => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        Kind::Text => DataType::Utf8,
        Kind::Count => DataType::UInt32,
        Kind::Index => DataType::UInt16,
    };
    let metadata = [("unit", column.unit), ("frame", column.frame), ("meaning", column.meaning)]
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(key, text)| (key.to_owned(), text.to_owned()))
        .collect();
    Field::new(column.name(), data_type, false).with_metadata(metadata)
}

/// All rows as one record batch.
pub(super) fn to_batch(schema: &SchemaRef, columns: &Columns) -> Result<RecordBatch, ArrowError> {
    let array = |index: usize| -> Result<ArrayRef, ArrowError> {
        Ok(match columns.values(index) {
            Values::Float(values) => Arc::new(Float64Array::from(values.clone())),
            Values::Count(values) if columns.columns()[index].kind == Kind::Index => {
                // A column of indices is made for numbers below its count.
                Arc::new(UInt16Array::from_iter_values(values.iter().map(|&value| value as u16)))
            }
            Values::Count(values) => Arc::new(UInt32Array::from(values.clone())),
            Values::Text(values) => Arc::new(StringArray::from_iter_values(values)),
            Values::Word { keys, vocabulary } => Arc::new(DictionaryArray::<Int32Type>::try_new(
                Int32Array::from(keys.clone()),
                Arc::new(StringArray::from_iter_values(vocabulary.iter())),
            )?),
        })
    };
    let arrays = (0..columns.columns().len()).map(array).collect::<Result<Vec<_>, _>>()?;
    RecordBatch::try_new(schema.clone(), arrays)
}

/// Appends the rows of `batch`, whose columns are found by name.
pub(super) fn append_batch(columns: &mut Columns, batch: &RecordBatch) -> Result<(), String> {
    let schema = batch.schema();
    for index in 0..columns.columns().len() {
        let name = columns.columns()[index].name();
        // They are in order but for files of other versions; a search by name compares thousands of them for each.
        let in_place = schema.fields().get(index).is_some_and(|field| *field.name() == name);
        let array = if in_place { Some(batch.column(index)) } else { batch.column_by_name(&name) };
        let array = array.ok_or_else(|| format!("column \"{name}\" is missing"))?;
        append_array(columns.values_mut(index), array).ok_or_else(|| {
            format!("column \"{name}\" has the type {} or missing values", array.data_type())
        })?;
    }
    columns.set_rows(columns.rows() + batch.num_rows());
    Ok(())
}

fn append_array(values: &mut Values, array: &ArrayRef) -> Option<()> {
    if array.null_count() > 0 {
        return None;
    }
    match values {
        Values::Float(values) => {
            values.extend_from_slice(array.as_primitive_opt::<Float64Type>()?.values());
        }
        Values::Count(values) => match array.as_primitive_opt::<UInt16Type>() {
            Some(indices) => values.extend(indices.values().iter().map(|&index| u32::from(index))),
            None => values.extend_from_slice(array.as_primitive_opt::<UInt32Type>()?.values()),
        },
        Values::Text(values) => {
            let array = array.as_string_opt::<i32>()?;
            values.extend((0..array.len()).map(|row| array.value(row).to_owned()));
        }
        Values::Word { keys, vocabulary } => {
            let array = array.as_dictionary_opt::<Int32Type>()?;
            let words = array.values().as_string_opt::<i32>()?;
            // The vocabulary follows the rows, not the file's dictionary: same rows, same vocabulary.
            let mut translated: Vec<Option<i32>> = vec![None; words.len()];
            for &key in array.keys().values() {
                let slot = translated.get_mut(usize::try_from(key).ok()?)?;
                keys.push(*slot.get_or_insert_with(|| vocabulary.key_of(words.value(key as usize), None)));
            }
        }
    }
    Some(())
}
