//! `run --watch`: files whose change asks for another run.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::interrupt;

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(150);
/// A file that is being saved may be gone, empty or half for so long.
const SETTLE: Duration = Duration::from_millis(120);

/// Size and time of change; none of a file that is not there.
type Stamp = Option<(u64, SystemTime)>;

/// Files of a model, as they were when it was read.
pub(crate) struct Watched {
    files: Vec<(PathBuf, Stamp)>,
    looked: Instant,
    changed: bool,
}

fn stamp(file: &Path) -> Stamp {
    let data = fs::metadata(file).ok()?;
    Some((data.len(), data.modified().ok()?))
}

impl Watched {
    /// The model file, before it is read.
    pub(crate) fn new(file: &Path) -> Self {
        Self { files: vec![(file.to_owned(), stamp(file))], looked: Instant::now(), changed: false }
    }

    /// Files that the model has named besides. One that changes before it is seen here is not noticed.
    pub(crate) fn add(&mut self, files: &[PathBuf]) {
        for file in files {
            if self.files.iter().all(|(known, _)| known != file) {
                self.files.push((file.clone(), stamp(file)));
            }
        }
    }

    /// Has one of them changed? Asked often, it looks now and then.
    pub(crate) fn has_changed(&mut self) -> bool {
        if !self.changed && self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            self.changed = self.files.iter().any(|(file, before)| stamp(file) != *before);
        }
        self.changed
    }

    /// Waits for a change that has come to rest; false if the user asks for the end.
    pub(crate) fn wait(mut self) -> bool {
        while !self.has_changed() {
            if interrupt::is_asked() {
                return false;
            }
            thread::sleep(LOOK / 3);
        }
        let stamps = || self.files.iter().map(|(file, _)| stamp(file)).collect::<Vec<_>>();
        let mut last = stamps();
        loop {
            thread::sleep(SETTLE);
            let now = stamps();
            if interrupt::is_asked() {
                return false;
            }
            // An editor may put another file in its place: until then it is gone.
            if now == last && now[0].is_some() {
                return true;
            }
            last = now;
        }
    }
}
