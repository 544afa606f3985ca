//! A bar on a terminal.

use std::time::{Duration, Instant};

use carom_engine::record::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use super::text::{Pace, count_line, time_line};

/// Runs that are done sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Wall time between two pictures.
const EVERY: Duration = Duration::from_millis(100);
/// Resolution of the bar.
const LENGTH: f64 = 1000.0;
const TEMPLATE: &str = "{prefix}  [{bar:20}]  {msg}";

/// The bar with its clock.
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: Instant,
    /// Simulated time at the start, not 0 for a resumed run (s).
    from: Option<f64>,
    title: String,
}

impl Bar {
    pub(super) fn new(title: &str) -> Self {
        let now = Instant::now();
        Self { bar: ProgressBar::hidden(), started: now, shown: now, from: None, title: title.to_owned() }
    }

    pub(super) fn show(&mut self, progress: &Progress) {
        let from = *self.from.get_or_insert(progress.time);
        let elapsed = self.started.elapsed();
        if elapsed < PATIENCE || self.shown.elapsed() < EVERY {
            return;
        }
        self.shown = Instant::now();
        if self.bar.is_hidden() {
            self.bar = ProgressBar::new(LENGTH as u64);
            if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
                self.bar.set_style(style.progress_chars("##-"));
            }
            self.bar.set_prefix(self.title.clone());
        }
        self.bar.set_position((LENGTH * progress.time / progress.t_end) as u64);
        let pace = Pace::new(progress, from, elapsed);
        self.bar.set_message(format!("{}\n  {}", time_line(progress, &pace), count_line(progress)));
    }

    pub(super) fn line(&self, text: &str) {
        self.bar.suspend(|| super::print(text));
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
