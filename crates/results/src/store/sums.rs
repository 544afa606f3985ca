//! Checksums of a growing stream, in a file beside it: after each batch how many bytes the stream has and what they hash to.
//! Only bytes that they vouch for are decoded, so that a kill costs at most the batch under way and a changed byte is found.
//!
//! A record: length of the stream (u64, little endian; the highest bit marks the first record of a part), BLAKE3 of the
//! stream up to there, and the first eight bytes of the BLAKE3 of both. Records have one length and no separator: a cut
//! one is a kill's, a changed one is damage. A resumed run begins a part: its stream is another one than that of the
//! parts before, which a kill may have left in its place.

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Error, files};

/// Bytes of a record.
const RECORD: usize = 8 + 32 + 8;
/// Marks the first record of a part.
const FIRST: u64 = 1 << 63;
/// Largest file of checksums that is read (bytes): 20 million batches.
const MOST: u64 = 1 << 30;

/// Where the checksums of a stream are.
pub(crate) fn path_of(stream: &Path) -> PathBuf {
    stream.with_extension("sums")
}

/// Checksums of a stream that is being written.
pub(super) struct Sums {
    path: PathBuf,
    file: Option<File>,
    /// Bytes of the file: whole records.
    length: u64,
    /// Records that are not in the file yet.
    pending: Vec<u8>,
    hasher: blake3::Hasher,
    bytes: u64,
    /// Parts before this one.
    parts: usize,
}

impl Sums {
    /// Of a new stream: what is known of an earlier one is removed.
    pub(super) fn anew(stream: &Path) -> Result<Self, Error> {
        let path = path_of(stream);
        files::remove_if_present(&path)?;
        // Before the stream has a byte: one without the file has lost it.
        let file = File::create_new(&path).map_err(Error::write(&path))?;
        Ok(Self::new(path, Some(file), 0, 0))
    }

    /// Of a stream that will take the place of another, in a part of its own.
    pub(super) fn after(stream: &Path) -> Result<Self, Error> {
        let path = path_of(stream);
        let known = read_records(&path)?.unwrap_or_default();
        let parts = known.iter().filter(|r| r.is_first).count();
        Ok(Self::new(path, None, (known.len() * RECORD) as u64, parts))
    }

    fn new(path: PathBuf, file: Option<File>, length: u64, parts: usize) -> Self {
        Self { path, file, length, pending: Vec::new(), hasher: blake3::Hasher::new(), bytes: 0, parts }
    }

    /// Number of this part: streams of different parts say it in their first bytes, so that they are told apart.
    pub(super) fn part(&self) -> usize {
        self.parts
    }

    /// Takes in what has been appended to the stream.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let first = if self.bytes == 0 { FIRST } else { 0 };
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        let start = self.pending.len();
        self.pending.extend((self.bytes | first).to_le_bytes());
        self.pending.extend(self.hasher.finalize().as_bytes());
        let check = check_of(&self.pending[start..]);
        self.pending.extend(check);
    }

    /// Writes the records to their file. After an error it can be tried again.
    pub(super) fn settle(&mut self) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(open(&self.path)?),
        };
        let mut write = || {
            // A record that a kill or a full disk has cut would shift those after it.
            file.set_len(self.length)?;
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(&self.pending)
        };
        write().map_err(Error::write(&self.path))?;
        self.length += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Hands the records to the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.settle()?;
        self.file.as_ref().map_or(Ok(()), File::sync_data).map_err(Error::write(&self.path))
    }
}

fn open(path: &Path) -> Result<File, Error> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        files::remove_if_present(path)?;
    }
    OpenOptions::new().create(true).write(true).truncate(false).open(path).map_err(Error::write(path))
}

fn check_of(bytes: &[u8]) -> [u8; 8] {
    let mut check = [0; 8];
    check.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    check
}

/// A record as read.
#[derive(Clone, Copy, Debug)]
struct Record {
    bytes: u64,
    hash: [u8; 32],
    is_first: bool,
}

/// Complete records; `None` if there is no such file.
fn read_records(path: &Path) -> Result<Option<Vec<Record>>, Error> {
    let bytes = match files::read(path, MOST) {
        Err(Error::Read { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let damaged = || Error::damaged(path, "it has been changed after it was written");
    let mut records = Vec::with_capacity(bytes.len() / RECORD);
    for record in bytes.chunks_exact(RECORD) {
        let (content, check) = record.split_at(RECORD - 8);
        let (length, hash) = content.split_first_chunk::<8>().ok_or_else(damaged)?;
        let hash = *hash.first_chunk::<32>().ok_or_else(damaged)?;
        let length = u64::from_le_bytes(*length);
        if check != check_of(content) {
            return Err(damaged());
        }
        records.push(Record { bytes: length & !FIRST, hash, is_first: length & FIRST != 0 });
    }
    Ok(Some(records))
}

/// How much of a stream its checksums vouch for.
pub(crate) struct Vouched {
    /// Length of what is as it was written.
    pub(crate) bytes: u64,
    /// What is wrong with the rest, if it is not that a kill cut it off.
    pub(crate) damage: Option<Error>,
}

/// Holds a stream against its checksums. An error is that one of the two cannot be read.
pub(crate) fn vouched(stream: &Path) -> Result<Vouched, Error> {
    let sums = path_of(stream);
    // First the checksums: of a stream that is being written they are behind.
    let records = match read_records(&sums) {
        Ok(Some(records)) => records,
        Ok(None) => return Ok(Vouched { bytes: 0, damage: Some(Error::damaged(&sums, "it is missing")) }),
        Err(damage @ Error::Damaged { .. }) => return Ok(Vouched { bytes: 0, damage: Some(damage) }),
        Err(error) => return Err(error),
    };
    let mut file = BufReader::with_capacity(1 << 20, files::open(stream)?);
    let read_error = |source| Error::read(stream)(source);
    let length = file.get_ref().metadata().map_err(read_error)?.len();
    let mut is_cut = records.is_empty();
    for part in records.chunk_by(|_, next| !next.is_first).rev() {
        if part[0].bytes > length {
            is_cut = true;
            continue;
        }
        file.rewind().map_err(read_error)?;
        let mut hasher = blake3::Hasher::new();
        let mut vouched = 0;
        for record in part.iter().take_while(|r| r.bytes <= length) {
            let step = record.bytes.saturating_sub(vouched);
            let read = hash_next(&mut file, step, &mut hasher).map_err(read_error)?;
            if read < step || *hasher.finalize().as_bytes() != record.hash {
                break;
            }
            vouched = record.bytes;
        }
        if vouched == 0 {
            continue;
        }
        let reached = part.iter().rev().find(|r| r.bytes <= length).is_none_or(|r| r.bytes == vouched);
        let message = format!("it has been changed after it was written, behind byte {vouched}");
        return Ok(Vouched { bytes: vouched, damage: (!reached).then(|| Error::damaged(stream, message)) });
    }
    let damage = (!is_cut).then(|| Error::damaged(stream, "it has been changed after it was written"));
    Ok(Vouched { bytes: 0, damage })
}

fn hash_next(file: &mut impl Read, bytes: u64, hasher: &mut blake3::Hasher) -> std::io::Result<u64> {
    std::io::copy(&mut file.by_ref().take(bytes), hasher)
}
