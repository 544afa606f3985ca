//! The parts of `carom run`: where a run goes, what watches it, what is said about it.

pub(crate) mod describe;
pub(crate) mod folder;
pub(crate) mod interrupt;
pub(crate) mod live;
pub(crate) mod result;
pub(crate) mod robot_table;
pub(crate) mod summary;
pub(crate) mod watch;
pub(crate) mod watched;
