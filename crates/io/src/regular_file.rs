//! Files as they may be read: regular ones, up to a size.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Contents of a regular file of at most `most` bytes; the error is for people. A device or a pipe may never end, or never
/// begin, and is refused.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let kind = fs::metadata(path).map_err(|e| reason(&e))?.file_type();
    if kind.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if !kind.is_file() {
        return Err("it is a device or a pipe, not a file".to_owned());
    }
    read_at_most(File::open(path).map_err(|e| reason(&e))?, most)
}

/// All that a source gives, at most `most` bytes; the error is for people.
pub fn read_at_most(source: impl Read, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| reason(&e))?;
    if read as u64 > most {
        return Err(format!("it has more than {most} bytes, the most that are read"));
    }
    Ok(bytes)
}

/// Short cause of a failed file operation, the same on every system.
pub(crate) fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_or_too_long_is_refused() {
        let says = |path: &str, part: &str| {
            let reason = read_file(Path::new(path), 1 << 20).unwrap_err();
            assert!(reason.contains(part), "{path}: {reason}");
        };
        says(".", "a folder");
        says("nowhere.toml", "no such file");
        #[cfg(unix)]
        {
            says("/dev/zero", "a device or a pipe");
            let pipe = std::env::temp_dir().join(format!("carom-io-pipe-{}", std::process::id()));
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            says(pipe.to_str().unwrap(), "a device or a pipe");
            fs::remove_file(pipe).unwrap();
        }
        assert_eq!(read_at_most(&b"12345"[..], 5).unwrap(), b"12345");
        assert!(read_at_most(&b"123456"[..], 5).unwrap_err().contains("more than 5 bytes"));
        assert!(read_at_most(std::io::repeat(7), 1000).is_err());
    }
}
