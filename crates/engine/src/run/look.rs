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

impl Look {
    pub(super) fn at(run: &Simulation<'_>) -> Self {
        Self { time: run.stepper.time(), steps: run.statistics.steps }
    }

    /// Progress since this look, which becomes now.
    pub(super) fn progress(&mut self, run: &Simulation<'_>) -> Progress {
        let since = std::mem::replace(self, Self::at(run));
        let steps = (self.steps - since.steps).max(1);
        let touching =
            run.stepping.as_ref().map_or_else(|| samples::touching(&run.evaluator), |s| s.closed.len());
        Progress {
            time: self.time,
            t_end: run.system.settings.t_end,
            step: (self.time - since.time) / steps as f64,
            statistics: run.statistics,
            closed: touching,
            penetration: run.evaluator.forces.iter().map(|f| -f.point.gap).fold(0.0, f64::max),
            residual_relative: run.ledger.residual_relative(),
        }
    }
}
