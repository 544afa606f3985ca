//! Files that are never seen half written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// Name beside `path` under which it is written before it gets its own.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".tmp");
    path.with_file_name(name)
}

/// Replaces `path` at once: a reader, and a kill, sees the old or the new contents.
pub(crate) fn write_atomically(path: &Path, parts: &[&[u8]]) -> Result<(), Error> {
    let temporary = temporary(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.sync_data()?;
        fs::rename(&temporary, path)
    };
    write().map_err(Error::write(path))
}

/// Removes a file that may not be there.
pub(crate) fn remove_if_present(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path)(error)),
        _ => Ok(()),
    }
}

/// Opens a regular file: a device or a pipe may never end, or never begin.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let refused = |what: &str| Error::read(path)(io::Error::new(io::ErrorKind::InvalidInput, what));
    let kind = fs::metadata(path).map_err(Error::read(path))?.file_type();
    if !kind.is_file() {
        return Err(refused(if kind.is_dir() {
            "it is a folder"
        } else {
            "it is a device or a pipe, not a file"
        }));
    }
    File::open(path).map_err(Error::read(path))
}

/// Contents of a regular file of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::read(path))?;
    if read as u64 > most {
        let message = format!("it has more than {most} bytes, the most that are read");
        return Err(Error::read(path)(io::Error::new(io::ErrorKind::InvalidInput, message)));
    }
    Ok(bytes)
}

/// Text of a regular file of at most `most` bytes; one that is not UTF-8 is damaged.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    String::from_utf8(read(path, most)?).map_err(|e| {
        Error::damaged(path, format!("it is not UTF-8 text (byte {})", e.utf8_error().valid_up_to()))
    })
}
