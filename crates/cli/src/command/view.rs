mod film;
mod picture;
mod start;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_engine::Problem;
use carom_io::Style;
use carom_report::picture::{Stage, View};
use carom_report::view::{Limits, Packed, Start, Stream, pack_run, pack_start, page, page_that_asks};
use carom_results::{Error, RUN_JSON, RunData, write_result};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::import::ImportArgs;
use crate::serve::{self, Host, Still};

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Run folder; or a model file or robot file (URDF, SDF, MJCF), whose start is shown
    #[arg(value_name = "RUN or MODEL")]
    run: PathBuf,
    /// Another run to compare it with, in the same scene or beside it
    #[arg(value_name = "RUN2", conflicts_with_all = ["png", "filmstrip", "mp4"])]
    other: Option<PathBuf>,
    /// Change a value of the model, such as params.mu=0.3
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Write the page with the run inside to this file instead of serving it
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Draw the run at a time, such as t=4.5s, start or end, without a browser
    #[arg(long, value_name = "TIME", conflicts_with = "html", value_parser = picture::moment)]
    png: Option<picture::Moment>,
    /// Draw so many moments side by side, without a browser
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["html", "png"], value_parser = picture::count)]
    filmstrip: Option<usize>,
    /// Write a film to this file by ffmpeg, or an animated PNG beside it where ffmpeg is not installed [default: the name of the run folder with .mp4]
    #[arg(long, value_name = "FILE.mp4", num_args = 0..=1, conflicts_with_all = ["html", "png", "filmstrip", "out"])]
    mp4: Option<Option<PathBuf>>,
    /// File of the picture [default: the name of the run folder with .png]
    #[arg(short, long, value_name = "FILE.png", conflicts_with = "html")]
    out: Option<PathBuf>,
    /// From where a picture is taken: iso, front, side, top, or AZ,EL[,ZOOM] in degrees [default: across the plane of the motion, else iso]
    #[arg(long, value_name = "VIEW", conflicts_with = "html", allow_hyphen_values = true)]
    camera: Option<View>,
    /// Keep this body in the middle of a picture
    #[arg(long, value_name = "BODY", conflicts_with = "html")]
    around: Option<String>,
    /// About how large FILE.html may be, such as 10MB (output times are left out of a longer run), or the pixels of a picture, such as 1200x800
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<Size>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// Port to serve at [default: one that is free]
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["html", "png", "filmstrip", "mp4"])]
    port: Option<u16>,
    /// Do not open a browser
    #[arg(long, conflicts_with_all = ["html", "png", "filmstrip", "mp4"])]
    no_open: bool,
    #[command(flatten)]
    import: ImportArgs,
}

/// What is looked at.
enum Subject {
    /// A run in its folder.
    Run(PathBuf),
    /// A model at its start.
    Start(Box<(RunData, Start)>),
}

impl Subject {
    fn open(args: &ViewArgs, console: &Console) -> Result<Self, Failure> {
        if args.run.is_file() {
            return Ok(Self::Start(Box::new(start::open(args, console)?)));
        }
        if !args.set.is_empty() {
            let message = "--set changes a model, and what has run stays as it is";
            let help = "give the model file instead of the run folder";
            return Err(Failure::with_help(exit::NOT_STARTED, message, help));
        }
        Ok(Self::Run(args.run.clone()))
    }

    /// What the page shows; says what was left out.
    fn pack(&self, limits: &Limits, console: &Console) -> Result<Packed, Failure> {
        let packed = match self {
            Self::Run(run) => pack_run(run, limits)?,
            Self::Start(both) => pack_start(&both.0, &both.1, limits)?,
        };
        packed.notes.iter().for_each(|note| console.note(&format!("{note}\n")));
        Ok(packed)
    }

    /// The run, and the one that it is compared with, if they are sent in parts.
    fn streams(&self, other: Option<&Path>) -> Result<Option<Vec<Stream>>, Error> {
        Ok(match (self, other) {
            (Self::Start(_), _) => None,
            (Self::Run(run), None) => Stream::open(run, 0)?.map(|stream| vec![stream]),
            (Self::Run(run), Some(other)) => Stream::open_two([run, other])?.map(Vec::from),
        })
    }

    /// For pictures.
    fn stage(&self) -> Result<Stage, Failure> {
        Ok(match self {
            Self::Run(run) => Stage::of_run(run)?,
            Self::Start(both) => Stage::of(&both.0)?,
        })
    }
}

/// How large something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    /// A file (bytes).
    Bytes(usize),
    /// A picture (pixels across and down).
    Pixels([usize; 2]),
}

/// Size of FILE.html where none is asked for (bytes).
const FILE_BYTES: usize = 10_000_000;
/// Letters of base64 for a byte.
const TEXT_PER_BYTE: f64 = 4.0 / 3.0;

