//! A line each 10 %, where there is no terminal.

use std::time::{Duration, Instant};

use carom_engine::record::Progress;

use super::text::{Pace, count_line, time_line};

/// Runs that are done sooner show nothing unless they are asked to.
const PATIENCE: Duration = Duration::from_secs(1);
/// Lines of a run.
const PARTS: f64 = 10.0;

/// Which line comes next.
pub(crate) struct Plain {
    started: Instant,
    patience: Duration,
    from: Option<f64>,
    /// Tenths that have been passed.
    passed: u64,
}

impl Plain {
    pub(super) fn every() -> Self {
        Self { started: Instant::now(), patience: Duration::ZERO, from: None, passed: 0 }
    }

    pub(super) fn of_long_runs() -> Self {
        Self { patience: PATIENCE, ..Self::every() }
    }

    pub(super) fn show(&mut self, progress: &Progress) {
        let part = (PARTS * progress.time / progress.t_end) as u64;
        let Some(from) = self.from else {
            // A resumed run does not start at 0.
            self.from = Some(progress.time);
            self.passed = part;
            return;
        };
        let elapsed = self.started.elapsed();
        if part <= self.passed || elapsed < self.patience {
            return;
        }
        self.passed = part;
        let pace = Pace::new(progress, from, elapsed);
        super::print(&format!(
            "{:>3} %  {}  {}",
            10 * part,
            time_line(progress, &pace),
            count_line(progress)
        ));
    }
}
