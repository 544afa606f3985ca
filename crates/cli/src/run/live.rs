//! `run --view`: a server beside the run, whose page follows it as it goes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use carom_report::view::{Limits, Stream, pack_run};
use serde_json::json;

use super::interrupt;
use crate::console::Console;
use crate::failure::Failure;
use crate::serve::{self, Host, Site};

/// Of a run that goes on, whose page is made anew again and again.
const GOING_ON: Limits = Limits { bytes: 20_000_000, frames: 4000, plots: 60, triangles: 300_000 };

/// What is served, and by whom. The server ends with it.
pub(crate) struct Live {
    shared: Arc<Shared>,
    server: Option<JoinHandle<()>>,
    address: String,
    opens: AtomicBool,
}

#[derive(Default)]
struct Shared {
    now: Mutex<Now>,
    is_over: AtomicBool,
}

/// What the page is told.
#[derive(Clone, Default)]
struct Now {
    /// Folder of the run; none before the first.
    dir: Option<PathBuf>,
    /// Number of the run.
    run: usize,
    /// How far it is (s).
    time: f64,
    /// It has ended.
    ended: bool,
    /// Why no other run could start.
    message: Option<String>,
    /// Contents of the page of a run that has ended: whole, or the first piece of what is sent in parts.
    packed: Option<Arc<Vec<u8>>>,
    stream: Option<Arc<Stream>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Now> {
        // Nothing panics while it is held.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site for Shared {
    fn run(&self) -> Result<Arc<Vec<u8>>, String> {
        let now = self.lock().clone();
        if let Some(packed) = now.packed {
            return Ok(packed);
        }
        let dir = now.dir.ok_or_else(|| now.message.unwrap_or_else(|| "the run has not begun".to_owned()))?;
        // What is damaged is told of on the page of a whole run.
        let stream = if now.ended { Stream::open(&dir, now.run).ok().flatten().map(Arc::new) } else { None };
        let packed = match &stream {
            Some(stream) => stream.opening(),
            None => {
                let limits = if now.ended { Limits::SERVED } else { GOING_ON };
                Arc::new(pack_run(&dir, &limits).map_err(|error| error.to_string())?.bytes)
            }
        };
        let mut then = self.lock();
        if now.ended && then.run == now.run {
            (then.packed, then.stream) = (Some(packed.clone()), stream);
        }
        Ok(packed)
    }

    fn other(&self) -> Option<Arc<Vec<u8>>> {
        None
    }

    fn stream(&self, number: usize) -> Option<Arc<Stream>> {
        let now = self.lock();
        // A page may still ask for the last run when another one has begun.
        now.stream.clone().filter(|_| now.run == number)
    }

    fn state(&self) -> String {
        let now = self.lock();
        json!({ "live": true, "run": now.run, "time_s": now.time, "ended": now.ended, "message": now.message })
            .to_string()
    }
}

impl Live {
    /// Serves from now on, and says where.
    pub(crate) fn start(page: String, port: u16, opens: bool, console: &Console) -> Result<Self, Failure> {
        let host = Host::bind(port)?;
        let address = host.address();
        console.error(&format!("the run can be watched at {address}\n"));
        let shared = Arc::<Shared>::default();
        let site = shared.clone();
        let serve = move || host.serve(&page, &*site, &|| site.is_over.load(Ordering::SeqCst));
        Ok(Self { shared, server: Some(thread::spawn(serve)), address, opens: AtomicBool::new(opens) })
    }

    /// A run goes on in this folder.
    pub(crate) fn begin(&self, dir: &Path) {
        let mut now = self.shared.lock();
        *now = Now { dir: Some(dir.to_owned()), run: now.run + 1, ..Now::default() };
        drop(now);
        self.open_once();
    }

    /// How far the run is (s).
    pub(crate) fn progress(&self, time: f64) {
        self.shared.lock().time = time;
    }

    /// The run has ended, its folder is whole.
    pub(crate) fn end(&self) {
        self.shared.lock().ended = true;
    }

    /// Another run could not start; the page goes on to show the last one.
    pub(crate) fn fail(&self, message: String) {
        self.shared.lock().message = Some(message);
        self.open_once();
    }

    fn open_once(&self) {
        if self.opens.swap(false, Ordering::SeqCst) {
            serve::open(&self.address);
        }
    }

    /// Waits until the user asks for the end.
    pub(crate) fn wait(&self, console: &Console) {
        console.note(&format!("still at {}; Ctrl-C ends it\n", self.address));
        while !interrupt::is_asked() {
            thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        if let Some(server) = self.server.take() {
            // A server that has panicked has said so.
            let _ = server.join();
        }
    }
}
