//! A run in a browser of this machine: six answers at most, on the loopback interface alone. No part of an address is a path on
//! the disk, so that none leads anywhere; what is asked for of a long run is asked for by numbers.

use std::io::Cursor;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use carom_report::view::Stream;
use carom_results::Error;
use tiny_http::{Header, Method, Request, Response, Server};

use crate::exit;
use crate::failure::Failure;

/// What every answer says beside its type.
const HEADERS: [(&str, &str); 3] = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
];
/// How often a server looks whether it is to go on.
const LOOK: Duration = Duration::from_millis(100);
/// Who answers: a curve of a long run may take seconds, and the picture does not wait for it.
const THREADS: usize = 3;

/// What a page asks for.
pub(crate) trait Site {
    /// The data of the run as it is; or why there are none.
    fn run(&self) -> Result<Arc<Vec<u8>>, String>;
    /// Those of the run that it is compared with, if there is one.
    fn other(&self) -> Option<Arc<Vec<u8>>>;
    /// The run of this number, if it is sent in parts.
    fn stream(&self, number: usize) -> Option<Arc<Stream>>;
    /// One JSON object: whether it changes, and what has.
    fn state(&self) -> String;
}

/// What is said of a run that does not change.
const STILL: &str = r#"{"live":false}"#;

/// A run that does not change, and one to compare it with: whole, or the first pieces of what is sent in parts.
pub(crate) struct Still {
    pub(crate) run: Result<Arc<Vec<u8>>, String>,
    pub(crate) other: Option<Arc<Vec<u8>>>,
    pub(crate) streams: Vec<Arc<Stream>>,
}

impl Still {
    /// Of long runs: one, or two to be compared.
    pub(crate) fn of_streams(streams: Vec<Stream>) -> Self {
        let streams: Vec<Arc<Stream>> = streams.into_iter().map(Arc::new).collect();
        let [run, other] = [0, 1].map(|number| streams.get(number).map(|stream| stream.opening()));
        Self { run: Ok(run.unwrap_or_default()), other, streams }
    }

    /// Of a run that cannot be shown for this reason.
    pub(crate) fn without(why: String) -> Self {
        Self { run: Err(why), other: None, streams: Vec::new() }
    }
}

impl Site for Still {
    fn run(&self) -> Result<Arc<Vec<u8>>, String> {
        self.run.clone()
    }

    fn other(&self) -> Option<Arc<Vec<u8>>> {
        self.other.clone()
    }

    fn stream(&self, number: usize) -> Option<Arc<Stream>> {
        self.streams.get(number).cloned()
    }

    fn state(&self) -> String {
        STILL.to_owned()
    }
}

/// A server on the loopback interface that has its port.
pub(crate) struct Host {
    server: Server,
    port: u16,
}

impl Host {
    /// At a port, or at one that is free for 0.
    pub(crate) fn bind(port: u16) -> Result<Self, Failure> {
        let server = Server::http(("127.0.0.1", port)).map_err(|error| {
            let message = format!("cannot serve at port {port}: {error}");
            Failure::with_help(exit::NOT_STARTED, message, "give another --port, or none")
        })?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        Ok(Self { server, port })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until `is_over` says so.
    pub(crate) fn serve(&self, page: &str, site: &(dyn Site + Sync), is_over: &(dyn Fn() -> bool + Sync)) {
        let answers = || {
            while !is_over() {
                if let Ok(Some(request)) = self.server.recv_timeout(LOOK) {
                    // Who asks may have gone.
                    let _ = answer(request, page, site, self.port);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(answers);
            }
        });
    }
}

fn answer(request: Request, page: &str, site: &dyn Site, port: u16) -> std::io::Result<()> {
    let (status, kind, body) = if !is_from_here(&request, port) {
        refused(403, "this server answers to 127.0.0.1 alone")
    } else if !matches!(request.method(), Method::Get | Method::Head) {
        refused(405, "only GET is answered")
    } else {
        found(request.url(), page, site)
    };
    let mut response = Response::from_data(Vec::new()).with_status_code(status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response.with_data(Cursor::new(&body[..]), Some(body.len())))
}

/// Status, type and bytes of an answer.
type Answer = (u16, &'static str, Arc<Vec<u8>>);

fn text(status: u16, kind: &'static str, text: &str) -> Answer {
    (status, kind, Arc::new(text.as_bytes().to_vec()))
}

fn refused(status: u16, why: &str) -> Answer {
    text(status, "text/plain; charset=utf-8", why)
}

/// What is at an address of this server.
fn found(url: &str, page: &str, site: &dyn Site) -> Answer {
    let (place, asked) = url.split_once('?').unwrap_or((url, ""));
    let data = match (place, &numbers(asked)[..]) {
        ("/", _) => return text(200, "text/html; charset=utf-8", page),
        ("/state", _) => return text(200, "application/json", &site.state()),
        ("/run.bin", _) => site.run().map(Some),
        ("/other.bin", _) => Ok(site.other()),
        (_, &[("run", run), ref rest @ ..]) => match site.stream(run) {
            Some(stream) => of_stream(place, rest, &stream, site).map_err(|error| error.to_string()),
            None => Ok(None),
        },
        _ => Ok(None),
    };
    match data {
        Ok(Some(bytes)) => (200, "application/octet-stream", bytes),
        Ok(None) => refused(404, "there is nothing here"),
        Err(why) => refused(404, &why),
    }
}

/// What is asked of a run that is sent in parts.
fn of_stream(
    place: &str,
    asked: &[(&str, usize)],
    stream: &Stream,
    site: &dyn Site,
) -> Result<Option<Arc<Vec<u8>>>, Error> {
    let bytes = match (place, asked) {
        ("/greatest.bin", []) => return stream.greatest().map(Some),
        ("/part.bin", &[("number", number)]) => stream.part(number)?,
        ("/curve.bin", &[("plot", plot), ("first", first), ("end", end)]) => {
            stream.curve(plot, first, end)?
        }
        (
            "/difference.bin",
            &[("plot", plot), ("other", other), ("of_other", of_other), ("first", first), ("end", end)],
        ) => match site.stream(other) {
            Some(other) => stream.difference(plot, &other, of_other, first..end)?,
            None => None,
        },
        _ => None,
    };
    Ok(bytes.map(Arc::new))
}

/// Names and numbers behind the question mark; none if there is anything else.
fn numbers(asked: &str) -> Vec<(&str, usize)> {
    let numbers = asked.split('&').map(|part| {
        let (name, number) = part.split_once('=')?;
        Some((name, number.parse().ok()?))
    });
    numbers.collect::<Option<_>>().unwrap_or_default()
}

/// A page from elsewhere may have its name lead here, and would then read the run.
fn is_from_here(request: &Request, port: u16) -> bool {
    let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    request
        .headers()
        .iter()
        .any(|header| header.field.equiv("Host") && hosts.iter().any(|host| header.value.as_str() == host))
}

/// Opens the address in the user's browser, if there is one; the address was printed in any case.
pub(crate) fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
