//! What belongs to one thread at a time: whoever comes in between is told, and nobody waits.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, ThreadId};

use pyo3::prelude::*;

use crate::error::plain;

/// A value that may be closed, and that a thread may hold over several uses.
pub(crate) struct Owned<T> {
    value: Mutex<Option<T>>,
    holder: Mutex<Option<ThreadId>>,
    what: &'static str,
}

impl<T> Owned<T> {
    pub(crate) fn new(what: &'static str, value: T) -> Self {
        Self { value: Mutex::new(Some(value)), holder: Mutex::new(None), what }
    }

    /// The value, for this thread alone.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<Open<'_, T>> {
        let holder = *self.holder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if holder.is_some_and(|holder| holder != thread::current().id()) {
            return Err(self.busy(py));
        }
        let guard = match self.value.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(self.busy(py)),
        };
        if guard.is_none() {
            let message = format!("this {} is closed", self.what);
            return Err(plain(py, "ClosedError", &message));
        }
        Ok(Open(guard))
    }

    /// Takes the value out: it is closed from now on.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<T> {
        let taken = self.lock(py)?.0.take();
        taken.ok_or_else(|| plain(py, "ClosedError", &format!("this {} is closed", self.what)))
    }

    /// Keeps other threads off until the hold is dropped, between uses too.
    pub(crate) fn hold(&self, py: Python<'_>) -> PyResult<Hold<'_, T>> {
        let mut holder = self.holder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if holder.is_some() {
            return Err(self.busy(py));
        }
        *holder = Some(thread::current().id());
        Ok(Hold(self))
    }

    fn busy(&self, py: Python<'_>) -> PyErr {
        let message = format!(
            "this {} is at work: it belongs to one thread at a time, and what it calls while it looks for its next step \
             must not ask it",
            self.what
        );
        plain(py, "BusyError", &message)
    }
}

/// A value that is there.
pub(crate) struct Open<'a, T>(MutexGuard<'a, Option<T>>);

impl<T> std::ops::Deref for Open<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| unreachable!("it was there when it was locked"))
    }
}

impl<T> std::ops::DerefMut for Open<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap_or_else(|| unreachable!("it was there when it was locked"))
    }
}

/// Other threads are kept off.
pub(crate) struct Hold<'a, T>(&'a Owned<T>);

impl<T> Drop for Hold<'_, T> {
    fn drop(&mut self) {
        *self.0.holder.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}
