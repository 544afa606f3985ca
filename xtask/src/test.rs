//! Everything that must pass, the quick stages first.

use std::process::Command;

use crate::stage::{call, cargo, run, works};
use crate::{examples, python, tidy, viewer, wheel};

/// Stops at the first stage that fails.
pub(crate) fn run_stages() -> Result<(), String> {
    run("tidy", tidy::check)?;
    run("format", || call(&mut cargo(&["fmt", "--all", "--", "--check"])))?;
    run("viewer's packages", viewer::install)?;
    run("clippy", || {
        call(&mut cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    run("tests", tests)?;
    run("fuzz", fuzz)?;
    run("release build", release_build)?;
    let mut runs = Vec::new();
    run("examples", || {
        runs = examples::run_all()?;
        Ok(())
    })?;
    run("viewer", || viewer::check(&runs))?;
    run("read-back", || python::read_back(&runs))?;
    run("reference", python::reference)?;
    run("mechanisms", python::mechanisms)?;
    run("robots", python::robots)?;
    run("wheel", wheel::check)
}

/// The program and the library for Python at once: alone the program gets fewer features of a few crates, and the wheel would
/// build nearly everything again.
fn release_build() -> Result<(), String> {
    let packages = ["--package", "carom-cli", "--package", "carom-py"];
    call(cargo(&["build", "--locked", "--release"]).args(packages))
}

/// A minute of mutated inputs. Built as the tests were: a package alone would have its dependencies built once more.
fn fuzz() -> Result<(), String> {
    call(&mut cargo(&["build", "--locked", "--workspace", "--tests", "--bins"]))?;
    let program = crate::target()?.join("debug").join(format!("carom-fuzz{}", std::env::consts::EXE_SUFFIX));
    call(Command::new(program).args(["all", "--seconds", "60"]))
}

/// All tests; nextest is quicker where it is installed, but runs no documentation tests.
fn tests() -> Result<(), String> {
    if works(&mut cargo(&["nextest", "--version"])) {
        call(&mut cargo(&["nextest", "run", "--locked", "--workspace"]))?;
        return call(&mut cargo(&["test", "--locked", "--workspace", "--doc"]));
    }
    call(&mut cargo(&["test", "--locked", "--workspace"]))
}
