//! The `carom` command: reads arguments, calls the other crates, shows what they say.

mod args;
mod command;
mod console;
mod digits;
mod exit;
mod failure;
mod import;
mod model;
mod panic_report;
mod progress;
mod run;
mod serve;
mod templates;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    panic_report::install();
    let args = args::Args::parse();
    let console = console::Console::new(&args.common);
    let code = match command::execute(&args.command, &console) {
        Ok(code) => code,
        Err(failure) => {
            console.error(&failure.render(console.style()));
            failure.exit()
        }
    };
    ExitCode::from(code)
}
