use std::path::PathBuf;

use carom_results::{RunFolder, recover};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::run::folder::say_if_taken_over;

#[derive(Debug, clap::Args)]
pub(crate) struct RecoverArgs {
    /// Run folder
    run: PathBuf,
    /// A run of another host holds the folder, and has died
    #[arg(long)]
    force: bool,
}

pub(crate) fn execute(args: &RecoverArgs, console: &Console) -> Result<u8, Failure> {
    let folder = RunFolder::open(&args.run, args.force)?;
    say_if_taken_over(&folder, console);
    let recovered = recover(&folder)?;
    if recovered.was_complete {
        console.note("the run had ended properly: nothing to recover\n");
        return Ok(exit::DONE);
    }
    let mut text = format!("recovered up to t = {} s\n", recovered.time);
    for table in &recovered.tables {
        text.push_str(&format!("  {:<16} {:>9} rows\n", table.file, table.rows));
    }
    text.push_str(if recovered.resumable {
        "the run has a checkpoint: `carom run FILE --resume` goes on with it\n"
    } else {
        "the run has no checkpoint: it cannot be resumed\n"
    });
    console.note(&text);
    for damage in &recovered.damage {
        console.warning(&format!("warning: {damage}; the rows before it are kept\n"));
    }
    let report = carom_report::write_report(&args.run)?;
    console.data(&format!("{}\n", report.display()))?;
    Ok(exit::DONE)
}
