//! The shipped examples as templates.
#![allow(clippy::print_stdout)] // this is how a build script speaks to cargo

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    let examples = root.join("examples");
    println!("cargo::rerun-if-changed={}", examples.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("templates.rs");
    fs::write(&out, templates(&examples)).expect("OUT_DIR can be written");
}

/// Source of a table of name, text and the files that the text names, one entry per example.
fn templates(examples: &Path) -> String {
    let mut files: Vec<PathBuf> = fs::read_dir(examples)
        .map(|entries| entries.flatten().filter_map(|entry| entry.path().canonicalize().ok()).collect())
        .unwrap_or_default();
    files.sort();
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e == "toml");
    let (models, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_model);
    let mut source = String::from("&[\n");
    for path in &models {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(path).expect("the file was just listed");
        // Writing to a string cannot fail.
        let _ = write!(source, "    Template {{ name: {name:?}, text: include_str!({path:?}), files: &[");
        for other in &others {
            let name = other.file_name().unwrap_or_default().to_string_lossy();
            if text.contains(&format!("file = {name:?}")) {
                let _ = write!(source, "({name:?}, include_bytes!({other:?})), ");
            }
        }
        source.push_str("] },\n");
    }
    source.push(']');
    source
}
