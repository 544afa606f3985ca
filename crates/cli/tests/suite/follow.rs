//! `run --view` and `run --watch`: a page that follows a run, and runs that follow their model.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use carom_report::view::has_page;
use carom_results::Container;
use serde_json::Value;

use crate::kit::{DROP, Folder, changed, signal};

/// Wall time for what should take a second or two.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that serves, and goes away with its test.
struct Served {
    child: Child,
    port: u16,
    err: Option<thread::JoinHandle<String>>,
}

impl Served {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(&[&["run"], args, &["--view", "--no-open"]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        let address = line.trim().trim_end_matches('/').rsplit_once(':').expect("an address").1.to_owned();
        let port = address.parse().unwrap();
        // Nobody waits for a pipe that is full.
        let err = Some(thread::spawn(move || rest_of(err)));
        Self { child, port, err }
    }

    /// Status and body of an answer; none if nobody answers.
    fn ask(&self, path: &str) -> Option<(u16, Vec<u8>)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let host = format!("127.0.0.1:{}", self.port);
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let status = String::from_utf8_lossy(&answer[9..12]).parse().ok()?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
        Some((status, answer.split_off(end + 4)))
    }

    fn state(&self) -> Value {
        serde_json::from_slice(&self.ask("/state").expect("it is served").1).unwrap()
    }

    /// Output times of the page as it is now; none where there is none yet.
    fn frames(&self) -> Option<usize> {
        let (status, bytes) = self.ask("/run.bin")?;
        if status != 200 {
            return None;
        }
        let mut contents = Vec::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut contents).unwrap();
        Some(Container::from_bytes(&contents).unwrap().f64s("times").len())
    }

    #[track_caller]
    fn wait(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < PATIENCE, "{what}: {}", self.state());
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Asks for the end; gives the exit code and what was said.
    fn end(mut self) -> (Option<i32>, String) {
        signal(&self.child, "-INT");
        let code = self.child.wait().unwrap().code();
        assert!(self.ask("/").is_none(), "nobody serves any more");
        (code, self.err.take().unwrap().join().unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rest_of(mut err: BufReader<ChildStderr>) -> String {
    let mut text = String::new();
    let _ = err.read_to_string(&mut text);
    text
}

#[test]
fn the_page_of_a_run_follows_it_and_ends_with_it() {
    if !has_page() {
        return;
    }
    let endless = changed(&changed(DROP, "restitution = 0.8", "restitution = 1"), "\"1 s\"", "\"1e6 s\"");
    let folder = Folder::with("drop.toml", &changed(&endless, "every = \"10 ms\"", "every = \"1 s\""));
    let served = Served::start(&folder, &["drop.toml", "-o", "out"]);
    served.wait("it goes on", |served| served.frames().is_some_and(|frames| frames > 1));
    let first = served.frames().unwrap();
    let time = served.state()["time_s"].as_f64().unwrap();
    served.wait("it grows", |served| served.frames().is_some_and(|frames| frames > first));
    let state = served.state();
    assert!(state["live"] == true && state["run"] == 1 && state["ended"] == false, "{state}");
    assert!(state["time_s"].as_f64().unwrap() > time, "{state}");
    for path in
        ["/run.json", "/../out/run.json", "/%2e%2e/out/run.json", "//out/run.json", "/state/../run.json"]
    {
        assert_eq!(served.ask(path).unwrap().0, 404, "{path}");
    }
    let (code, said) = served.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("--view --no-open --resume"), "{said}");
    assert!(folder.path("out/checkpoint.bin").is_file() && !folder.path("out/run.lock").exists());
}

#[test]
fn a_run_that_has_ended_is_served_until_it_is_left() {
    if !has_page() {
        return;
    }
    let folder = Folder::with("drop.toml", DROP);
    // Also one that is there already.
    for _ in 0..2 {
        let served = Served::start(&folder, &["drop.toml"]);
        served.wait("it ends", |served| served.state()["ended"] == true);
        served.wait("its files are whole", |served| served.frames() == Some(101));
        assert_eq!(served.end().0, Some(0));
    }
    let bad = folder.carom(&["run", "none.toml", "--view", "--no-open"]).exits(2);
    assert!(bad.err.contains("none.toml"), "{}", bad.err);
    folder.carom(&["run", "drop.toml", "--port", "0"]).exits(2);
}

/// Each change of the model makes another run; a mistake is told, and waited for to be mended.
#[test]
fn a_model_that_is_saved_runs_again() {
    if !has_page() {
        return;
    }
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["run", "-", "--watch"]).exits(2);
    assert!(said.err.contains("standard input cannot be watched"), "{}", said.err);
    let served = Served::start(&folder, &["drop.toml", "--watch"]);
    served.wait("the first ends", |served| served.state()["ended"] == true);
    folder.write("drop.toml", &changed(DROP, "\"1.1 m\"", "\"1.25 m\""));
    served.wait("a second ends", |served| served.state()["run"] == 2 && served.state()["ended"] == true);
    folder.write("drop.toml", &changed(DROP, "\"1 kg\"", "\"-1 kg\""));
    served.wait("a mistake is told", |served| !served.state()["message"].is_null());
    let state = served.state();
    assert!(state["message"].as_str().unwrap().contains("drop.toml:") && state["run"] == 2, "{state}");
    // One that would take minutes is left when it is saved again.
    let endless = changed(&changed(DROP, "restitution = 0.8", "restitution = 1"), "\"1 s\"", "\"1e6 s\"");
    folder.write("drop.toml", &changed(&endless, "every = \"10 ms\"", "every = \"1 s\""));
    served.wait("a third goes on", |served| served.state()["run"] == 3);
    // An editor puts another file in its place.
    folder.write("drop.new", &changed(DROP, "\"1.1 m\"", "\"1.5 m\""));
    std::fs::rename(folder.path("drop.new"), folder.path("drop.toml")).unwrap();
    served.wait("a fourth ends", |served| served.state()["run"] == 4 && served.state()["ended"] == true);
    assert!(served.state()["message"].is_null());
    let (code, said) = served.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("error["), "{said}");
    assert_eq!(folder.list("runs").len(), 4);
}
