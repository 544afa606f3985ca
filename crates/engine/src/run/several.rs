use std::fmt::Write;

use crate::note::Note;

/// Lengths of the text around numbers and names, and of one of them.
const TEXT: usize = 200;
const NUMBER: usize = 24;

/// Events after which rigid contacts had several answers, of which the run has taken one.
#[derive(Clone, Debug, Default)]
pub(super) struct Several {
    /// How many.
    pub(super) events: u64,
    /// Time (s), contacts and state of the first.
    pub(super) first: f64,
    pub(super) contacts: Vec<usize>,
    pub(super) state: Vec<f64>,
}

impl Several {
    /// Counts an event that leaves contacts with several answers.
    pub(super) fn note(&mut self, time: f64, contacts: &[usize], state: &[f64]) {
        if self.events == 0 {
            (self.first, self.contacts, self.state) = (time, contacts.to_vec(), state.to_vec());
        }
        self.events += 1;
    }

    /// W0514, if there were any.
    pub(super) fn warning(&self, name: impl Fn(usize) -> String) -> Option<Note> {
        let Self { events, first, contacts, state } = self;
        (*events > 0).then(|| {
            // One buffer: states are long.
            let mut message = String::with_capacity(TEXT + NUMBER * (state.len() + contacts.len()));
            // Writing to a string never fails.
            let _ = write!(
                message,
                "{events} times rigid contact had several answers (Painleve), of which the run took one: the first time at t = {first:.9} s for "
            );
            for (k, &contact) in contacts.iter().enumerate() {
                let _ = write!(message, "{}{}", if k > 0 { ", " } else { "" }, name(contact));
            }
            message += ", in the state [";
            for (k, x) in state.iter().enumerate() {
                let _ = write!(message, "{}{x:.6e}", if k > 0 { ", " } else { "" });
            }
            message.push(']');
            Note::new("W0514", message)
        })
    }
}
