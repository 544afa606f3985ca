use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use carom_report::terminal::{self, Terminal};
use carom_report::{phase, plot, pressure_map, region_map, svg};
use carom_results::{Error, PatchRequest, PatchTime, RegionRequest, RunData, Series, write_result};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// Width of a chart where the environment names no other (characters).
const WIDTH: usize = 80;
/// Height of a panel in the terminal (lines).
const HEIGHT: usize = 16;

/// Bytes of a chart that have its mark.
const MOST_START: u64 = 1024;

#[derive(Debug, clap::Args)]
pub(crate) struct PlotArgs {
    /// Run folder
    run: PathBuf,
    /// Quantities, such as ball.z or floor.fn
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Also these quantities of another run; repeatable
    #[arg(long, value_name = "RUN", conflicts_with = "csv")]
    with: Vec<PathBuf>,
    /// Logarithmic vertical axes
    #[arg(long, conflicts_with = "csv")]
    log: bool,
    /// Draw them over this quantity instead of time: a phase portrait
    #[arg(long, value_name = "NAME", conflicts_with_all = ["csv", "log"])]
    against: Option<String>,
    /// Draw the pressure on a patch of this pair
    #[arg(long, value_name = "PAIR", requires = "out", conflicts_with_all = ["names", "with", "log", "against"])]
    pressure: Option<String>,
    /// Draw the contours of a region of this pair
    #[arg(long, value_name = "PAIR", requires = "out", conflicts_with_all = ["names", "with", "log", "against", "pressure"])]
    region: Option<String>,
    /// Number of the patch or the region [default: that of the largest force]
    #[arg(long, value_name = "NUMBER")]
    patch: Option<u32>,
    /// Its recorded time in s, or "peak" for the greatest pressure [default: the last output time with one, else the peak]
    #[arg(long, value_name = "TIME|peak", value_parser = patch_time)]
    at: Option<PatchTime>,
    /// Part of it to show, in m from its centre
    #[arg(long, value_name = "X,Y,WIDTH", requires = "pressure", value_parser = window, allow_hyphen_values = true)]
    window: Option<[f64; 3]>,
    /// Write an SVG file instead of drawing in the terminal
    #[arg(short, long, value_name = "FILE.svg", conflicts_with = "csv")]
    out: Option<PathBuf>,
    /// Replace FILE.svg if it is there
    #[arg(long, requires = "out")]
    force: bool,
    /// Write the values as CSV to standard output
    #[arg(long)]
    csv: bool,
}

pub(crate) fn execute(args: &PlotArgs, console: &Console) -> Result<u8, Failure> {
    if let (Some(pair), Some(file)) = (&args.pressure, &args.out) {
        let request =
            PatchRequest { pair: pair.clone(), patch: args.patch, time: args.at.unwrap_or(PatchTime::Last) };
        let map = pressure_map(&args.run, &request, args.window)?;
        write_svg(file, &svg::pressure(&map), args.force)?;
        console.data(&format!("{}\n", file.display()))?;
        return Ok(exit::DONE);
    }
    if let (Some(pair), Some(file)) = (&args.region, &args.out) {
        let time = match args.at {
            Some(PatchTime::At(time)) => Some(time),
            Some(PatchTime::Peak) => {
                let help = "give --at a time in s, or leave it out for the last one";
                let message = "contours are recorded at output times, not at peaks";
                return Err(Failure::with_help(exit::NOT_STARTED, message, help));
            }
            Some(PatchTime::Last) | None => None,
        };
        let request = RegionRequest { pair: pair.clone(), region: args.patch, time };
        write_svg(file, &svg::region(&region_map(&args.run, &request)?), args.force)?;
        console.data(&format!("{}\n", file.display()))?;
        return Ok(exit::DONE);
    }
    if args.names.is_empty() {
        return Err(nothing_to_plot(&args.run)?);
    }
    if args.csv {
        console.data(&csv(&args.run, &args.names)?)?;
        return Ok(exit::DONE);
    }
    let runs: Vec<&Path> = std::iter::once(&args.run).chain(&args.with).map(PathBuf::as_path).collect();
    let chart = match &args.against {
        Some(against) => phase(&runs, &args.names, against)?,
        None => plot(&runs, &args.names, args.log)?,
    };
    match &args.out {
        Some(file) => {
            write_svg(file, &svg::standalone(&chart), args.force)?;
            console.data(&format!("{}\n", file.display()))?;
        }
        None => {
            let size = Terminal { width: width(), height: HEIGHT, colour: console.colours_data() };
            console.data(&terminal::draw(&chart, size))?;
        }
    }
    Ok(exit::DONE)
}

/// A time in s, or the peak.
fn patch_time(text: &str) -> Result<PatchTime, String> {
    match text.trim() {
        "peak" => Ok(PatchTime::Peak),
        text => text.parse().map(PatchTime::At).map_err(|_| "give a time in s, or peak".to_owned()),
    }
}

/// Three numbers with commas between them, the last positive.
fn window(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, width] if x.is_finite() && y.is_finite() && width > 0.0 && width.is_finite() => {
            Ok([x, y, width])
        }
        _ => Err("give X,Y,WIDTH in m, such as 0.7,0,0.2".to_owned()),
    }
}

/// Characters across: the environment's, else those of a usual terminal.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(WIDTH)
}

/// The names that the run has.
fn nothing_to_plot(run: &Path) -> Result<Failure, Error> {
    let names = RunData::open(run)?.quantities();
    let names: Vec<&str> = names.iter().map(|quantity| quantity.name.as_str()).collect();
    Ok(Failure::with_help(
        exit::NOT_STARTED,
        "no quantity to plot",
        format!("there are: {}", names.join(", ")),
    ))
}

fn write_svg(file: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if file.extension().is_none_or(|extension| extension != "svg") {
        return Err(Failure::with_help(
            exit::NOT_STARTED,
            format!("charts are written as SVG, not to \"{}\"", file.display()),
            "give FILE.svg",
        ));
    }
    Ok(write_result(file, text.as_bytes(), force || is_own(file))?)
}

/// Is it a chart of this program? Those are drawn again and again.
fn is_own(file: &Path) -> bool {
    let is_file = file.symlink_metadata().is_ok_and(|there| there.is_file());
    let mut start = Vec::new();
    let mut read = || fs::File::open(file)?.take(MOST_START).read_to_end(&mut start);
    is_file && read().is_ok() && String::from_utf8_lossy(&start).contains(svg::MARK)
}

/// Columns of the quantities over time. Quantities with other times (those of steps) follow in a block of
/// their own after an empty line.
fn csv(run: &Path, names: &[String]) -> Result<String, Error> {
    let data = RunData::open(run)?;
    let mut blocks: Vec<Vec<Series>> = Vec::new();
    for name in names {
        let series = data.series(name)?;
        match blocks.iter_mut().find(|block| block[0].time == series.time) {
            Some(block) => block.push(series),
            None => blocks.push(vec![series]),
        }
    }
    let blocks: Vec<String> = blocks.iter().map(|block| csv_block(block)).collect();
    Ok(blocks.join("\n"))
}

fn csv_block(block: &[Series]) -> String {
    let quoted = |name: String| if name.contains(',') { format!("\"{name}\"") } else { name };
    let mut text = String::from("time_s");
    for series in block {
        text.push_str(&format!(",{}", quoted(series.full_name())));
    }
    text.push('\n');
    for (row, time) in block[0].time.iter().enumerate() {
        text.push_str(&format!("{time:?}"));
        for series in block {
            text.push_str(&format!(",{:?}", series.values[row]));
        }
        text.push('\n');
    }
    text
}
