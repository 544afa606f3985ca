//! `checkpoint.bin`: the engine's state and the number of rows that each table had at that moment.
//!
//! Layout: magic, length of the header (u64, little endian), header (JSON), state (zstd), FNV-1a hash of
//! everything before it (u64).

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::tables::Table;
use crate::{Error, SCHEMA_VERSION, files, layout};

/// zstd level: numbers that repeat, such as those of pairs that never touched, need no more.
const ZSTD_LEVEL: i32 = 1;
/// No state is larger (bytes): a damaged file cannot ask for more.
const MOST_STATE: u64 = 1 << 34;
/// Largest checkpoint that is read (bytes).
const MOST: u64 = 4 << 30;

const MAGIC: &[u8; 8] = b"CAROMCP\x02";
/// That of schema 2, whose state is not compressed.
const MAGIC_OF_TWO: &[u8; 8] = b"CAROMCP\x01";

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    schema: u32,
    model_hash: String,
    rows: BTreeMap<String, u64>,
    /// Bytes of the state.
    state: u64,
}

/// A checkpoint as read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checkpoint {
    pub(crate) model_hash: String,
    rows: BTreeMap<String, u64>,
    pub(crate) state: Vec<u8>,
}

impl Checkpoint {
    pub(crate) fn rows(&self, table: Table) -> u64 {
        self.rows.get(table.name()).copied().unwrap_or(0)
    }
}

/// Writes a checkpoint, all or nothing; returns its size (bytes).
pub(crate) fn write(
    dir: &Path,
    model_hash: &str,
    rows: impl IntoIterator<Item = (Table, u64)>,
    state: &[u8],
) -> Result<u64, Error> {
    let path = dir.join(layout::CHECKPOINT);
    let header = Header {
        schema: SCHEMA_VERSION,
        model_hash: model_hash.to_owned(),
        rows: rows.into_iter().map(|(table, n)| (table.name().to_owned(), n)).collect(),
        state: state.len() as u64,
    };
    let state = &zstd::bulk::compress(state, ZSTD_LEVEL).map_err(Error::write(&path))?;
    let header = serde_json::to_vec(&header).map_err(|e| Error::write(&path)(std::io::Error::other(e)))?;
    let length = (header.len() as u64).to_le_bytes();
    let hash = fnv1a(&[MAGIC, &length, &header, state]).to_le_bytes();
    let parts = [MAGIC.as_slice(), &length, &header, state, &hash];
    files::write_atomically(&path, &parts)?;
    Ok(parts.iter().map(|part| part.len() as u64).sum())
}

/// Does a run folder hold one?
pub fn has_checkpoint(dir: &Path) -> bool {
    dir.join(layout::CHECKPOINT).is_file()
}

/// Reads the checkpoint of a run folder.
pub(crate) fn read(dir: &Path) -> Result<Checkpoint, Error> {
    let path = dir.join(layout::CHECKPOINT);
    let bytes = match files::read(&path, MOST) {
        Err(Error::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::NoCheckpoint { dir: dir.to_owned() });
        }
        other => other?,
    };
    let damaged = || Error::damaged(&path, "the checkpoint is not complete");
    let (body, hash) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
    if fnv1a(&[body]) != u64::from_le_bytes(*hash) {
        return Err(damaged());
    }
    if body.starts_with(MAGIC_OF_TWO) {
        return Err(Error::OtherSchema { dir: dir.to_owned(), found: 2 });
    }
    let rest = body.strip_prefix(MAGIC.as_slice()).ok_or_else(damaged)?;
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
    let (header, state) = rest.split_at_checked(length).ok_or_else(damaged)?;
    let header: Header = serde_json::from_slice(header).map_err(|error| Error::damaged(&path, error))?;
    if header.schema != SCHEMA_VERSION {
        return Err(Error::OtherSchema { dir: dir.to_owned(), found: header.schema });
    }
    let size = usize::try_from(header.state.min(MOST_STATE)).map_err(|_| damaged())?;
    let state = zstd::bulk::decompress(state, size).map_err(|error| Error::damaged(&path, error))?;
    if state.len() as u64 != header.state {
        return Err(damaged());
    }
    Ok(Checkpoint { model_hash: header.model_hash, rows: header.rows, state })
}

fn fnv1a(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::TempDir;

    #[test]
    fn round_trip() {
        let dir = TempDir::new("checkpoint");
        write(dir.path(), "abc", [(Table::States, 7), (Table::Events, 3)], b"state").unwrap();
        let back = read(dir.path()).unwrap();
        assert_eq!(back.state, b"state");
        assert_eq!(back.model_hash, "abc");
        assert_eq!((back.rows(Table::States), back.rows(Table::Events), back.rows(Table::Steps)), (7, 3, 0));
    }

    #[test]
    fn a_cut_or_changed_file_is_refused() {
        let dir = TempDir::new("checkpoint-cut");
        write(dir.path(), "abc", [(Table::States, 7)], b"state").unwrap();
        let path = dir.path().join(layout::CHECKPOINT);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(dir.path()).unwrap_err().code(), "E0704", "cut at {length}");
        }
        for position in 0..whole.len() {
            let mut changed = whole.clone();
            changed[position] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(read(dir.path()).unwrap_err().code(), "E0704", "changed at {position}");
        }
    }

    #[test]
    fn one_of_an_older_schema_is_named() {
        let dir = TempDir::new("checkpoint-two");
        let body = b"CAROMCP\x01whatever it held";
        fs::write(dir.path().join(layout::CHECKPOINT), [&body[..], &fnv1a(&[body]).to_le_bytes()].concat())
            .unwrap();
        let error = read(dir.path()).unwrap_err();
        assert!(error.code() == "E0708" && error.to_string().contains("not resumed"), "{error}");
    }

    #[test]
    fn without_one_the_code_says_so() {
        let dir = TempDir::new("checkpoint-none");
        assert_eq!(read(dir.path()).unwrap_err().code(), "E0703");
    }
}
