//! Seeds: the examples and broken models of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Largest seed; larger ones are slow and find no more.
const MOST: usize = 60_000;

/// Root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folder of the examples, in which their meshes lie.
pub(crate) fn examples() -> PathBuf {
    root().join("examples")
}

/// Files of folders below the root, of some endings, by name.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
            if !endings.contains(&ending.as_str()) {
                continue;
            }
            if let Ok(bytes) = fs::read(&path)
                && bytes.len() <= MOST
            {
                let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                found.push((name, bytes));
            }
        }
    }
    found.sort();
    found
}
