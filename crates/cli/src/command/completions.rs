use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::Args;
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

pub(crate) fn execute(args: &CompletionsArgs, console: &Console) -> Result<u8, Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut Args::command(), "carom", &mut script);
    console.data(&String::from_utf8_lossy(&script))?;
    Ok(exit::DONE)
}
