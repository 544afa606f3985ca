use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A folder for one run, removed in the end.
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// A new folder whose name contains `name`.
    pub fn new(name: &str) -> Self {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(env::temp_dir().join(format!("carom-example-{}-{count}-{name}", process::id())))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // A folder that is left behind is no failure of a test.
        let _ = fs::remove_dir_all(&self.0);
    }
}
