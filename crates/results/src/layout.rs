//! Names inside a run folder, and of the folder itself.

use std::path::{Path, PathBuf};

use crate::files;

/// Provenance, manifest and statistics.
pub const RUN_JSON: &str = "run.json";
/// The model file as given.
pub const MODEL_TOML: &str = "model.toml";
/// The model in SI units, expanded.
pub const RESOLVED_JSON: &str = "resolved.json";
/// What the run was asked for.
pub(crate) const MODEL_FILES: [&str; 2] = [MODEL_TOML, RESOLVED_JSON];
/// What happened to the run, one JSON object a line.
pub(crate) const LOG_JSONL: &str = "log.jsonl";
/// State from which the run can go on.
pub(crate) const CHECKPOINT: &str = "checkpoint.bin";
/// Shapes of the bodies.
pub(crate) const SHAPES: &str = "shapes.bin";
/// The report of `carom-report`.
pub const REPORT_HTML: &str = "report.html";
/// Who writes into the folder.
pub(crate) const LOCK: &str = "run.lock";
/// Room on the disk for the checkpoint of a run that has filled it.
pub(crate) const RESERVE: &str = "reserve.bin";
/// Files of a run beside its tables.
pub(crate) const OWN_FILES: [&str; 9] =
    [RUN_JSON, MODEL_TOML, RESOLVED_JSON, LOG_JSONL, CHECKPOINT, SHAPES, REPORT_HTML, LOCK, RESERVE];

/// The model file or the resolved model of a run, `most` bytes at most; none if there is none to be read.
pub fn read_model_file(dir: &Path, name: &str, most: u64) -> Option<String> {
    files::read_text(&dir.join(name), most).ok()
}

/// Folder of a run that was given no `--out`: `root/NAME-HASH8`.
pub fn run_folder(root: &Path, model_name: &str, model_hash: &str) -> PathBuf {
    let name: String = model_name
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    // A leading dot would hide the folder, and `..` would leave the root.
    let name = name.trim_start_matches('.');
    let name = if name.is_empty() { "model" } else { name };
    let hash: String = model_hash.chars().take(8).collect();
    root.join(format!("{name}-{hash}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_name_and_eight_digits_of_the_hash() {
        let dir = run_folder(Path::new("runs"), "torus-sphere", "3f9a1c22aabbccdd");
        assert_eq!(dir, Path::new("runs/torus-sphere-3f9a1c22"));
    }

    #[test]
    fn a_name_cannot_leave_the_root() {
        assert_eq!(run_folder(Path::new("runs"), "../x/y", "0123456789"), Path::new("runs/-x-y-01234567"));
        assert_eq!(run_folder(Path::new("runs"), "..", "0123456789"), Path::new("runs/model-01234567"));
    }
}
