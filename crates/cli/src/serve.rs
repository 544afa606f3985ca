//! A run in a browser of this machine: two answers, on the loopback interface alone. Nothing is read from the disk for a
//! request, so that no path leads anywhere.

use std::io::Cursor;
use std::process::{Command, Stdio};

use tiny_http::{Header, Method, Request, Response, Server};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// What every answer says beside its type.
const HEADERS: [(&str, &str); 3] = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
];

/// Serves the page and its data until the program is stopped.
pub(crate) fn serve(
    page: &str,
    data: &[u8],
    port: u16,
    opens: bool,
    console: &Console,
) -> Result<u8, Failure> {
    let server = Server::http(("127.0.0.1", port)).map_err(|error| {
        let message = format!("cannot serve at port {port}: {error}");
        Failure::with_help(exit::NOT_STARTED, message, "give another --port, or none")
    })?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let address = format!("http://127.0.0.1:{port}/");
    console.data(&format!("{address}\n"))?;
    console.note("Ctrl-C ends it\n");
    if opens {
        open(&address);
    }
    for request in server.incoming_requests() {
        // Who asks may have gone.
        let _ = answer(request, page, data, port);
    }
    Ok(exit::DONE)
}

fn answer(request: Request, page: &str, data: &[u8], port: u16) -> std::io::Result<()> {
    let (status, kind, body) = if !is_from_here(&request, port) {
        (403, "text/plain", &b"this server answers to 127.0.0.1 alone"[..])
    } else if !matches!(request.method(), Method::Get | Method::Head) {
        (405, "text/plain", &b"only GET is answered"[..])
    } else {
        match request.url().split(['?', '#']).next() {
            Some("/") => (200, "text/html; charset=utf-8", page.as_bytes()),
            Some("/run.bin") => (200, "application/octet-stream", data),
            _ => (404, "text/plain", &b"there is nothing here"[..]),
        }
    };
    let mut response = Response::from_data(Vec::new()).with_status_code(status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
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
fn open(address: &str) {
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
