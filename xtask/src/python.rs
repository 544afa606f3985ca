//! Checks by programs that share no code with ours, in a Python environment of their own under the target
//! folder: pyarrow reads the result files, numpy and SciPy simulate the same models, SymPy derives the equations of
//! mechanisms, Pinocchio and MuJoCo those of robots.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::stage::{call, works};

const REQUIREMENTS: &str = "tests/python/requirements.txt";
const READ_BACK: &str = "tests/python/read_back.py";
const REFERENCE: &str = "tests/python/reference.py";
const MECHANISMS: &str = "tests/python/mechanisms.py";
const ROBOTS: [&str; 2] = ["tests/python/robots.py", "tests/python/mujoco_robots.py"];

/// Reads the tables of run folders.
pub(crate) fn read_back(runs: &[PathBuf]) -> Result<(), String> {
    call(Command::new(environment()?).arg(READ_BACK).args(runs))
}

/// Holds the release build's motion against an independent simulation.
pub(crate) fn reference() -> Result<(), String> {
    with_release_build(REFERENCE)
}

/// The same of mechanisms, each against its own equations.
pub(crate) fn mechanisms() -> Result<(), String> {
    with_release_build(MECHANISMS)
}

/// Holds the equations of motion of robots against Pinocchio's and MuJoCo's.
pub(crate) fn robots() -> Result<(), String> {
    ROBOTS.into_iter().try_for_each(with_release_build)
}

/// Runs a script that runs the release build.
fn with_release_build(script: &str) -> Result<(), String> {
    let program = crate::target()?.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    call(Command::new(environment()?).arg(script).env("CAROM", program))
}

fn environment() -> Result<PathBuf, String> {
    environment_of("venv", REQUIREMENTS)
}

/// Python of an environment under the target folder; it is made where it is missing, or was made for other requirements.
pub(crate) fn environment_of(name: &str, requirements: &str) -> Result<PathBuf, String> {
    let folder = crate::target()?.join(name);
    let python = if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") };
    let wanted = crate::root().join(requirements);
    let wanted =
        fs::read_to_string(&wanted).map_err(|error| format!("cannot read {requirements}: {error}"))?;
    let mark = folder.join("requirements.txt");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let system = ["python3", "python"].into_iter().find(|name| works(Command::new(name).arg("--version")));
    let system = system.ok_or("Python is missing: install Python 3.11 or later")?;
    call(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    call(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--no-input", "-r", requirements]))?;
    fs::write(&mark, wanted).map_err(|error| format!("cannot write {}: {error}", mark.display()))?;
    Ok(python)
}
