use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom::{Error, Recording, Study, problem_of};
use carom_engine::EndReason;
use carom_io::{Overrides, Style, render};
use carom_results::manifest::Command;
use carom_results::{Manifest, REPORT_HTML, RunData};

use crate::console::Console;
use crate::exit;
use crate::failure::{Failure, problem_of_run, render_problem};
use crate::import::ImportArgs;
use crate::model;
use crate::progress::{Display, Mode};
use crate::run::live::Live;
use crate::run::summary::Times;
use crate::run::watch::{Beside, Watch};
use crate::run::watched::Watched;
use crate::run::{folder, interrupt, result, summary};

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Model file, robot file (URDF, SDF, MJCF), or - for standard input
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
    /// Follow the run in a browser of this machine, as it goes
    #[arg(long)]
    view: bool,
    /// Run again when the model, or a file that it names, is saved
    #[arg(long, conflicts_with = "resume")]
    watch: bool,
    /// Port to serve at [default: one that is free]
    #[arg(long, value_name = "NUMBER", requires = "view")]
    port: Option<u16>,
    /// Do not open a browser
    #[arg(long, requires = "view")]
    no_open: bool,
    #[command(flatten)]
    import: ImportArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().map_err(|error| error.to_string())?;
    if Duration::try_from_secs_f64(value).is_ok() { Ok(value) } else { Err("not a duration".to_owned()) }
}

pub(crate) fn execute(args: &RunArgs, console: &Console) -> Result<u8, Failure> {
    if args.watch && args.file.as_os_str() == model::STDIN {
        let help = "write the model to a file";
        return Err(Failure::with_help(
            exit::NOT_STARTED,
            "standard input cannot be watched for changes",
            help,
        ));
    }
    let live = args.view.then(|| start_live(args, console)).transpose()?;
    if args.watch {
        return run_again_and_again(args, console, live.as_ref());
    }
    let code = execute_once(args, console, &mut Beside { live: live.as_ref(), watched: None })?;
    if let Some(live) = live.filter(|_| !interrupt::is_asked()) {
        live.wait(console);
    }
    Ok(code)
}

fn start_live(args: &RunArgs, console: &Console) -> Result<Live, Failure> {
    let page = super::view::empty_page()?;
    interrupt::listen();
    Live::start(page, args.port.unwrap_or(0), !args.no_open, console)
}

/// One run after each change of the model, until the user asks for the end; the result is the last one's.
fn run_again_and_again(args: &RunArgs, console: &Console, live: Option<&Live>) -> Result<u8, Failure> {
    interrupt::listen();
    loop {
        let mut beside = Beside { live, watched: Some(Watched::new(&args.file)) };
        let result = execute_once(args, console, &mut beside);
        if let Err(failure) = &result {
            console.error(&failure.render(console.style()));
            if let Some(live) = live {
                live.fail(failure.render(Style::Plain));
            }
        }
        let code = result.unwrap_or_else(|failure| failure.exit());
        if interrupt::is_asked() {
            return Ok(code);
        }
        if !beside.has_changed() {
            console.note("waiting for the model to be saved again; Ctrl-C ends it\n");
        }
        if !beside.watched.is_some_and(Watched::wait) {
            return Ok(code);
        }
    }
}

fn execute_once(args: &RunArgs, console: &Console, beside: &mut Beside<'_>) -> Result<u8, Failure> {
    let result = execute_model(args, console, beside);
    if let Err(failure) = &result
        && args.json
    {
        console.data(&format!("{}\n", failure.to_json()))?;
    }
    result
}

fn execute_model(args: &RunArgs, console: &Console, beside: &mut Beside<'_>) -> Result<u8, Failure> {
    let clock = Instant::now();
    let overrides = Overrides {
        set: args.set.clone(),
        method: args.method.clone(),
        t_end: args.t_end.clone(),
        ..Overrides::default()
    };
    let loaded = model::open(&args.file, &overrides, &args.import, console)?.map_err(Failure::Model)?;
    for warning in &loaded.warnings {
        console.warning(&format!("{}\n", render(warning, console.style())));
    }
    if let Some(watched) = &mut beside.watched {
        watched.add(&loaded.files);
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
        if let Some(live) = beside.live {
            live.begin(&dir);
            live.end();
        }
        let _folder = writes.then(|| folder::take(&dir, true, args.force, console)).transpose()?;
        return conclude(args, console, &study, &dir, manifest, None);
    }
    let load = clock.elapsed();
    // Held until the report is written.
    let folder = folder::take(&dir, args.resume, args.force, console)?;
    let display = Display::new(args.progress, console, &study.loaded().model.name);
    let live = beside.live;
    let mut watch = Watch::new(display, args.log_events, beside);
    interrupt::listen();
    if let Some(live) = live {
        live.begin(&dir);
    }
    let recording = Recording {
        folder: &folder,
        resume: args.resume,
        checkpoint_every: Duration::from_secs_f64(args.checkpoint_every),
    };
    let recorded = study.record(&recording, &mut watch);
    watch.clear();
    if let Some(live) = live {
        live.end();
    }
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
    words.extend(
        arguments().filter(|a| !["--force", "--resume", "--watch"].contains(&a.as_str())).map(quoted),
    );
    words.push("--resume".to_owned());
    words.join(" ")
}

/// Arguments as given.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}
