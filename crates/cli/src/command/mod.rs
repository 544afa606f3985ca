//! One file per command.

pub(crate) mod analyze;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod info;
pub(crate) mod mesh;
pub(crate) mod new;
pub(crate) mod plot;
pub(crate) mod recover;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod sweep;
pub(crate) mod view;

use std::ffi::OsString;

use crate::args::Command;
use crate::console::Console;
use crate::failure::Failure;

/// Runs a command, which the words of `program` start; the result is the exit code.
pub(crate) fn execute(command: &Command, console: &Console, program: &[OsString]) -> Result<u8, Failure> {
    match command {
        Command::Run(args) => run::execute(args, console),
        Command::Sweep(args) => sweep::execute(args, console, program),
        Command::Check(args) => check::execute(args, console),
        Command::Analyze(args) => analyze::execute(args, console),
        Command::New(args) => new::execute(args, console),
        Command::Info(args) => info::execute(args, console),
        Command::Mesh(args) => mesh::execute(args, console),
        Command::Plot(args) => plot::execute(args, console),
        Command::Report(args) => report::execute(args, console),
        Command::View(args) => view::execute(args, console),
        Command::Convert(args) => convert::execute(args, console),
        Command::Recover(args) => recover::execute(args, console),
        Command::Schema(args) => schema::execute(args, console),
        Command::Explain(args) => explain::execute(args, console),
        Command::Completions(args) => completions::execute(args, console),
    }
}
