mod film;
mod picture;

use std::path::{Path, PathBuf};

use carom_engine::Problem;
use carom_report::picture::View;
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
    if args.run.is_file() {
        let name = args.run.display();
        let message = format!("\"{name}\" is a file, and a run is a folder");
        let help = format!("`carom run {name}` makes one and prints its name");
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
    let bytes = match args.size {
        None => FILE_BYTES,
        Some(Size::Bytes(bytes)) => bytes,
        Some(Size::Pixels(_)) => {
            let help = "give one such as 10MB or 500kB";
            return Err(Failure::with_help(exit::NOT_STARTED, "the size of a page is one of its file", help));
        }
    };
    let room = bytes.saturating_sub(page_bytes);
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
