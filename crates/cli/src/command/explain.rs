use carom_io::codes;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// Code, such as E0312
    code: String,
}

pub(crate) fn execute(args: &ExplainArgs, console: &Console) -> Result<u8, Failure> {
    let text = codes::explain(&args.code).map_err(|message| Failure::new(exit::NOT_STARTED, message))?;
    console.data(&text)?;
    Ok(exit::DONE)
}
