use std::path::PathBuf;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Run folder
    run: PathBuf,
}

pub(crate) fn execute(args: &ReportArgs, console: &Console) -> Result<u8, Failure> {
    let report = carom_report::write_report(&args.run)?;
    console.data(&format!("{}\n", report.display()))?;
    Ok(exit::DONE)
}
