//! The `carom` command.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let program = env::current_exe().map_or_else(|_| "carom".into(), |path| path.into_os_string());
    ExitCode::from(carom_cli::execute(env::args_os(), &[program]))
}
