//! Exit codes. Usage errors are 2 by clap, panics 101 by Rust.

/// Done.
pub(crate) const DONE: u8 = 0;
/// The answer is no: errors found, expectation failed.
pub(crate) const NO: u8 = 1;
/// Could not start: usage, unreadable or invalid input.
pub(crate) const NOT_STARTED: u8 = 2;
/// Started, did not reach the end; what there is is kept.
pub(crate) const NOT_FINISHED: u8 = 3;
/// Closed by a hang-up of the terminal or session: 128 and the number of the signal, as shells say it.
#[cfg(unix)]
pub(crate) const HUNG_UP: u8 = 129;
/// Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;
/// Told to end, as job schedulers do.
#[cfg(unix)]
pub(crate) const TERMINATED: u8 = 143;
