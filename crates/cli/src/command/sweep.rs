use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use carom_engine::Problem;
use carom_io::study::read_study;
use carom_sweep::{Ledger, OTHER_STUDY, Plan, Reports, Row, Shard, run_here, work};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct SweepArgs {
    /// Study file
    study: PathBuf,
    /// Folder of the study [default: the name of its file without .toml, in runs/]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker processes, each of one thread [default: as many as the machine has cores]
    #[arg(short, long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// A part of the runs, such as 3/8: run all parts, on any machines, into one folder
    #[arg(long, value_name = "PART/PARTS", value_parser = shard)]
    shard: Option<Shard>,
    /// Do not write report.html of each run
    #[arg(long)]
    no_report: bool,
    /// List the runs without making them
    #[arg(long)]
    dry_run: bool,
    /// Make the runs whose numbers are read from standard input
    #[arg(long, hide = true)]
    worker: bool,
}

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("give a part and their number, such as 3/8".to_owned()),
    }
}

/// `program` are the words that start this command.
pub(crate) fn execute(args: &SweepArgs, console: &Console, program: &[OsString]) -> Result<u8, Failure> {
    let dir = args.out.clone().unwrap_or_else(|| default_folder(&args.study));
    if args.worker {
        let plan = Plan::of(&args.study, &dir).map_err(Failure::Model)?;
        let reports = if args.no_report { Reports::LeftOut } else { Reports::Written };
        work(&plan, &dir, reports).map_err(|error| failed("cannot answer", &dir, &error))?;
        return Ok(exit::DONE);
    }
    let plan = Plan::new(read_study(&args.study).map_err(Failure::Model)?);
    let examined = plan.examine()?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    if args.dry_run {
        console.data(&list(&plan, shard))?;
        return Ok(exit::DONE);
    }
    let opened = Ledger::open(&plan, &examined, &dir, shard)
        .map_err(|error| failed("cannot write into", &dir, &error))?;
    let mut ledger = opened.ok_or_else(|| other_study(&dir))?;
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let count = plan.cases.iter().filter(|case| shard.has(case.number)).count();
    console.note(&format!("{count} runs into {}\n", dir.display()));
    let made = AtomicUsize::new(0);
    let told = |row: &Row| {
        let made = made.fetch_add(1, Ordering::Relaxed) + 1;
        if row.end == "finished" {
            console.note(&format!("{made}: run {} in {:.2} s\n", row.run, row.wall));
        } else {
            console.warning(&format!("{made}: run {} {}: {} {}\n", row.run, row.end, row.code, row.message));
        }
    };
    let worker = || {
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).arg("sweep").arg(&args.study).arg("--out").arg(&dir).arg("--worker");
        if args.no_report {
            command.arg("--no-report");
        }
        command
    };
    let tally = run_here(&plan, &mut ledger, shard, jobs, &worker, &told);
    // What there is becomes a table whatever has come in between.
    let table = ledger.write_table(&plan).map_err(|error| failed("cannot write into", &dir, &error))?;
    let tally = tally.map_err(|error| failed("cannot go on in", &dir, &error))?;
    console
        .note(&format!("{} finished, {} failed, {} were there\n", tally.finished, tally.failed, tally.known));
    console.data(&format!("{}\n", table.display()))?;
    Ok(exit::DONE)
}

fn default_folder(study: &Path) -> PathBuf {
    let name = study.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Path::new("runs").join(name.strip_suffix(".study").unwrap_or(&name))
}

fn list(plan: &Plan, shard: Shard) -> String {
    let mine = plan.cases.iter().filter(|case| shard.has(case.number));
    mine.map(|case| format!("{}  {}\n", case.number, plan.overrides(case).join("  "))).collect()
}

fn failed(what: &str, dir: &Path, error: &io::Error) -> Failure {
    Failure::new(exit::NOT_FINISHED, format!("{what} \"{}\": {error}", dir.display()))
}

fn other_study(dir: &Path) -> Failure {
    let problem = Problem::new(OTHER_STUDY, "", format!("\"{}\" holds another study", dir.display()));
    let problem = problem.help("give another folder with --out, or remove this one");
    Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem) }
}
