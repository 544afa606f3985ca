//! Loading a model from a file or from standard input.

use std::path::Path;

use carom_io::import::{is_robot_file, load_robot};
use carom_io::{LoadedModel, MAX_FILE_SIZE, Overrides, Report, load, load_str, read_at_most, text_of};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::import::ImportArgs;
use crate::patience::patiently;

/// Name of standard input on the command line and in messages.
pub(crate) const STDIN: &str = "-";

/// Loads `file`, or standard input for `-`; robot files are imported. The outer error is a failure to read
/// standard input.
pub(crate) fn open(
    file: &Path,
    overrides: &Overrides,
    import: &ImportArgs,
    console: &Console,
) -> Result<Result<LoadedModel, Report>, Failure> {
    if is_robot_file(file) {
        return Ok(patiently(&long_import(file), console, || load_robot(file, &import.options(), overrides)));
    }
    if file.as_os_str() != STDIN {
        return Ok(load(file, overrides));
    }
    let text = read_at_most(std::io::stdin().lock(), MAX_FILE_SIZE).and_then(text_of).map_err(|reason| {
        Failure::new(exit::NOT_STARTED, format!("cannot read a model from standard input: {reason}"))
    })?;
    Ok(load_str("<stdin>", &text, Path::new("."), overrides))
}

/// What is said of an import that takes long.
pub(crate) fn long_import(file: &Path) -> String {
    format!(
        "reading {}: convex parts of its meshes are sought, at each import (`carom convert` keeps them, --meshes box does without)",
        file.display()
    )
}
