//! Steps of a command, each timed and named.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs a stage and says how long it took.
pub(crate) fn run(name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("xtask: {name} ...");
    let clock = Instant::now();
    let result = work();
    let seconds = clock.elapsed().as_secs_f64();
    match result {
        Ok(()) => {
            println!("xtask: {name} passed in {seconds:.1} s");
            Ok(())
        }
        Err(message) => Err(format!("{message}\nxtask: {name} FAILED after {seconds:.1} s")),
    }
}

/// Runs a program in the root of the workspace, without input; its output goes to the terminal.
pub(crate) fn call(command: &mut Command) -> Result<(), String> {
    let status = command
        .current_dir(crate::root())
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run {}: {error}", name(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", name(command))) }
}

/// Does a program run and succeed?
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Cargo with arguments.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(args);
    command
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
