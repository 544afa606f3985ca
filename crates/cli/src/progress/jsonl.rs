//! One JSON object a second.

use std::time::{Duration, Instant};

use carom_engine::record::Progress;
use serde_json::json;

const EVERY: Duration = Duration::from_secs(1);

/// When the last line was.
pub(crate) struct Lines {
    started: Instant,
    shown: Option<Instant>,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), shown: None }
    }

    pub(super) fn show(&mut self, progress: &Progress) {
        if self.shown.is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let s = &progress.statistics;
        let line = json!({
            "schema": 1,
            "type": "progress",
            "time_s": progress.time,
            "t_end_s": progress.t_end,
            "elapsed_s": self.started.elapsed().as_secs_f64(),
            "step_s": progress.step,
            "steps": s.steps,
            "rejected": s.rejected,
            "rhs": s.rhs,
            "events": s.events,
            "contacts": progress.closed,
            "penetration_m": progress.penetration,
            "residual_relative": progress.residual_relative,
        });
        super::print(&line.to_string());
    }
}
