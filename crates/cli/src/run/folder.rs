//! The folder of a run.

use std::path::{Path, PathBuf};

use carom_io::LoadedModel;
use carom_results::{RunFolder, run_folder};

use crate::console::Console;
use crate::failure::Failure;

/// Parent of the folders of runs without `--out`.
const ROOT: &str = "runs";

/// The folder: exactly that of `--out`, else one by name and hash.
pub(crate) fn of(out: Option<&Path>, loaded: &LoadedModel) -> PathBuf {
    out.map_or_else(|| run_folder(Path::new(ROOT), &loaded.model.name, &loaded.hash), Path::to_owned)
}

/// Takes the folder for this process, and says so if it was another's that has died.
pub(crate) fn take(dir: &Path, resume: bool, force: bool, console: &Console) -> Result<RunFolder, Failure> {
    let folder = if resume { RunFolder::open(dir, force) } else { RunFolder::claim(dir, force) }?;
    say_if_taken_over(&folder, console);
    Ok(folder)
}

/// Says whose folder it was.
pub(crate) fn say_if_taken_over(folder: &RunFolder, console: &Console) {
    if let Some(owner) = folder.taken_over() {
        console.note(&format!("took over \"{}\": its run has died ({owner})\n", folder.path().display()));
    }
}
