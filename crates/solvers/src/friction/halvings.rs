/// Whether rounds still get on: how many there were since the best residual was halved.
pub(super) struct Halvings {
    next: f64,
    since: usize,
}

impl Halvings {
    pub(super) fn from(residual: f64) -> Self {
        Self { next: 0.5 * residual, since: 0 }
    }

    /// Takes the best residual after one more round; returns the rounds since its last halving.
    pub(super) fn note(&mut self, best: f64) -> usize {
        self.since += 1;
        if best <= self.next {
            *self = Self::from(best);
        }
        self.since
    }
}
