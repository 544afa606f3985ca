//! `view --mp4`: a film by ffmpeg, or an animated PNG where it is not installed.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use carom_report::picture::{Shot, Stage, animated_png};
use carom_results::{Error, write_result};

use super::picture::{named_after, not_pixels, shot};
use super::{Size, Subject, ViewArgs};
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// Pixels where none are asked for.
const PIXELS: [usize; 2] = [960, 640];
/// Pictures a second of a film.
const RATE: u32 = 25;
/// Pictures a second of an animated PNG, which is much larger.
const RATE_OF_PNG: u16 = 10;

pub(super) fn execute(args: &ViewArgs, file: Option<&Path>, console: &Console) -> Result<u8, Failure> {
    let size = match args.size {
        None => PIXELS,
        // What players understand has even sides.
        Some(Size::Pixels(size)) => size.map(|side| side.next_multiple_of(2)),
        Some(Size::Bytes(_)) => return Err(not_pixels()),
    };
    let stage = Subject::open(args, console)?.stage()?;
    let shot = shot(args, &stage, size)?;
    let mut file = file.map_or_else(|| named_after(&args.run, "mp4"), Path::to_owned);
    refuse_to_replace(args, &file)?;
    match start_ffmpeg(&shot, &file) {
        Ok(ffmpeg) => feed(ffmpeg, &stage, &shot)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            file.set_extension("png");
            console.note("ffmpeg is not installed: this is an animated PNG, which browsers play\n");
            let times = stage.film_times(u32::from(RATE_OF_PNG));
            let bytes = animated_png(size, times.len(), RATE_OF_PNG, stage.film(&times, &shot));
            write_result(&file, &bytes, args.force)?;
        }
        Err(error) => return Err(failed(&error.to_string())),
    }
    console.data(&format!("{}\n", file.display()))?;
    Ok(exit::DONE)
}

/// ffmpeg would replace the file.
fn refuse_to_replace(args: &ViewArgs, file: &Path) -> Result<(), Failure> {
    if file.symlink_metadata().is_ok() && !args.force {
        return Err(Error::Exists { path: file.to_owned() }.into());
    }
    Ok(())
}

fn start_ffmpeg(shot: &Shot, file: &Path) -> std::io::Result<Child> {
    let [width, height] = shot.size;
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
    command.args(["-s", &format!("{width}x{height}"), "-r", &RATE.to_string(), "-i", "-"]);
    command.args(["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-y"]);
    // A name that begins with a dash is no option.
    let file = if file.is_relative() { Path::new(".").join(file) } else { file.to_owned() };
    command.arg(file).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

/// Gives ffmpeg all pictures and waits for it.
fn feed(mut ffmpeg: Child, stage: &Stage, shot: &Shot) -> Result<(), Failure> {
    let times = stage.film_times(RATE);
    if let Some(mut pipe) = ffmpeg.stdin.take() {
        // It closes the pipe when it fails, and then says why.
        let _ = stage.film(&times, shot).try_for_each(|image| pipe.write_all(image.pixels().as_flattened()));
    }
    let output = ffmpeg.wait_with_output().map_err(|error| failed(&error.to_string()))?;
    if output.status.success() { Ok(()) } else { Err(failed(String::from_utf8_lossy(&output.stderr).trim())) }
}

fn failed(why: &str) -> Failure {
    let help = "the name has to end with a kind of film that it knows, such as .mp4";
    Failure::with_help(exit::NOT_STARTED, format!("ffmpeg could not write the film: {why}"), help)
}
