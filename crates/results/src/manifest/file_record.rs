//! Checksums of the files of a run.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Error, files};

/// A file of the folder as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Name in the run folder.
    pub file: String,
    /// Length.
    pub bytes: u64,
    /// BLAKE3 of its contents.
    pub blake3: String,
}

impl FileRecord {
    /// Of a file as it is now.
    pub(crate) fn of(dir: &Path, file: &str) -> Result<Self, Error> {
        let path = dir.join(file);
        let mut hasher = blake3::Hasher::new();
        let bytes = std::io::copy(&mut files::open(&path)?, &mut hasher).map_err(Error::read(&path))?;
        Ok(Self { file: file.to_owned(), bytes, blake3: hasher.finalize().to_hex().to_string() })
    }

    /// Is the file still what was written? E0704 if it is not.
    pub(crate) fn verify(&self, dir: &Path) -> Result<(), Error> {
        let path = dir.join(&self.file);
        let now = match Self::of(dir, &self.file) {
            Err(Error::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::damaged(&path, "it is missing"));
            }
            other => other?,
        };
        if now == *self {
            return Ok(());
        }
        let how = if now.bytes == self.bytes {
            String::new()
        } else {
            format!(": it has {} bytes and had {}", now.bytes, self.bytes)
        };
        Err(Error::damaged(&path, format!("it has been changed after it was written{how}")))
    }
}
