//! `run.lock`: who writes into a run folder.
//!
//! The operating system holds the lock for the life of the process, so that a process number that is used again is no
//! owner; the text in the file says to people who it is. Where the file system has no locks, and for locks of another
//! host, whose system's locks may not be seen here, the text decides.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{io, thread};

use serde::{Deserialize, Serialize};

use crate::manifest::{Host, now};
use crate::{Error, files, layout};

/// Times that a lock is tried for: `info` holds it for a moment when it looks.
const TRIES: u32 = 5;
/// Time between two of them.
const BETWEEN: Duration = Duration::from_millis(40);

/// Who holds a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Number of the process.
    pub process: u32,
    /// Its host.
    pub host: String,
    /// When it took the folder, UTC.
    pub started: String,
    /// Start of the process by the system's own count, with which no later process of the same number can be taken for
    /// it; empty where the system does not tell.
    #[serde(default)]
    process_start: String,
}

impl Owner {
    /// This process.
    fn this() -> Self {
        let process = std::process::id();
        Self {
            process,
            host: Host::name_of_this(),
            started: now(),
            process_start: start_of(process).unwrap_or_default(),
        }
    }

    fn is_of_this_host(&self) -> bool {
        self.host == Host::name_of_this()
    }

    /// Does the process live? Asked only where the system has no locks; one that nobody can tell of may live.
    fn may_live(&self) -> bool {
        if !Path::new("/proc/self/stat").is_file() || self.process_start.is_empty() {
            return true;
        }
        start_of(self.process).is_some_and(|start| start == self.process_start)
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} on {}, since {}", self.process, self.host, self.started)
    }
}

/// The system's start and the ticks from there to the start of a process: field 22 of `/proc/PID/stat`
/// (proc_pid_stat(5)).
fn start_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may hold anything.
    let ticks = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Some(format!("{}:{ticks}", boot.trim()))
}

/// What can be said of a folder's lock from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nobody writes.
    No,
    /// Somebody writes; by name if it can be told.
    Yes(Option<Owner>),
    /// A process of another host wrote here; whether it still does cannot be told from here.
    Elsewhere(Owner),
}

/// Who writes into `dir`?
pub fn held(dir: &Path) -> Held {
    let path = dir.join(layout::LOCK);
    let Ok(file) = File::open(&path) else { return Held::No };
    match (file.try_lock_shared(), read_text(&path)) {
        (Err(TryLockError::WouldBlock), owner) => Held::Yes(owner),
        (_, Some(owner)) if !owner.is_of_this_host() => Held::Elsewhere(owner),
        (Err(TryLockError::Error(_)), Some(owner)) if owner.may_live() => Held::Yes(Some(owner)),
        _ => Held::No,
    }
}

/// Holds a folder until it is dropped, or the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// The system's lock is that of the open file.
    _file: File,
}

impl Lock {
    /// Takes the lock of `dir`. Gives the owner that has died with it, if there is one. Refuses (E0712) while another
    /// process holds it, and if one of another host does or has done, unless `force` says that it has died.
    pub(crate) fn take(dir: &Path, force: bool) -> Result<(Self, Option<Owner>), Error> {
        let path = dir.join(layout::LOCK);
        let in_use =
            |owner, elsewhere| Error::InUse { dir: dir.to_owned(), owner: Box::new(owner), elsewhere };
        for _ in 0..TRIES {
            let mut file = open(&path).map_err(Error::write(&path))?;
            let is_locked = match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(BETWEEN);
                    continue;
                }
                // The file system has no locks.
                Err(TryLockError::Error(_)) => false,
            };
            let dead = text_of(&mut file);
            if let Some(owner) = &dead {
                if !owner.is_of_this_host() && !force {
                    return Err(in_use(dead, true));
                }
                if !is_locked && owner.is_of_this_host() && owner.may_live() && *owner != Owner::this() {
                    return Err(in_use(dead, false));
                }
            }
            let owner = Owner::this();
            write_text(&mut file, &owner).map_err(Error::write(&path))?;
            // An owner that has just ended may have removed the file between its opening and its locking: then this is
            // the lock of a file that nobody sees.
            if read_text(&path).as_ref() == Some(&owner) {
                return Ok((Self { path, _file: file }, dead));
            }
        }
        Err(in_use(read_text(&path), false))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is held: who opens it from now on makes a new one. What stays is taken for a dead owner's.
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens or makes the file of a lock, and nothing else.
fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn write_text(file: &mut File, owner: &Owner) -> io::Result<()> {
    let mut text = serde_json::to_vec(owner)?;
    text.push(b'\n');
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    files::write_all(file, &text)?;
    file.flush()
}

fn text_of(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    // A lock is a line; what is longer is none.
    file.take(4096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn read_text(path: &Path) -> Option<Owner> {
    text_of(&mut File::open(path).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TempDir;

    fn leave(dir: &TempDir, owner: &Owner) {
        fs::write(dir.path().join(layout::LOCK), serde_json::to_vec(owner).unwrap()).unwrap();
    }

    #[test]
    fn one_holds_it_and_the_other_is_told_by_whom() {
        let dir = TempDir::new("lock");
        assert_eq!(held(dir.path()), Held::No);
        let (lock, dead) = Lock::take(dir.path(), false).unwrap();
        assert_eq!(dead, None);
        let Held::Yes(Some(owner)) = held(dir.path()) else { panic!("held by this process") };
        assert_eq!(owner.process, std::process::id());
        for force in [false, true] {
            let error = Lock::take(dir.path(), force).unwrap_err();
            assert_eq!(error.code(), "E0712");
            assert!(error.to_string().contains(&std::process::id().to_string()), "{error}");
        }
        drop(lock);
        assert!(!dir.path().join(layout::LOCK).exists());
        Lock::take(dir.path(), false).unwrap();
    }

    /// The number is that of this very process, which lives: only the lock of the system says that its owner does not.
    #[test]
    fn a_process_number_that_was_used_again_is_no_owner() {
        let dir = TempDir::new("lock-reused");
        let old =
            Owner { started: "2020-01-01T00:00:00Z".into(), process_start: "b:1".into(), ..Owner::this() };
        leave(&dir, &old);
        assert_eq!(held(dir.path()), Held::No);
        assert_eq!(Lock::take(dir.path(), false).unwrap().1, Some(old.clone()));
        if Path::new("/proc/self/stat").is_file() {
            assert!(!old.may_live() && Owner::this().may_live());
        }
    }

    #[test]
    fn another_host_is_believed_unless_told() {
        let dir = TempDir::new("lock-elsewhere");
        let other = Owner { host: "far.example".into(), ..Owner::this() };
        leave(&dir, &other);
        assert_eq!(held(dir.path()), Held::Elsewhere(other.clone()));
        let error = Lock::take(dir.path(), false).unwrap_err();
        assert!(error.code() == "E0712" && error.to_string().contains("far.example"), "{error}");
        assert!(error.help().contains("--force"), "{}", error.help());
        assert_eq!(Lock::take(dir.path(), true).unwrap().1, Some(other));
    }

    #[test]
    fn a_damaged_text_keeps_nobody_out() {
        let dir = TempDir::new("lock-damaged");
        fs::write(dir.path().join(layout::LOCK), b"\xff{").unwrap();
        Lock::take(dir.path(), false).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let dir = TempDir::new("lock-link");
        let target = dir.path().join("mine");
        fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(&target, dir.path().join(layout::LOCK)).unwrap();
        assert_eq!(Lock::take(dir.path(), true).unwrap_err().code(), "E0705");
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    }
}
