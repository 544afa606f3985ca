use crate::note::Note;

/// Fixed steps whose error estimates are beyond the tolerances: they are made, and counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beyond {
    /// How many.
    pub(super) steps: u64,
    /// When the first of them began (s).
    pub(super) first: f64,
    /// Largest error over tolerance, and when that step began (s).
    pub(super) worst: f64,
    pub(super) worst_at: f64,
}

impl Beyond {
    /// Counts a step that began then, with an error of so many tolerances.
    pub(super) fn note(&mut self, time: f64, error: f64) {
        if self.steps == 0 {
            self.first = time;
        }
        self.steps += 1;
        if error > self.worst {
            (self.worst, self.worst_at) = (error, time);
        }
    }

    /// W0511, if there were any of the steps made.
    pub(super) fn warning(&self, fixed: f64, made: u64) -> Option<Note> {
        let Self { steps, first, worst, worst_at } = *self;
        (steps > 0).then(|| {
            let message = format!(
                "{steps} of {made} steps with the fixed length of {fixed:e} s have error estimates beyond the tolerances, the \
                 first at t = {first:.6e} s, the largest {worst:.1e} times at t = {worst_at:.6e} s: choose a shorter `step`, or leave \
                 it out to have it controlled"
            );
            Note::new("W0511", message)
        })
    }
}
