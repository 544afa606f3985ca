//! `view --png` and `view --filmstrip`: pictures without a browser.

use std::path::{Path, PathBuf};

use carom_report::picture::{Shot, Stage, png};
use carom_results::write_result;

use super::{Size, Subject, ViewArgs};
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// Pixels of one picture.
const PICTURE: [usize; 2] = [1200, 800];
/// Pixels of a picture in a strip.
const OF_STRIP: [usize; 2] = [300, 260];
/// Most pictures in a strip.
const MOST: usize = 24;
/// Bodies that a message names.
const NAMED: usize = 12;

/// When a picture is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Moment {
    Start,
    /// At a time (s).
    At(f64),
    End,
}

/// `t=4.5s`, `4.5`, `20ms`, `start` or `end`.
pub(super) fn moment(text: &str) -> Result<Moment, String> {
    let text = text.trim();
    let text = text.strip_prefix("t=").unwrap_or(text).trim();
    match text {
        "start" => return Ok(Moment::Start),
        "end" => return Ok(Moment::End),
        _ => {}
    }
    let units = [("ms", 1e3), ("s", 1.0), ("", 1.0)];
    let found = units.iter().find_map(|(unit, per_second)| Some((text.strip_suffix(unit)?, per_second)));
    let (number, per_second) = found.unwrap_or((text, &1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Moment::At(number / per_second)),
        _ => Err("give a time such as t=4.5s, 4.5 or 20ms, or start or end".to_owned()),
    }
}

/// Number of pictures in a strip.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let count = text.trim().parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("give a number from 1 to {MOST}"))
}

/// Pixels across and down.
pub(super) fn pixels(across: &str, down: &str) -> Result<[usize; 2], String> {
    let parse = |text: &str| text.trim().parse::<usize>();
    let (Ok(across), Ok(down)) = (parse(across), parse(down)) else {
        return Err("give pixels across and down, such as 1200x800".to_owned());
    };
    Shot::check_size([across, down]).map(|()| [across, down])
}

pub(super) fn execute(args: &ViewArgs, console: &Console) -> Result<u8, Failure> {
    let count = args.filmstrip.unwrap_or(1);
    let size = match (args.size, args.filmstrip) {
        (Some(Size::Pixels(size)), _) => size,
        (None, None) => PICTURE,
        (None, Some(count)) => [count * OF_STRIP[0], OF_STRIP[1]],
        (Some(Size::Bytes(_)), _) => return Err(not_pixels()),
    };
    if size[0] < count * Shot::LEAST {
        let message = format!("{count} pictures side by side do not fit into {} pixels", size[0]);
        let help = format!("take fewer, or at least {} pixels across", count * Shot::LEAST);
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    let stage = Subject::open(args, console)?.stage()?;
    let times = match args.png {
        Some(moment) => vec![time(&stage, moment)?],
        None => stage.moments(count),
    };
    let shot = shot(args, &stage, size)?;
    let file = args.out.clone().unwrap_or_else(|| named_after(&args.run, "png"));
    write_result(&file, &png(&stage.pictures(&times, 1, &shot)), args.force)?;
    console.data(&format!("{}\n", file.display()))?;
    Ok(exit::DONE)
}

/// As the arguments say.
pub(super) fn shot(args: &ViewArgs, stage: &Stage, size: [usize; 2]) -> Result<Shot, Failure> {
    let around = args.around.as_deref().map(|name| body(stage, name)).transpose()?;
    Ok(Shot { size, view: args.camera.unwrap_or_default(), around })
}

/// Bytes instead of pixels were given.
pub(super) fn not_pixels() -> Failure {
    let help = "give them across and down, such as 1200x800";
    Failure::with_help(exit::NOT_STARTED, "the size of a picture is in pixels", help)
}

fn body(stage: &Stage, name: &str) -> Result<usize, Failure> {
    stage.body_names().position(|own| own == name).ok_or_else(|| {
        let mut names: Vec<&str> = stage.body_names().take(NAMED).collect();
        if stage.body_names().count() > NAMED {
            names.push("…");
        }
        let help = format!("its bodies are {}", names.join(", "));
        Failure::with_help(exit::NOT_STARTED, format!("the run has no body \"{name}\""), help)
    })
}

fn time(stage: &Stage, moment: Moment) -> Result<f64, Failure> {
    let [start, end] = stage.span();
    match moment {
        Moment::Start => Ok(start),
        Moment::End => Ok(end),
        Moment::At(time) if (start..=end).contains(&time) => Ok(time),
        Moment::At(time) => {
            let message = format!("the run is from {start} s to {end} s, and {time} s is outside");
            let help = "give a time in between, or `start` or `end`";
            Err(Failure::with_help(exit::NOT_STARTED, message, help))
        }
    }
}

/// The name of the run folder or model with this extension, for the folder that one is in.
pub(super) fn named_after(run: &Path, extension: &str) -> PathBuf {
    let whole = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let own = if run.is_file() { whole.file_stem() } else { whole.file_name() };
    let mut name = own.unwrap_or_else(|| "run".as_ref()).to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}
