//! The viewer's page: its packages, its types and units, and what a browser shows of the runs of the examples.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{call, works};

/// Where Debian puts the browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Installs what the lock file names, before the program is built: its build takes the page from there.
pub(crate) fn install() -> Result<(), String> {
    if !has_npm() {
        println!("xtask: NO NPM: the program has no viewer, and nothing of it is tested");
        return Ok(());
    }
    npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
}

/// Types, units, and the browser on these runs.
pub(crate) fn check(runs: &[PathBuf]) -> Result<(), String> {
    if !has_npm() {
        return Ok(());
    }
    npm(&["run", "--silent", "check"])?;
    npm(&["run", "--silent", "unit"])?;
    if !has_chromium() {
        println!("xtask: NO CHROMIUM: the viewer's page is not tested");
        return Ok(());
    }
    let target = crate::target()?;
    let program = target.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let folder = runs.first().and_then(|run| run.parent()).ok_or("there are no runs of examples")?;
    let out = target.join("xtask").join("viewer");
    let mut browser = Command::new("npm");
    browser.args(["--prefix", "viewer", "run", "--silent", "browser"]);
    call(browser.env("CAROM", program).env("RUNS", folder).env("OUT", out))
}

fn has_npm() -> bool {
    works(Command::new("npm").arg("--version"))
}

/// Is the browser there, or could it be installed?
fn has_chromium() -> bool {
    let is_there = || Path::new(CHROMIUM).exists();
    // Who may not install packages is told so by what apt-get answers.
    is_there() || (works(Command::new("apt-get").args(["install", "-y", "chromium"])) && is_there())
}

fn npm(args: &[&str]) -> Result<(), String> {
    call(Command::new("npm").args(["--prefix", "viewer"]).args(args))
}
