//! A panic is a mistake of this program. It writes down what is needed to find it, says where that is, and exits with 101.
//!
//! The standard library has all that it takes; a crate for it would bring a second one to read back traces, and a dozen more.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};

/// Names tried for the file before giving up.
const NAMES: u32 = 100;

/// Reports all panics from here on.
pub(crate) fn install() {
    panic::set_hook(Box::new(|info| {
        let file = write_report(&std::env::temp_dir(), &report_of(info));
        // Nobody is left to tell if this fails.
        let _ = io::stderr().lock().write_all(message_of(info, file).as_bytes());
    }));
}

fn place_of(info: &PanicHookInfo<'_>) -> String {
    info.location().map_or_else(|| "an unknown place".to_owned(), |l| format!("{}:{}", l.file(), l.line()))
}

fn cause_of<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    info.payload_as_str().unwrap_or("unknown cause")
}

/// What is shown.
fn message_of(info: &PanicHookInfo<'_>, file: io::Result<PathBuf>) -> String {
    let report = match file {
        Ok(path) => format!(
            "this is a mistake of carom, not of the model; please send the report \"{}\" with the model",
            path.display()
        ),
        Err(error) => format!(
            "this is a mistake of carom, not of the model; please send this message with the model (no report could be written: {error})"
        ),
    };
    format!(
        "error: internal error at {}: {}\n  = help: {report}\n  = help: the rows of a run written so far are kept: carom recover RUN\n",
        place_of(info),
        cause_of(info)
    )
}

/// What is written: no file of the user's, only the command.
fn report_of(info: &PanicHookInfo<'_>) -> String {
    let mut text = String::new();
    let command: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let thread = std::thread::current();
    for (name, value) in [
        ("program", format!("carom {}", env!("CARGO_PKG_VERSION"))),
        ("system", format!("{os} {arch}")),
        ("command", format!("{command:?}")),
        ("thread", thread.name().unwrap_or("unnamed").to_owned()),
        ("place", place_of(info)),
        ("cause", cause_of(info).to_owned()),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<8} {value}");
    }
    let _ = write!(text, "\n{}", Backtrace::force_capture());
    text
}

/// Writes a new file; what is there already, a link too, is left alone.
fn write_report(folder: &Path, text: &str) -> io::Result<PathBuf> {
    for number in 0..NAMES {
        let path = folder.join(format!("carom-panic-{}-{number}.txt", std::process::id()));
        match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other?.write_all(text.as_bytes()).map(|()| path),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "too many reports"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn a_panic_leaves_a_report_that_says_where() {
        let folder = std::env::temp_dir().join(format!("carom-panic-test-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (to, heard) = (folder.clone(), Arc::clone(&said));
        panic::set_hook(Box::new(move |info| {
            *heard.lock().unwrap() = message_of(info, write_report(&to, &report_of(info)));
        }));
        let caught = panic::catch_unwind(|| panic!("number {}", 7));
        let _ = panic::take_hook();
        assert!(caught.is_err());
        let said = said.lock().unwrap().clone();
        assert!(said.contains("panic_report.rs:") && said.contains("number 7"), "{said}");
        let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        assert!(said.contains(&file.display().to_string()), "{said}");
        let report = fs::read_to_string(&file).unwrap();
        for part in ["program  carom", "number 7", "panic_report.rs:", "a_panic_leaves_a_report"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        // A second one does not replace the first.
        assert_ne!(write_report(&folder, "x").unwrap(), file);
        fs::remove_dir_all(folder).unwrap();
    }
}
