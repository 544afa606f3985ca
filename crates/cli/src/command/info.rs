use std::path::PathBuf;

use carom_results::{Error, Held, Manifest, REPORT_HTML, RunData, held, summary};
use serde_json::json;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::run::result;

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// Run folder
    run: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn execute(args: &InfoArgs, console: &Console) -> Result<u8, Failure> {
    if args.json {
        let manifest = Manifest::read(&args.run)?;
        manifest.verify(&args.run)?;
        let report = Some(args.run.join(REPORT_HTML)).filter(|page| page.is_file());
        let mut object = result::to_json(&manifest, &args.run, report.as_deref());
        object["provenance"] = json!(manifest.provenance);
        object["timing"] = json!(manifest.timing);
        object["tables"] = json!(manifest.tables);
        if manifest.is_running() {
            object["end"]["state"] = json!(state_of(&held(&args.run)));
        }
        console.data(&format!("{object}\n"))?;
    } else {
        console.data(&text(&args.run)?)?;
    }
    Ok(exit::DONE)
}

/// A run that has not ended, in a word: its folder is held, or it was killed.
fn state_of(held: &Held) -> &'static str {
    match held {
        Held::Yes(_) => "running",
        Held::No => "killed",
        Held::Elsewhere(_) => "unknown",
    }
}

fn text(run: &std::path::Path) -> Result<String, Error> {
    let data = RunData::open(run)?;
    data.manifest().verify(run)?;
    summary(&data)
}
