use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom::{Error, Recording, Study, problem_of};
use carom_engine::EndReason;
use carom_io::{Overrides, render};
use carom_results::manifest::Command;
use carom_results::{Manifest, REPORT_HTML, RunData};

use crate::console::Console;
use crate::exit;
use crate::failure::{Failure, problem_of_run, render_problem};
use crate::import::ImportArgs;
use crate::model;
use crate::progress::{Display, Mode};
use crate::run::summary::Times;
use crate::run::watch::Watch;
use crate::run::{folder, interrupt, result, summary};

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Model file, robot file (URDF, MJCF), or - for standard input
    file: PathBuf,
    /// Write to exactly this folder [default: runs/NAME-HASH8]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a value of the model, such as params.mu=0.3
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Change the contact method of all lines, or of one
    #[arg(long, value_name = "[LINE=]METHOD")]
    method: Vec<String>,
    /// Change the end of the run, such as "2 s"
    #[arg(long, value_name = "TIME")]
    t_end: Option<String>,
    /// Judge the model's expectations; exit 1 if one fails
    #[arg(long)]
    expect: bool,
    /// Write one JSON object to standard output
    #[arg(long)]
    json: bool,
    /// Go on from the checkpoint of a run that was stopped
    #[arg(long)]
    resume: bool,
    /// Run again though the same run is there, or its model.toml was changed;
    /// take the folder of a run of another host, which has died
    #[arg(long)]
    force: bool,
    /// Show events as they come
    #[arg(long)]
    log_events: bool,
    /// How to show progress
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: Mode,
    /// Do not write report.html
    #[arg(long)]
    no_report: bool,
    /// Wall time between checkpoints, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    checkpoint_every: f64,
    #[command(flatten)]
    import: ImportArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().map_err(|error| error.to_string())?;
    if Duration::try_from_secs_f64(value).is_ok() { Ok(value) } else { Err("not a duration".to_owned()) }
}

pub(crate) fn execute(args: &RunArgs, console: &Console) -> Result<u8, Failure> {
    let result = execute_model(args, console);
    if let Err(failure) = &result
        && args.json
    {
        console.data(&format!("{}\n", failure.to_json()))?;
    }
    result
}

fn execute_model(args: &RunArgs, console: &Console) -> Result<u8, Failure> {
    let clock = Instant::now();
    let overrides =
        Overrides { set: args.set.clone(), method: args.method.clone(), t_end: args.t_end.clone() };
    let loaded = model::open(&args.file, &overrides, &args.import)?.map_err(Failure::Model)?;
    for warning in &loaded.warnings {
        console.warning(&format!("{}\n", render(warning, console.style())));
    }
    let study = Study::new(loaded).map_err(Failure::Model)?;
    let line = std::iter::once("carom".to_owned()).chain(arguments()).collect();
    let command = Command { line, overrides: args.set.clone() };
    let study = study.from_command(&args.file.display().to_string(), command);
    let dir = folder::of(args.out.as_deref(), study.loaded());
    if args.out.is_none()
        && !args.force
        && let Some(manifest) = study.finished_in(&dir)
    {
        console.note(&format!("already there: {} (run again: --force)\n", dir.display()));
        let writes = args.expect || !dir.join(REPORT_HTML).is_file();
        let _folder = writes.then(|| folder::take(&dir, true, args.force, console)).transpose()?;
        return conclude(args, console, &study, &dir, manifest, None);
    }
    let load = clock.elapsed();
    // Held until the report is written.
    let folder = folder::take(&dir, args.resume, args.force, console)?;
    let display = Display::new(args.progress, console, &study.loaded().model.name);
    let mut watch = Watch::new(display, args.log_events);
    interrupt::listen();
    let recording = Recording {
        folder: &folder,
        resume: args.resume,
        checkpoint_every: Duration::from_secs_f64(args.checkpoint_every),
    };
    let recorded = study.record(&recording, &mut watch);
    watch.clear();
    let ended = recorded.map_err(|error| not_recorded(error, &dir))?;
    let times = Times { load, run: ended.run, finish: ended.finish };
    let end = ended.outcome.end;
    let concluded = conclude(args, console, &study, &dir, ended.manifest, Some(times));
    if let (EndReason::Interrupted, Some(code)) = (&end, interrupt::exit_code()) {
        // After a hang-up nobody may be left to hear the rest.
        if let Err(failure) = concluded {
            console.error(&failure.render(console.style()));
        }
        console.error(&format!("stopped; to go on: {}\n", resume_command()));
        return Ok(code);
    }
    let code = concluded.map_err(Failure::after_start)?;
    Ok(match &end {
        EndReason::Finished | EndReason::Interrupted => code,
        EndReason::Failed(error) => {
            console.error(&render_problem(problem_of_run(error), console.style()));
            exit::NOT_FINISHED
        }
    })
}

/// Why there is no run: it could not begin, or its rows could not be written, and those before are kept.
fn not_recorded(error: Error, dir: &Path) -> Failure {
    let error = match error {
        Error::Recording(error) => error,
        other => return other.into(),
    };
    let can_go_on = carom_results::has_checkpoint(dir);
    let help = if can_go_on {
        format!("what was written is kept, and the run can go on from its checkpoint: {}", resume_command())
    } else {
        format!("what was written is kept: carom recover {}", dir.display())
    };
    match error.downcast_ref::<carom_results::Error>() {
        Some(error) => {
            let problem = problem_of(error);
            let help = problem.help.clone().map_or(help.clone(), |first| format!("{first}; {help}"));
            Failure::Coded { exit: exit::NOT_FINISHED, problem: Box::new(problem.help(help)) }
        }
        None => Failure::with_help(exit::NOT_FINISHED, error.to_string(), help),
    }
}

/// Verdicts, report and what is said about the run.
fn conclude(
    args: &RunArgs,
    console: &Console,
    study: &Study,
    dir: &Path,
    mut manifest: Manifest,
    times: Option<Times>,
) -> Result<u8, Failure> {
    let clock = Instant::now();
    let is_new = times.is_some();
    if args.expect {
        manifest.expectations = study.judge(&RunData::open(dir)?)?;
        manifest.write(dir)?;
    }
    let page = dir.join(REPORT_HTML);
    let report = match args.no_report {
        false if is_new || args.expect || !page.is_file() => Some(carom_report::write_report(dir)?),
        _ => Some(page).filter(|page| page.is_file()),
    };
    let times = times.map(|t| Times { finish: t.finish + clock.elapsed(), ..t });
    console.note(&summary::text(&manifest, times.as_ref()));
    console.warning(&summary::verdicts(&manifest.expectations));
    let path = report.as_deref().unwrap_or(dir).display().to_string();
    if args.json {
        console.data(&format!("{}\n", result::to_json(&manifest, dir, report.as_deref())))?;
        console.note(&format!("{path}\n"));
    } else {
        console.data(&format!("{path}\n"))?;
    }
    let met = manifest.expectations.iter().all(|verdict| verdict.passed);
    Ok(if args.expect && !met { exit::NO } else { exit::DONE })
}

/// The command of this run, with `--resume`.
fn resume_command() -> String {
    let quoted = |argument: String| {
        let plain = |c: char| c.is_alphanumeric() || "-_./=,:+".contains(c);
        if !argument.is_empty() && argument.chars().all(plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        }
    };
    let mut words: Vec<String> = vec!["carom".to_owned()];
    words.extend(arguments().filter(|a| a != "--force" && a != "--resume").map(quoted));
    words.push("--resume".to_owned());
    words.join(" ")
}

/// Arguments as given.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}
