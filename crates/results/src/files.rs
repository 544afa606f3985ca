//! Files that are never seen half written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
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
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::write(path)(error)),
        _ => Ok(()),
    }
}
