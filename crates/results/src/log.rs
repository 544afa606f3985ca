//! `log.jsonl`: what happened to the run, one JSON object a line.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Error, files, layout, manifest};

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The course of things.
    Info,
    /// The user should know.
    Warning,
    /// The run could not go on.
    Error,
}

#[derive(Serialize)]
struct Line<'a> {
    at: String,
    level: Level,
    message: &'a str,
}

pub(crate) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Goes on writing at the end of the file.
    pub(crate) fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(layout::LOG_JSONL);
        let file = files::append(&path)?;
        Ok(Self { path, file })
    }

    pub(crate) fn line(&mut self, level: Level, message: &str) -> Result<(), Error> {
        let line = Line { at: manifest::now(), level, message };
        let mut text =
            serde_json::to_vec(&line).map_err(|e| Error::write(&self.path)(std::io::Error::other(e)))?;
        text.push(b'\n');
        files::write_all(&mut self.file, &text).map_err(Error::write(&self.path))
    }
}
