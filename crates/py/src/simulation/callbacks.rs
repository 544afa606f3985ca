//! Functions of Python that a simulation calls. They may refer to the simulation: the garbage collector sees them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom::{EventRow, LoadFunction};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

use super::function::{Held, Raised, Soundness, load_function};
use super::listener::Listener;

/// What listens to events, and what forces follow.
#[derive(Default)]
pub(super) struct Callbacks {
    listeners: Mutex<Vec<Listener>>,
    /// By force element.
    forces: Mutex<BTreeMap<String, Held>>,
    /// What a function that a force follows has raised.
    raised: Raised,
}

impl Callbacks {
    pub(super) fn listen(&self, listener: Listener) {
        sound(&self.listeners).push(listener);
    }

    pub(super) fn has_listeners(&self) -> bool {
        !sound(&self.listeners).is_empty()
    }

    pub(super) fn drive_forces(&self) -> bool {
        !sound(&self.forces).is_empty()
    }

    /// Functions that are told of an event.
    pub(super) fn told_of(&self, py: Python<'_>, event: &EventRow) -> Vec<Py<PyAny>> {
        sound(&self.listeners).iter().filter_map(|listener| listener.hears(py, event)).collect()
    }

    /// Gives a force element a function, or none. `turns`: it is a torque.
    pub(super) fn follow(
        &self,
        force: &str,
        function: Option<Py<PyAny>>,
        turns: bool,
    ) -> Option<LoadFunction> {
        self.trust();
        let mut forces = sound(&self.forces);
        let Some(function) = function else {
            forces.remove(force);
            return None;
        };
        let held: Held = Arc::new(Mutex::new(Some(function)));
        forces.insert(force.to_owned(), held.clone());
        Some(load_function(held, self.raised.clone(), turns))
    }

    /// What functions have raised since it was asked for. None is called any more then, before they are trusted again.
    pub(super) fn take_raised(&self) -> Option<PyErr> {
        let mut raised = sound(&self.raised);
        let next = if matches!(*raised, Soundness::Sound) { Soundness::Sound } else { Soundness::Told };
        match std::mem::replace(&mut *raised, next) {
            Soundness::Raised(error) => Some(error),
            Soundness::Sound | Soundness::Told => None,
        }
    }

    /// Functions are called again: there are others, or they are elsewhere.
    pub(super) fn trust(&self) {
        *sound(&self.raised) = Soundness::Sound;
    }

    /// Shows the functions to the garbage collector. One that is being called is in use.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Ok(listeners) = self.listeners.try_lock() {
            listeners.iter().try_for_each(|listener| visit.call(&listener.function))?;
        }
        if let Ok(forces) = self.forces.try_lock() {
            for held in forces.values() {
                if let Ok(function) = held.try_lock() {
                    visit.call(&*function)?;
                }
            }
        }
        Ok(())
    }

    /// Lets go of all functions.
    pub(super) fn clear(&self) {
        let listeners = std::mem::take(&mut *sound(&self.listeners));
        let forces = std::mem::take(&mut *sound(&self.forces));
        drop(listeners);
        forces.values().for_each(|held| drop(sound(held).take()));
    }
}

/// What a lock holds, whoever panicked with it.
fn sound<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
