//! A folder that a run may write into: empty or a run's, and locked.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::lock::{Lock, Owner};
use crate::store::sums_of;
use crate::tables::Table;
use crate::{Error, files, layout};

/// A run folder that this process alone writes into, for as long as a copy of this lives.
#[derive(Clone, Debug)]
pub struct RunFolder {
    dir: PathBuf,
    _lock: Arc<Lock>,
    dead: Option<Owner>,
    force: bool,
}

impl RunFolder {
    /// Takes a folder for a new run; it is made if there is none. Refuses one that holds anything but a run (E0711)
    /// and one that another process writes into (E0712). `force` believes that the process of another host has died,
    /// and gives up changes that were made to the run's own files.
    pub fn claim(dir: &Path, force: bool) -> Result<Self, Error> {
        fs::create_dir_all(dir).map_err(Error::write(dir))?;
        if let Some(entry) = foreign_entry(dir)? {
            return Err(Error::NotEmpty { dir: dir.to_owned(), entry });
        }
        Self::lock(dir, force)
    }

    /// Takes the folder of a run that is there (E0701 if there is none).
    pub fn open(dir: &Path, force: bool) -> Result<Self, Error> {
        if !dir.join(layout::RUN_JSON).is_file() {
            return Err(Error::NotARun { dir: dir.to_owned() });
        }
        Self::lock(dir, force)
    }

    fn lock(dir: &Path, force: bool) -> Result<Self, Error> {
        let (lock, dead) = Lock::take(dir, force)?;
        let folder = Self { dir: dir.to_owned(), _lock: Arc::new(lock), dead, force };
        folder.sweep()?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Who held it and has died without giving it back.
    pub fn taken_over(&self) -> Option<&Owner> {
        self.dead.as_ref()
    }

    /// Were changes to the run's own files given up?
    pub(crate) fn is_forced(&self) -> bool {
        self.force
    }

    /// Removes what kills have left of files that were being written.
    fn sweep(&self) -> Result<(), Error> {
        let names = own_names();
        for entry in fs::read_dir(&self.dir).map_err(Error::read(&self.dir))?.flatten() {
            if files::is_temporary_of(&entry.file_name().to_string_lossy(), &names) {
                files::remove_if_present(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// Names of all files of a run.
fn own_names() -> Vec<String> {
    let tables = Table::ALL.iter().flat_map(|table| {
        let sums = sums_of(Path::new(&table.stream_file())).to_string_lossy().into_owned();
        [table.stream_file(), sums, table.parquet_file()]
    });
    tables.chain(layout::OWN_FILES.map(str::to_owned)).collect()
}

/// Something in a folder that is no run's; `None` if it is empty or a run's.
fn foreign_entry(dir: &Path) -> Result<Option<String>, Error> {
    if is_a_run(&dir.join(layout::RUN_JSON)) {
        return Ok(None);
    }
    let names = own_names();
    // A run that was killed at its very start leaves its lock and the beginning of its first file.
    let is_of_start = |name: &str| name == layout::LOCK || files::is_temporary_of(name, &names);
    let entries = fs::read_dir(dir).map_err(Error::read(dir))?.flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    // Of several the first by name, so that the message is the same everywhere.
    Ok(names.filter(|name| !is_of_start(name)).min())
}

/// Is this file the manifest of a run, of any version?
fn is_a_run(run_json: &Path) -> bool {
    let value = fs::read(run_json).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    value.is_some_and(|value| value["schema"].is_u64() && value["program"]["version"].is_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};

    #[test]
    fn what_is_no_runs_is_refused_whatever_its_name() {
        for name in ["model.toml", "notes.txt", "run.json", "states.parquet", "checkpoint.bin", ".git"] {
            let dir = TempDir::new("foreign");
            fs::write(dir.path().join(name), "mine").unwrap();
            for force in [false, true] {
                let error = RunFolder::claim(dir.path(), force).unwrap_err();
                assert!(error.code() == "E0711" && error.to_string().contains(name), "{error}");
            }
            let left: Vec<_> = fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name()).collect();
            assert_eq!(left, [name], "nothing was written");
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), "mine");
        }
    }

    #[test]
    fn a_runs_folder_can_be_taken_again_and_swept() {
        let dir = TempDir::new("again");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let file = |name: &str| dir.path().join(name);
        fs::write(file("run.json.77-0.tmp"), "half").unwrap();
        fs::write(file("states.parquet.77-3.tmp"), "half").unwrap();
        fs::write(file("notes.txt.77-3.tmp"), "mine").unwrap();
        RunFolder::claim(dir.path(), false).unwrap();
        assert!(!file("run.json.77-0.tmp").exists() && !file("states.parquet.77-3.tmp").exists());
        assert!(file("notes.txt.77-3.tmp").exists());
    }

    #[test]
    fn a_start_that_was_killed_leaves_a_folder_for_the_next() {
        let dir = TempDir::new("start");
        fs::write(dir.path().join(layout::LOCK), "").unwrap();
        fs::write(dir.path().join("run.json.77-0.tmp"), "{\"schema\"").unwrap();
        RunFolder::claim(dir.path(), false).unwrap();
        assert!(fs::read_dir(dir.path()).unwrap().next().is_none());
    }

    #[test]
    fn there_must_be_a_run_to_open() {
        let dir = TempDir::new("open");
        assert_eq!(RunFolder::open(dir.path(), true).unwrap_err().code(), "E0701");
    }
}
