//! The command as a process on mutated inputs: how it ends, how long it takes, how much memory it has.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::target::{Target, damaged_run, model_with_mesh, model_with_quantity};
use crate::{LONGEST, seeds};

/// A run that goes on for so long is told to end, as a job scheduler does.
const PATIENCE: Duration = Duration::from_secs(4);
/// Most memory (KiB).
const MOST_MEMORY: u64 = 1 << 20;
/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// Exit code after SIGTERM.
const TERMINATED: i32 = 143;

/// Puts the meshes beside the models to come that those of the repository name.
pub(crate) fn furnish(scratch: &Path) {
    for entry in fs::read_dir(seeds::examples()).into_iter().flatten().flatten() {
        // What is missing is a mistake that the command names.
        let _ = fs::copy(entry.path(), scratch.join(entry.file_name()));
    }
}

/// Gives the input to the commands that read its kind; did the first pass it? An error says what was not kept.
pub(crate) fn read(
    target: Target,
    program: &Path,
    name: &str,
    input: &[u8],
    scratch: &Path,
) -> Result<bool, String> {
    let text = || String::from_utf8_lossy(input).into_owned();
    let write = |name: &str, bytes: &[u8]| fs::write(scratch.join(name), bytes).map_err(|e| e.to_string());
    let carom = |arguments: &[&str]| run(program, arguments, scratch);
    let check = |model: &str| {
        write("model.toml", model.as_bytes())?;
        carom(&["check", "model.toml"])
    };
    match target {
        Target::Model => {
            write("model.toml", input)?;
            carom(&["check", "model.toml"])
        }
        Target::Run => {
            write("model.toml", input)?;
            let out = scratch.join("out");
            // What cannot be removed is refused as another run's.
            let _ = fs::remove_dir_all(&out);
            let passed = carom(&["run", "model.toml", "--out", "out"])?;
            // However the run has ended, its folder is closed and whole.
            if out.join("run.json").exists() && !carom(&["info", "out"])? {
                return Err("the run's folder cannot be read".to_owned());
            }
            Ok(passed)
        }
        Target::Quantity => check(&model_with_quantity(&text())),
        Target::Mesh => {
            write(name, input)?;
            check(&model_with_mesh(name))
        }
        Target::Urdf | Target::Sdf | Target::Mjcf => {
            write(name, input)?;
            carom(&["convert", name, "robot.toml", "--force"])
        }
        Target::Folder => {
            damaged_run(name, input, scratch);
            let passed = carom(&["info", "run"])?;
            carom(&["convert", "run", "csv", "--force"])?;
            carom(&["recover", "run"])?;
            Ok(passed)
        }
    }
}

/// Runs the command; did it end with 0?
fn run(program: &Path, arguments: &[&str], scratch: &Path) -> Result<bool, String> {
    let said = scratch.join("stderr.txt");
    let errors = File::create(&said).map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(scratch).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let ended = watch(&mut child, arguments[0] == "run");
    ended.map_err(|why| {
        let said = fs::read_to_string(&said).unwrap_or_default();
        format!("carom {}: {why}\n{said}", arguments.join(" "))
    })
}

fn watch(child: &mut Child, is_run: bool) -> Result<bool, String> {
    let clock = Instant::now();
    let mut told = false;
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        memory = memory.max(peak_memory(child.id()));
        if is_run && !told && clock.elapsed() > PATIENCE {
            let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
            sent.map_err(|e| e.to_string())?;
            told = true;
        }
        if clock.elapsed() > LONGEST || memory > MOST_MEMORY {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!(
                "after {:.1?} it was there still, with {} MiB",
                clock.elapsed(),
                memory >> 10
            ));
        }
        thread::sleep(LOOK);
    };
    match status.code() {
        Some(code @ 0..=3) => Ok(code == 0),
        Some(TERMINATED) if told => Ok(false),
        // Before there is anything to close a run ends as any program does.
        None if told && status.to_string().contains("SIGTERM") => Ok(false),
        _ => Err(format!("it ended with {}", describe(status))),
    }
}

fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// Most memory that a process has had (KiB); 0 where the system does not tell, or once it has ended.
fn peak_memory(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