pub(crate) fn execute(args: &ViewArgs, console: &Console) -> Result<u8, Failure> {
    if args.run.is_file() && (args.filmstrip.is_some() || args.mp4.is_some()) {
        let name = args.run.display();
        let message = format!("\"{name}\" is a model, and only a run moves");
        let help = format!("`carom run {name}` makes a run; `--png start` draws the start");
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    if args.png.is_some() || args.filmstrip.is_some() {
        return picture::execute(args, console);
    }
    if let Some(file) = &args.mp4 {
        return film::execute(args, file.as_deref(), console);
    }
    for (given, name) in [
        (args.out.is_some(), "--out"),
        (args.camera.is_some(), "--camera"),
        (args.around.is_some(), "--around"),
        (args.force && args.html.is_none(), "--force"),
        (args.size.is_some() && args.html.is_none(), "--size"),
    ] {
        if given {
            let message = format!("{name} is of a file, and none is asked for");
            let help =
                "add `--png TIME` or `--filmstrip NUMBER` for a picture, `--html FILE.html` for a page";
            return Err(Failure::with_help(exit::NOT_STARTED, message, help));
        }
    }
    let compared = args.other.iter().flat_map(|other| [&args.run, other]);
    if let Some(model) = compared.into_iter().find(|path| path.is_file()) {
        let name = model.display();
        let message = format!("\"{name}\" is a file, and only runs are compared");
        let help = format!("`carom run {name}` makes a run of a model");
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    let empty = page_that_asks(args.other.is_some()).ok_or_else(no_page)?;
    match &args.html {
        Some(file) => write(args, file, empty.len(), console),
        None => {
            let (site, ends) = match site(args, console) {
                Ok(site) => (site, exit::DONE),
                // The page of a run's folder says why it cannot be shown: who waits for it may not see the terminal.
                Err(failure) if args.run.join(RUN_JSON).is_file() => {
                    console.error(&failure.render(console.style()));
                    (Still::without(failure.render(Style::Plain)), failure.exit())
                }
                Err(failure) => return Err(failure),
            };
            let host = Host::bind(args.port.unwrap_or(0))?;
            console.data(&format!("{}\n", host.address()))?;
            console.note("Ctrl-C ends it\n");
            if !args.no_open {
                serve::open(&host.address());
            }
            host.serve(&empty, &site, &|| false);
            Ok(ends)
        }
    }
}

/// What is served: long runs in parts, anything else whole.
fn site(args: &ViewArgs, console: &Console) -> Result<Still, Failure> {
    let subject = Subject::open(args, console)?;
    // What is damaged is told of on the page of a whole run.
    if let Ok(Some(streams)) = subject.streams(args.other.as_deref()) {
        let notes = streams.iter().flat_map(|stream| stream.notes());
        notes.for_each(|note| console.note(&format!("{note}\n")));
        return Ok(Still::of_streams(streams));
    }
    let run = Ok(Arc::new(subject.pack(&Limits::SERVED, console)?.bytes));
    let other = pack_other(args, &Limits::SERVED, console)?.map(Arc::new);
    Ok(Still { run, other, streams: Vec::new() })
}

fn write(args: &ViewArgs, file: &Path, page_bytes: usize, console: &Console) -> Result<u8, Failure> {
    let bytes = match args.size {
        None => FILE_BYTES,
        Some(Size::Bytes(bytes)) => bytes,
        Some(Size::Pixels(_)) => {
            let help = "give one such as 10MB or 500kB";
            return Err(Failure::with_help(exit::NOT_STARTED, "the size of a page is one of its file", help));
        }
    };
    let room = bytes.saturating_sub(page_bytes);
    // Two runs have half of it each.
    let share = if args.other.is_some() { 0.5 } else { 1.0 };
    let limits = Limits::of_file((share * room as f64 / TEXT_PER_BYTE) as usize);
    let packed = Subject::open(args, console)?.pack(&limits, console)?;
    let other = pack_other(args, &limits, console)?;
    let html = page(&packed.bytes, other.as_deref()).ok_or_else(no_page)?;
    write_result(file, html.as_bytes(), args.force)?;
    console.data(&format!("{}\n", file.display()))?;
    Ok(exit::DONE)
}

/// Contents of the page about the run to compare with, if one is given.
fn pack_other(args: &ViewArgs, limits: &Limits, console: &Console) -> Result<Option<Vec<u8>>, Failure> {
    let Some(other) = &args.other else { return Ok(None) };
    Ok(Some(Subject::Run(other.clone()).pack(limits, console)?.bytes))
}

/// The page that asks for its data where it came from.
pub(crate) fn empty_page() -> Result<String, Failure> {
    page_that_asks(false).ok_or_else(no_page)
}

fn no_page() -> Failure {
    let problem = Problem::new("E0714", "", "this program was built without the viewer's page");
    let problem = problem
        .help("install Node.js 20 or newer with npm, then `cargo clean -p carom-report` and build again");
    Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem) }
}

/// Bytes, kB or MB, or pixels across and down.
fn size(text: &str) -> Result<Size, String> {
    let text = text.trim();
    if let Some((across, down)) = text.split_once('x') {
        return picture::pixels(across, down).map(Size::Pixels);
    }
    let units = [("MB", 1e6), ("kB", 1e3), ("B", 1.0), ("", 1.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)))
        .unwrap_or((text, &1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(Size::Bytes((number * unit) as usize)),
        _ => Err("give a size such as 10MB or 500kB, or pixels such as 1200x800".to_owned()),
    }
}
