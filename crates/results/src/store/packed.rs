//! A table as bytes, for another process.

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;

use super::batch;
use crate::tables::{Column, Columns};

/// All rows as an Arrow IPC stream.
pub(crate) fn pack(columns: &Columns) -> Result<Vec<u8>, String> {
    let written = || -> Result<Vec<u8>, ArrowError> {
        let schema = batch::schema(columns.columns(), &[]);
        let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
        writer.write(&batch::to_batch(&schema, columns)?)?;
        writer.into_inner()
    };
    written().map_err(|error| error.to_string())
}

/// The rows of such a stream.
pub(crate) fn unpack(bytes: &[u8], described: Vec<Column>) -> Result<Columns, String> {
    let mut columns = Columns::new(described);
    for batch in StreamReader::try_new(bytes, None).map_err(|error| error.to_string())? {
        batch::append_batch(&mut columns, &batch.map_err(|error| error.to_string())?)?;
    }
    Ok(columns)
}
