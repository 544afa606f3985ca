//! A run in a browser of this machine: three answers or four, on the loopback interface alone. No part of an address is a path on
//! the disk, so that none leads anywhere.

use std::io::Cursor;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

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

/// What a page asks for.
pub(crate) trait Site {
    /// The data of the run as it is; or why there are none.
    fn run(&self) -> Result<Arc<Vec<u8>>, String>;
    /// Those of the run that it is compared with, if there is one.
    fn other(&self) -> Option<Arc<Vec<u8>>> {
        None
    }
    /// One JSON object: whether it changes, and what has.
    fn state(&self) -> String;
}

/// A run that does not change, and one to compare it with.
pub(crate) struct Still {
    pub(crate) run: Arc<Vec<u8>>,
    pub(crate) other: Option<Arc<Vec<u8>>>,
}

impl Site for Still {
    fn run(&self) -> Result<Arc<Vec<u8>>, String> {
        Ok(self.run.clone())
    }

    fn other(&self) -> Option<Arc<Vec<u8>>> {
        self.other.clone()
    }

    fn state(&self) -> String {
        r#"{"live":false}"#.to_owned()
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
    pub(crate) fn serve(&self, page: &str, site: &dyn Site, is_over: &dyn Fn() -> bool) {
        while !is_over() {
            if let Ok(Some(request)) = self.server.recv_timeout(LOOK) {
                // Who asks may have gone.
                let _ = answer(request, page, site, self.port);
            }
        }
    }
}

fn answer(request: Request, page: &str, site: &dyn Site, port: u16) -> std::io::Result<()> {
    let text = |text: &str| text.as_bytes().to_vec();
    let mut run = Arc::default();
    let (status, kind, body) = if !is_from_here(&request, port) {
        (403, "text/plain", text("this server answers to 127.0.0.1 alone"))
    } else if !matches!(request.method(), Method::Get | Method::Head) {
        (405, "text/plain", text("only GET is answered"))
    } else {
        match request.url().split(['?', '#']).next() {
            Some("/") => (200, "text/html; charset=utf-8", text(page)),
            Some("/state") => (200, "application/json", text(&site.state())),
            Some("/run.bin") => match site.run() {
                Ok(bytes) => {
                    run = bytes;
                    (200, "application/octet-stream", Vec::new())
                }
                Err(why) => (404, "text/plain; charset=utf-8", text(&why)),
            },
            Some("/other.bin") if site.other().is_some() => {
                run = site.other().unwrap_or_default();
                (200, "application/octet-stream", Vec::new())
            }
            _ => (404, "text/plain", text("there is nothing here")),
        }
    };
    let mut response = Response::from_data(Vec::new()).with_status_code(status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    let body = if run.is_empty() { &body[..] } else { &run[..] };
    request.respond(response.with_data(Cursor::new(body), Some(body.len())))
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
