use std::path::{Path, PathBuf};

use carom_engine::Problem;
use carom_report::view::{Limits, Packed, has_page, pack_run, page};
use carom_results::write_result;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::serve;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Run folder
    run: PathBuf,
    /// Write the page with the run inside to this file instead of serving it
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// About how large FILE.html may be; output times are left out of a longer run
    #[arg(long, value_name = "SIZE", default_value = "10MB", requires = "html", value_parser = size)]
    size: usize,
    /// Replace FILE.html if it is there
    #[arg(long, requires = "html")]
    force: bool,
    /// Port to serve at [default: one that is free]
    #[arg(long, value_name = "NUMBER", conflicts_with = "html")]
    port: Option<u16>,
    /// Do not open a browser
    #[arg(long, conflicts_with = "html")]
    no_open: bool,
}

/// Letters of base64 for a byte.
const TEXT_PER_BYTE: f64 = 4.0 / 3.0;

pub(crate) fn execute(args: &ViewArgs, console: &Console) -> Result<u8, Failure> {
    if args.run.is_file() {
        let name = args.run.display();
        let message = format!("\"{name}\" is a file, and a run is a folder");
        let help = format!("`carom run {name}` makes one and prints its name");
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    let empty = page(None).filter(|_| has_page()).ok_or_else(no_page)?;
    match &args.html {
        Some(file) => write(args, file, empty.len(), console),
        None => {
            let packed = packed(&args.run, &Limits::SERVED, console)?;
            serve::serve(&empty, &packed.bytes, args.port.unwrap_or(0), !args.no_open, console)
        }
    }
}

fn write(args: &ViewArgs, file: &Path, page_bytes: usize, console: &Console) -> Result<u8, Failure> {
    let room = args.size.saturating_sub(page_bytes);
    let packed = packed(&args.run, &Limits::of_file((room as f64 / TEXT_PER_BYTE) as usize), console)?;
    let html = page(Some(&packed.bytes)).ok_or_else(no_page)?;
    write_result(file, html.as_bytes(), args.force)?;
    console.data(&format!("{}\n", file.display()))?;
    Ok(exit::DONE)
}

/// What the page shows; says what was left out.
fn packed(run: &Path, limits: &Limits, console: &Console) -> Result<Packed, Failure> {
    let packed = pack_run(run, limits)?;
    packed.notes.iter().for_each(|note| console.note(&format!("{note}\n")));
    Ok(packed)
}

fn no_page() -> Failure {
    let problem = Problem::new("E0714", "", "this program was built without the viewer's page");
    let problem = problem
        .help("install Node.js 20 or newer with npm, then `cargo clean -p carom-report` and build again");
    Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem) }
}

/// Bytes, kB or MB.
fn size(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let units = [("MB", 1e6), ("kB", 1e3), ("B", 1.0), ("", 1.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)))
        .unwrap_or((text, &1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok((number * unit) as usize),
        _ => Err("give a size such as 10MB or 500kB".to_owned()),
    }
}
