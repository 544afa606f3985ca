//! Errors of result files, with stable codes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::Owner;
use crate::manifest::OLDEST_SCHEMA;

/// What went wrong with a run folder.
#[derive(Debug)]
pub enum Error {
    /// E0701: the folder holds no run.
    NotARun {
        /// The folder.
        dir: PathBuf,
    },
    /// E0702: the run belongs to another model.
    OtherModel {
        /// The folder.
        dir: PathBuf,
        /// Model hash in the folder.
        found: String,
        /// Model hash asked for.
        wanted: String,
    },
    /// E0703: nothing to resume from.
    NoCheckpoint {
        /// The folder.
        dir: PathBuf,
    },
    /// E0704: a file of the run cannot be understood.
    Damaged {
        /// The file.
        path: PathBuf,
        /// In what way.
        message: String,
    },
    /// E0705: a file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// E0706: a file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// E0707: no quantity of this name.
    UnknownQuantity {
        /// The name asked for.
        name: String,
        /// Names that are close, best first.
        similar: Vec<String>,
        /// Owners that the run has (bodies, contact lines, `energy`).
        owners: Vec<String>,
    },
    /// E0708: written by a version with another schema.
    OtherSchema {
        /// The folder.
        dir: PathBuf,
        /// Its schema version.
        found: u32,
    },
    /// E0709: the run has no value where one is asked for.
    NoValue {
        /// What is missing and why.
        message: String,
    },
    /// E0710: a CSV file is not a table of numbers.
    Csv {
        /// The file.
        path: PathBuf,
        /// Where, and what is there.
        message: String,
    },
    /// E0711: the folder for a run holds something else.
    NotEmpty {
        /// The folder.
        dir: PathBuf,
        /// Something in it.
        entry: String,
    },
    /// E0712: another process writes into the folder.
    InUse {
        /// The folder.
        dir: PathBuf,
        /// The process, if its text can be read.
        owner: Box<Option<Owner>>,
        /// It is of another host, and may have died.
        elsewhere: bool,
    },
    /// E0713: a file is there and is not replaced.
    Exists {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// Stable code; `carom explain CODE` tells more.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotARun { .. } => "E0701",
            Self::OtherModel { .. } => "E0702",
            Self::NoCheckpoint { .. } => "E0703",
            Self::Damaged { .. } => "E0704",
            Self::Write { .. } => "E0705",
            Self::Read { .. } => "E0706",
            Self::UnknownQuantity { .. } => "E0707",
            Self::OtherSchema { .. } => "E0708",
            Self::NoValue { .. } => "E0709",
            Self::Csv { .. } => "E0710",
            Self::NotEmpty { .. } => "E0711",
            Self::InUse { .. } => "E0712",
            Self::Exists { .. } => "E0713",
        }
    }

    /// What the user can do; empty if that is plain.
    pub fn help(&self) -> String {
        match self {
            Self::NotARun { .. } => "give the folder that `carom run` printed; it holds run.json".into(),
            Self::OtherModel { .. } => "run the model from its start, without --resume".into(),
            Self::NoCheckpoint { .. } => {
                "the first checkpoint is written after 2 s, others every 30 s and on Ctrl-C; run from the start".into()
            }
            Self::Damaged { .. } => {
                "if the run was killed, `carom recover` keeps every complete batch".into()
            }
            Self::Write { .. } if self.is_disk_full() => {
                "free some space, or choose another disk with --out".into()
            }
            Self::UnknownQuantity { similar, owners, .. } => match similar.first() {
                Some(name) => format!("did you mean \"{name}\"?"),
                None => format!("the run has {}", owners.join(", ")),
            },
            Self::Csv { .. } => {
                "the first row has the names, each other row a number for each of them".into()
            }
            Self::NotEmpty { .. } => "give a new or empty folder with --out; nothing was written".into(),
            Self::InUse { elsewhere: true, .. } => {
                "if that run has died, --force takes its folder over; else give another folder with --out".into()
            }
            Self::InUse { .. } => "wait for it to end, stop it, or give another folder with --out".into(),
            Self::Exists { .. } => "--force replaces it; or give another name".into(),
            Self::Write { .. } | Self::Read { .. } | Self::OtherSchema { .. } | Self::NoValue { .. } => {
                String::new()
            }
        }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    /// Could a file not be written for want of space?
    pub fn is_disk_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            Self::Write { source, .. } => {
                matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
            }
            _ => false,
        }
    }

    pub(crate) fn damaged(path: &Path, message: impl fmt::Display) -> Self {
        Self::Damaged { path: path.to_owned(), message: message.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARun { dir } => write!(f, "no run in \"{}\"", dir.display()),
            Self::OtherModel { dir, found, wanted } => write!(
                f,
                "the run in \"{}\" belongs to another model (hash {}, this model has {})",
                dir.display(),
                short(found),
                short(wanted)
            ),
            Self::NoCheckpoint { dir } => write!(f, "no checkpoint in \"{}\"", dir.display()),
            Self::Damaged { path, message } | Self::Csv { path, message } => {
                write!(f, "\"{}\": {message}", path.display())
            }
            Self::Write { path, source } => write!(f, "cannot write \"{}\": {source}", path.display()),
            Self::Read { path, source } => write!(f, "cannot read \"{}\": {source}", path.display()),
            Self::UnknownQuantity { name, .. } => write!(f, "the run has no quantity \"{name}\""),
            Self::OtherSchema { dir, found } => {
                write!(f, "the run in \"{}\" has result schema {found}; ", dir.display())?;
                if is_read(*found) {
                    f.write_str("it is read, but not resumed by this version")
                } else {
                    write!(f, "this version reads {OLDEST_SCHEMA} to {}", crate::SCHEMA_VERSION)
                }
            }
            Self::NoValue { message } => f.write_str(message),
            Self::NotEmpty { dir, entry } => {
                write!(f, "\"{}\" is not empty and holds no run: \"{entry}\" is in it", dir.display())
            }
            Self::InUse { dir, owner, .. } => match &**owner {
                Some(owner) => write!(f, "another run writes into \"{}\": {owner}", dir.display()),
                None => write!(f, "another run writes into \"{}\"", dir.display()),
            },
            Self::Exists { path } => write!(f, "\"{}\" exists and is not replaced", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { source, .. } | Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

fn is_read(schema: u32) -> bool {
    (OLDEST_SCHEMA..=u64::from(crate::SCHEMA_VERSION)).contains(&u64::from(schema))
}

fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}
