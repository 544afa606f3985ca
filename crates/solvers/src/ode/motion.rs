/// Where a method is, and its last attempt to go on: what all of them have, whatever they know beside it.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Time of the current state.
    pub(crate) time: f64,
    /// Length of the last attempt; 0 before the first.
    pub(crate) step: f64,
    /// Current state.
    pub(crate) state: Vec<f64>,
    /// State at the end of the last attempt.
    pub(crate) trial: Vec<f64>,
}

impl Motion {
    /// Makes room for n states.
    pub(crate) fn resize(&mut self, n: usize) {
        self.state.resize(n, 0.0);
        self.trial.resize(n, 0.0);
    }

    /// Number of states.
    pub(crate) fn n(&self) -> usize {
        self.state.len()
    }

    /// Starts at (t, y), without an attempt.
    pub(crate) fn start(&mut self, t: f64, y: &[f64]) {
        self.time = t;
        self.step = 0.0;
        self.state.copy_from_slice(y);
        self.trial.copy_from_slice(y);
    }

    /// Time at the end of the last attempt.
    pub(crate) fn end(&self) -> f64 {
        self.time + self.step
    }

    /// trial = state + growth. What `growth` has beyond the states, as quadratures, stays.
    pub(crate) fn grow(&mut self, growth: &[f64]) {
        for (trial, (y, growth)) in self.trial.iter_mut().zip(self.state.iter().zip(growth)) {
            *trial = y + growth;
        }
    }

    /// The last attempt becomes the current state, at time t.
    pub(crate) fn accept(&mut self, t: f64) {
        self.time = t;
        std::mem::swap(&mut self.state, &mut self.trial);
    }
}
