use crate::note::Note;

/// Fixed steps that were too long for Newton's method: shorter ones were made in their place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shrunk {
    /// How many.
    pub(super) steps: u64,
    /// When the first of them began (s).
    pub(super) first: f64,
    /// The shortest (s).
    pub(super) shortest: f64,
}

impl Shrunk {
    /// Counts a step of this length.
    pub(super) fn note(&mut self, time: f64, step: f64) {
        if self.steps == 0 {
            (self.first, self.shortest) = (time, step);
        }
        self.steps += 1;
        self.shortest = self.shortest.min(step);
    }

    /// W0510, if there were any.
    pub(super) fn warning(&self, fixed: f64) -> Option<Note> {
        let Self { steps, first, shortest } = *self;
        (steps > 0).then(|| {
            let message = format!(
                "{steps} steps were shorter than the fixed step of {fixed:e} s, the first at t = {first:.6e} s, the \
                 shortest {shortest:.1e} s: Newton's method found no solution with the whole step; choose a shorter `step`, or \
                 leave it out to have it controlled"
            );
            Note::new("W0510", message)
        })
    }
}
