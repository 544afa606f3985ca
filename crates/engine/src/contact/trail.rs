//! What contacts have carried at the stages of the attempted step: near what they carry there on its path, and known for nothing.

use super::{ContactForce, Load};

/// Times that are kept: methods have no more stages.
pub(crate) const STAGES: usize = 16;

/// Loads of all active contacts, by the times at which the right-hand side was asked for.
#[derive(Default)]
pub(crate) struct Trail {
    contacts: usize,
    times: Vec<f64>,
    loads: Vec<Load>,
}

impl Trail {
    /// Starts anew, with so many contacts.
    pub(crate) fn begin(&mut self, contacts: usize) {
        self.contacts = contacts;
        self.times.clear();
        self.loads.clear();
        self.times.reserve(STAGES);
        self.loads.reserve(STAGES * contacts);
    }

    /// Keeps the loads at a time: of several evaluations at one time those of the last.
    pub(super) fn note(&mut self, time: f64, forces: &[ContactForce]) {
        if self.contacts == 0 || forces.len() != self.contacts {
            return;
        }
        let loads = forces.iter().map(Load::of);
        match self.times.iter().position(|&other| other == time) {
            Some(stage) => {
                let kept = &mut self.loads[stage * self.contacts..][..self.contacts];
                kept.iter_mut().zip(loads).for_each(|(kept, load)| *kept = load);
            }
            None if self.times.len() < STAGES => {
                self.times.push(time);
                self.loads.extend(loads);
            }
            None => {}
        }
    }

    /// Times, with the loads of all contacts.
    pub(crate) fn stages(&self) -> impl Iterator<Item = (f64, &[Load])> {
        self.times.iter().copied().zip(self.loads.chunks_exact(self.contacts.max(1)))
    }
}
