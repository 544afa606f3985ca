//! What a contact problem without an answer tells.

use std::fmt;

/// Why there is no answer: there may be none (Painlevé), or none that the iterations have come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ConeFailure {
    pub(crate) iterations: usize,
    /// Natural map over the size of the impulses.
    pub(crate) residual: f64,
}

impl fmt::Display for ConeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} iterations leave a residual of {:.1e}", self.iterations, self.residual)
    }
}
