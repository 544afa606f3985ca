//! Files that are never seen half written, and never written where a link leads.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::Error;

#[cfg(test)]
pub(crate) mod quota;

/// Names tried for a temporary file before giving up.
const NAMES: u32 = 1000;

/// A file that is written beside its place and put there as a whole; it goes away if that does not happen.
pub(crate) struct Temporary {
    /// Where it is; empty once it has its place.
    path: PathBuf,
}

impl Temporary {
    /// A new file beside `path`. Nothing that is there already is opened: neither a file nor a link.
    pub(crate) fn create(path: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for number in 0..NAMES {
            let temporary = path.with_file_name(format!("{name}.{}-{number}.tmp", std::process::id()));
            match File::create_new(&temporary) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                other => return other.map(|file| (Self { path: temporary }, file)),
            }
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "too many temporary files"))
    }

    /// Gives it its place, at once; a link that is there is replaced, not followed.
    pub(crate) fn put(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.path = PathBuf::new();
        Ok(())
    }

    /// Gives it a place that a user has named.
    pub(crate) fn put_result(self, path: &Path, replace: bool) -> Result<(), Error> {
        let put = if replace { self.put(path) } else { self.put_new(path) };
        put.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::Exists { path: path.to_owned() },
            _ => Error::write(path)(error),
        })
    }

    /// Gives it its place unless something is there.
    fn put_new(self, path: &Path) -> io::Result<()> {
        // A hard link fails where a rename replaces. Where there are no hard links a look has to do.
        match fs::hard_link(&self.path, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            Err(_) if fs::symlink_metadata(path).is_ok() => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => self.put(path),
            Ok(()) => Ok(()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // What stays behind is swept by the next run.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Is this the name of a temporary file of one of `names`?
pub(crate) fn is_temporary_of(name: &str, names: &[String]) -> bool {
    let Some((of, number)) = name.strip_suffix(".tmp").and_then(|rest| rest.rsplit_once('.')) else {
        return false;
    };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    number.split_once('-').is_some_and(|(process, n)| is_number(process) && is_number(n))
        && names.iter().any(|name| name == of)
}

/// Writes to a file, within the quota that a test may have set.
pub(crate) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    quota::charge(bytes.len())?;
    file.write_all(bytes)
}

fn write_temporary(path: &Path, parts: &[&[u8]]) -> io::Result<Temporary> {
    let (temporary, mut file) = Temporary::create(path)?;
    for part in parts {
        write_all(&mut file, part)?;
    }
    file.sync_data()?;
    Ok(temporary)
}

/// Replaces `path` at once: a reader, and a kill, sees the old or the new contents.
pub(crate) fn write_atomically(path: &Path, parts: &[&[u8]]) -> Result<(), Error> {
    write_temporary(path, parts).and_then(|temporary| temporary.put(path)).map_err(Error::write(path))
}

/// May a file that a user has named be written? What is there may be replaced if `replace` says so (E0713 otherwise),
/// and never a device or folder.
pub(crate) fn may_write(path: &Path, replace: bool) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(_) if !replace => Err(Error::Exists { path: path.to_owned() }),
        Ok(there) if !there.is_file() && !there.is_symlink() => {
            Err(Error::write(path)(io::Error::other("it is not a file")))
        }
        _ => Ok(()),
    }
}

/// Writes a file that a user has named, all or nothing. What is there is replaced if `replace` says so (E0713
/// otherwise).
pub fn write_result(path: &Path, bytes: &[u8], replace: bool) -> Result<(), Error> {
    may_write(path, replace)?;
    write_temporary(path, &[bytes]).map_err(Error::write(path))?.put_result(path, replace)
}

/// A new file in a run folder, in place of what an earlier run has left there.
pub(crate) fn create_anew(path: &Path) -> Result<File, Error> {
    remove_if_present(path)?;
    File::create_new(path).map_err(Error::write(path))
}

/// Opens a file of a run folder for more, and makes it if it is missing. A link there is no file of the run.
pub(crate) fn append(path: &Path) -> Result<File, Error> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        remove_if_present(path)?;
    }
    OpenOptions::new().create(true).append(true).open(path).map_err(Error::write(path))
}

/// Removes a file that may not be there.
pub(crate) fn remove_if_present(path: &Path) -> Result<(), Error> {
    #[cfg(test)]
    quota::give_back(path);
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::write(path)(error)),
        _ => Ok(()),
    }
}

/// Opens a regular file: a device or a pipe may never end, or never begin.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let refused = |what: &str| Error::read(path)(io::Error::new(ErrorKind::InvalidInput, what));
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
        return Err(Error::read(path)(io::Error::new(ErrorKind::InvalidInput, message)));
    }
    Ok(bytes)
}

/// Text of a regular file of at most `most` bytes; one that is not UTF-8 is damaged.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    String::from_utf8(read(path, most)?).map_err(|e| {
        Error::damaged(path, format!("it is not UTF-8 text (byte {})", e.utf8_error().valid_up_to()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TempDir;

    fn names(dir: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(dir.path()).unwrap().flatten();
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_users_file_is_replaced_only_when_told() {
        let dir = TempDir::new("result");
        let path = dir.path().join("mine.svg");
        write_result(&path, b"first", false).unwrap();
        assert_eq!(write_result(&path, b"second", false).unwrap_err().code(), "E0713");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write_result(&path, b"second", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(write_result(dir.path(), b"x", true).unwrap_err().code(), "E0705");
        assert_eq!(names(&dir), ["mine.svg"], "nothing stays behind");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        use std::os::unix::fs::symlink;
        let dir = TempDir::new("links");
        let secret = dir.path().join("secret");
        fs::write(&secret, "mine").unwrap();
        let file = dir.path().join("run.json");
        // At the place, and at each name that a temporary file could have.
        symlink(&secret, &file).unwrap();
        for number in 0..5 {
            let name = format!("run.json.{}-{number}.tmp", std::process::id());
            symlink(&secret, dir.path().join(name)).unwrap();
        }
        write_atomically(&file, &[b"theirs"]).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"theirs");
        fs::remove_file(&file).unwrap();
        symlink(&secret, &file).unwrap();
        append(&file).unwrap().write_all(b"line").unwrap();
        fs::remove_file(&file).unwrap();
        symlink(&secret, &file).unwrap();
        create_anew(&file).unwrap().write_all(b"stream").unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
    }

    #[test]
    fn only_the_programs_own_leftovers_are_swept() {
        let known = ["run.json".to_owned(), "states.arrows".to_owned()];
        assert!(is_temporary_of("run.json.12-0.tmp", &known));
        for users in ["run.json.tmp", "run.json.12.tmp", "notes.12-0.tmp", "run.json.12-a.tmp", "12-0.tmp"] {
            assert!(!is_temporary_of(users, &known), "{users}");
        }
    }
}
