//! Puts the page of the viewer into OUT_DIR, built by npm from `viewer/` and its lock file. Where there is no npm, or no
//! network for a first build, the program is built without it and says so when it is asked for the page.
//!
//! `CAROM_VIEWER` names a page that was built elsewhere; `none` builds none.
#![allow(clippy::print_stdout)] // this is how a build script speaks to cargo

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the page is built from, in `viewer/`.
const SOURCES: [&str; 6] =
    ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "src"];
const VARIABLE: &str = "CAROM_VIEWER";
const PAGE: &str = "viewer.html";
/// The same by gzip, as every report has it.
const PACKED: &str = "viewer.html.gz";

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    // A path that is not there would make every build a new one.
    for source in SOURCES.iter().map(|name| viewer.join(name)).filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let page = match env::var(VARIABLE) {
        Ok(word) if word == "none" => Ok(String::new()),
        Ok(path) => {
            println!("cargo::rerun-if-changed={path}");
            fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
        }
        Err(_) => build(&viewer, &out),
    };
    let page = page.unwrap_or_else(|why| {
        println!("cargo::warning=built without the viewer's page, see docs/viewer.md: {why}");
        String::new()
    });
    fs::write(out.join(PACKED), compressed(page.as_bytes())).expect("OUT_DIR can be written");
    fs::write(out.join(PAGE), page).expect("OUT_DIR can be written");
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes everything")
}

/// Builds the page where the packages are installed, else in a copy below OUT_DIR: the sources stay as they are.
fn build(viewer: &Path, out: &Path) -> Result<String, String> {
    if !viewer.join("package.json").is_file() {
        return Err("its sources are not here".to_owned());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !run(Command::new(npm).arg("--version")).is_ok_and(|ended| ended.is_empty()) {
        return Err("npm is not installed".to_owned());
    }
    let is_installed = viewer.join("node_modules/vite").is_dir();
    let folder = if is_installed { viewer.to_owned() } else { out.join("viewer") };
    if !is_installed {
        copy(viewer, &folder).map_err(|error| format!("its sources cannot be copied: {error}"))?;
        let options = [
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--fetch-retries=1",
            "--fetch-timeout=20000",
        ];
        run(Command::new(npm).args(options).current_dir(&folder)).and_then(failure)?;
    }
    let pages = out.join("viewer-page");
    let mut vite = Command::new("node");
    vite.arg("node_modules/vite/bin/vite.js").args([
        "build",
        "--logLevel",
        "error",
        "--emptyOutDir",
        "--outDir",
    ]);
    run(vite.arg(&pages).current_dir(&folder)).and_then(failure)?;
    if !is_installed {
        // A hundred megabytes that are not needed again; what stays behind does no harm.
        let _ = fs::remove_dir_all(folder.join("node_modules"));
    }
    fs::read_to_string(pages.join("index.html")).map_err(|error| error.to_string())
}

/// Runs a program; the result is how it ended and began to say why, if it failed.
fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::new());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let first: Vec<&str> = said.lines().filter(|line| !line.contains("warn")).take(3).collect();
    Ok(format!("{name} ended with {}: {}", output.status, first.join(" ")))
}

fn failure(said: String) -> Result<(), String> {
    if said.is_empty() { Ok(()) } else { Err(said) }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for name in SOURCES {
        copy_all(&from.join(name), &to.join(name))?;
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(|_| ());
    }
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        copy_all(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}
