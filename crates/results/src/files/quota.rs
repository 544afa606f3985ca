//! A small disk, for tests: what a thread writes counts against its quota, and more is refused as on a full disk.

use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::path::Path;

thread_local! {
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Sets how many bytes this thread may still write; `None` is no limit.
pub(crate) fn set(bytes: Option<usize>) {
    LEFT.set(bytes);
}

pub(super) fn charge(bytes: usize) -> io::Result<()> {
    match LEFT.get() {
        Some(left) if left < bytes => Err(ErrorKind::StorageFull.into()),
        Some(left) => {
            LEFT.set(Some(left - bytes));
            Ok(())
        }
        None => Ok(()),
    }
}

/// A file is about to be removed.
pub(super) fn give_back(path: &Path) {
    let bytes = path.metadata().map_or(0, |there| there.len() as usize);
    LEFT.set(LEFT.get().map(|left| left + bytes));
}
