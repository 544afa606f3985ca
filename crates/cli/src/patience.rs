//! What may take long says so.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::console::Console;

/// From when on something takes long.
const LONG: Duration = Duration::from_secs(4);

/// Does `work`. If that takes more than some seconds, a line on standard error says what it is about.
pub(crate) fn patiently<T>(text: &str, console: &Console, work: impl FnOnce() -> T) -> T {
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                console.note(&format!("{text}\n"));
            }
        });
        let result = work();
        drop(done);
        result
    })
}
