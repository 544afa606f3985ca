//! Result files read by a program that shares no code with the writer: pyarrow, in an environment of its
//! own under the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{call, works};

const REQUIREMENTS: &str = "tests/python/requirements.txt";
const SCRIPT: &str = "tests/python/read_back.py";

/// Checks run folders.
pub(crate) fn check(runs: &[PathBuf]) -> Result<(), String> {
    let python = environment(&crate::target()?.join("venv"))?;
    call(Command::new(python).arg(SCRIPT).args(runs))
}

/// The environment's Python; it is made where it is missing, or was made for other requirements.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let python = if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") };
    let wanted = crate::root().join(REQUIREMENTS);
    let wanted =
        fs::read_to_string(&wanted).map_err(|error| format!("cannot read {REQUIREMENTS}: {error}"))?;
    let mark = folder.join("requirements.txt");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let system = ["python3", "python"].into_iter().find(|name| works(Command::new(name).arg("--version")));
    let system = system.ok_or("Python is missing: install Python 3.9 or later")?;
    call(Command::new(system).args(["-m", "venv", "--clear"]).arg(folder))?;
    call(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--no-input", "-r", REQUIREMENTS]))?;
    fs::write(&mark, wanted).map_err(|error| format!("cannot write {}: {error}", mark.display()))?;
    Ok(python)
}
