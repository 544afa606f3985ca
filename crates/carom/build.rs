//! What the library knows about its own build: the commit and the compiler, for the provenance of runs.
#![allow(clippy::print_stdout)] // this is how a build script speaks to cargo

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    // The log of HEAD grows with every commit and checkout.
    let log = root.join(".git/logs/HEAD");
    if log.is_file() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    println!("cargo::rustc-env=CAROM_GIT_HASH={}", git_hash(&root));
    println!("cargo::rustc-env=CAROM_RUSTC={}", rustc_version());
}

/// Output of a command; empty if it cannot be had.
fn output(command: &mut Command) -> String {
    let output = command.output().ok().filter(|o| o.status.success());
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}

fn git_hash(root: &Path) -> String {
    output(Command::new("git").current_dir(root).args(["rev-parse", "--short=12", "HEAD"]))
}

fn rustc_version() -> String {
    output(Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"))
}
