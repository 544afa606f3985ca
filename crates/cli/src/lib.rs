//! The `carom` command: reads arguments, calls the other crates, shows what they say. A library, so that the command of the
//! Python package is the same one.

mod args;
mod command;
mod console;
mod digits;
mod exit;
mod failure;
mod import;
mod model;
mod panic_report;
mod patience;
mod progress;
mod run;
mod serve;
mod templates;

use std::ffi::OsString;

use clap::Parser;

pub use import::robot_options;
pub use templates::{TEMPLATES, Template};

/// Does what the arguments ask for, of which the first is the name of the program, and gives the exit code. `program` are the words
/// that start this command once more, as its worker processes are. Usage errors, `--help` and `--version` print and end the
/// process as clap does.
pub fn execute(arguments: impl IntoIterator<Item = OsString>, program: &[OsString]) -> u8 {
    panic_report::install();
    let args = args::Args::parse_from(arguments);
    let console = console::Console::new(&args.common);
    match command::execute(&args.command, &console, program) {
        Ok(code) => code,
        Err(failure) => {
            console.error(&failure.render(console.style()));
            failure.exit()
        }
    }
}
