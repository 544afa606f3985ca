//! How the run stands, for who watches it.

use super::Simulation;
use crate::contact::samples;
use crate::record::Progress;

/// Where a run stood when it was looked at.
pub(super) struct Look {
    /// Time (s).
    time: f64,
    /// Accepted steps.
    steps: u64,
}

impl Simulation<'_> {
    pub(super) fn look(&self) -> Look {
        Look { time: self.stepper.time(), steps: self.statistics.steps }
    }

    /// Progress since `looked`, which becomes now.
    pub(super) fn progress_since(&self, looked: &mut Look) -> Progress {
        let since = std::mem::replace(looked, self.look());
        let steps = (looked.steps - since.steps).max(1);
        let penetration = self.evaluator.forces.iter().map(|f| -f.point.gap).fold(0.0, f64::max);
        Progress {
            time: looked.time,
            t_end: self.system.settings.t_end,
            step: (looked.time - since.time) / steps as f64,
            statistics: self.statistics,
            closed: self
                .stepping
                .as_ref()
                .map_or_else(|| samples::touching(&self.evaluator), |s| s.closed.len()),
            penetration,
            residual_relative: self.ledger.residual_relative(),
        }
    }
}
