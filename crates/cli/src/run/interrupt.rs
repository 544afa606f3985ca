//! Ctrl-C: the first asks for a clean stop, the second ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Without the listener Ctrl-C simply ends the program, so a failure to install it
/// does not matter.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            process::exit(i32::from(exit::INTERRUPTED));
        }
    });
}

/// Has the user asked for a stop?
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
