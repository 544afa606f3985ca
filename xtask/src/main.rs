//! Development commands: `cargo xtask test` runs everything that must pass, `cargo xtask tidy` its first
//! stage alone.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a terminal is all this program has

mod examples;
mod figures;
mod objects;
mod python;
mod recipes;
mod rooms;
mod stage;
mod test;
mod tidy;
mod viewer;
mod wheel;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  test   tidy, format, lints, tests, examples with their expectations, the viewer in
         a browser, checks in Python, the wheel with its tests
  tidy   house rules that no other tool checks
  wheel  builds the wheel of the Python package
  figures [--check] [NAME ...]
         rewrites the tables of the docs that come from runs, or says which differ; minutes";

fn main() -> ExitCode {
    let command = env::args().nth(1).unwrap_or_default();
    let result = match command.as_str() {
        "test" => test::run_stages(),
        "tidy" => stage::run("tidy", tidy::check),
        "wheel" => stage::run("wheel", || wheel::build().map(|_| ())),
        "figures" => {
            let (options, names): (Vec<String>, Vec<String>) =
                env::args().skip(2).partition(|argument| argument.starts_with('-'));
            match options.iter().find(|option| *option != "--check") {
                Some(_) => Err(USAGE.to_owned()),
                None => stage::run("figures", || figures::make(!options.is_empty(), &names)),
            }
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Root of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Cargo's target folder: this program is in target/PROFILE.
fn target() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| format!("where is this program? {error}"))?;
    let folder = program.parent().and_then(|profile| profile.parent());
    folder.map(PathBuf::from).ok_or_else(|| "this program is in no target folder".to_owned())
}
