//! Folders that go away with their test, models, and the program.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;

/// A ball dropped from 1 m on a floor: first contact at sqrt(2h/g).
pub(crate) const DROP: &str = r#"
format = 1
name   = "drop"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.bounce]
point = { normal = "hunt-crossley", stiffness = "1e7 N/m^1.5", restitution = 0.8 }

[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }

[body.ball]
mass  = "1 kg"
pos   = [0, 0, "1.1 m"]
shape = { type = "sphere", radius = "0.1 m" }

[contact]
floor = { a = "floor", b = "ball", method = "analytic", law = "bounce" }

[solver]
t_end = "1 s"
rtol  = 1e-9

[output]
every = "10 ms"
"#;

/// Wall time for what should take a second or two.
const PATIENCE: Duration = Duration::from_secs(120);

static NEXT: AtomicU32 = AtomicU32::new(0);

/// What the program said and how it ended.
pub(crate) struct Said {
    /// Exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Said {
    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "out:\n{}\nerr:\n{}", self.out, self.err);
        self
    }

    /// The one JSON object on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out).expect("standard output is JSON");
        assert!(value.is_object());
        value
    }

    /// Last line of standard output.
    pub(crate) fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}

/// A working folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("carom-cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder with a model file.
    pub(crate) fn with(file: &str, text: &str) -> Self {
        let folder = Self::new();
        folder.write(file, text);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Names in a folder, sorted.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap().flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.current_dir(&self.0).args(args).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn carom(&self, args: &[&str]) -> Said {
        said(&mut self.command(args))
    }

    /// Starts the program and leaves it running.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until a file is there.
    #[track_caller]
    pub(crate) fn wait_for(&self, file: &str) {
        let start = Instant::now();
        while !self.path(file).is_file() {
            assert!(start.elapsed() < PATIENCE, "{file} did not come");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind spoils no test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn said(command: &mut Command) -> Said {
    said_by(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Waits for the end of a program.
pub(crate) fn said_by(child: Child) -> Said {
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Sends a signal to a program that was started here.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// The model with one line in place of another.
#[track_caller]
pub(crate) fn changed(model: &str, old: &str, new: &str) -> String {
    assert!(model.contains(old), "the model has no {old}");
    model.replace(old, new)
}

/// An elastic ball that bounces for some seconds of wall time.
#[cfg(unix)]
pub(crate) fn long() -> String {
    let model = changed(DROP, "restitution = 0.8", "restitution = 1");
    let model = changed(&model, "\"1 s\"", "\"2000 s\"");
    changed(&model, "every = \"10 ms\"", "every = \"0.25 s\"\nsteps = true")
}

/// Every table of a run, byte by byte.
pub(crate) fn assert_same_tables(a: &Path, b: &Path) {
    let mut compared = 0;
    for entry in fs::read_dir(a).unwrap().flatten() {
        let name = entry.file_name();
        if Path::new(&name).extension().is_some_and(|e| e == "parquet") {
            let same = fs::read(entry.path()).unwrap() == fs::read(b.join(&name)).unwrap();
            assert!(same, "{} differs", name.to_string_lossy());
            compared += 1;
        }
    }
    assert!(compared >= 4);
}
