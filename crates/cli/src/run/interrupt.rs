//! Signals that ask for an end: the first for a clean stop with a checkpoint, the second ends the program.

/// Listens from now on. Without the listener a signal simply ends the program, so a failure to install it
/// does not matter.
pub(crate) fn listen() {
    system::listen();
}

/// Has somebody asked for a stop?
pub(crate) fn is_asked() -> bool {
    exit_code().is_some()
}

/// The exit code of the first request, if there was one.
pub(crate) fn exit_code() -> Option<u8> {
    system::first()
}

#[cfg(unix)]
mod system {
    use std::fs;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, LazyLock};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;

    use crate::exit;

    /// The exit code of the last request: 0 while there was none, and with the second the program ends.
    static CODE: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

    pub(super) fn listen() {
        let is_second = Arc::new(AtomicBool::new(false));
        let signals = [(SIGINT, exit::INTERRUPTED), (SIGTERM, exit::TERMINATED), (SIGHUP, exit::HUNG_UP)];
        for (signal, code) in signals {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            // In this order: the end at the second, then the note that there was a first.
            let _ = flag::register_conditional_shutdown(signal, i32::from(code), is_second.clone());
            let _ = flag::register_usize(signal, CODE.clone(), usize::from(code));
            let _ = flag::register(signal, is_second.clone());
        }
    }

    pub(super) fn first() -> Option<u8> {
        u8::try_from(CODE.load(Ordering::SeqCst)).ok().filter(|&code| code != 0)
    }

    /// `nohup` has the program ignore a signal, and means it. Linux tells by a mask of bits (proc_pid_status(5)).
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod system {
    use std::process;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::exit;

    static ASKED: AtomicBool = AtomicBool::new(false);

    pub(super) fn listen() {
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::SeqCst) {
                process::exit(i32::from(exit::INTERRUPTED));
            }
        });
    }

    pub(super) fn first() -> Option<u8> {
        ASKED.load(Ordering::SeqCst).then_some(exit::INTERRUPTED)
    }
}
