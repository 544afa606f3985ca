//! Watches a run for the terminal and the page beside it: shows progress and events, stops on Ctrl-C, or when the model changes.

use std::ops::ControlFlow;

use carom::Monitor;
use carom_engine::record::{Event, Progress, RunInfo, Switch};

use super::interrupt;
use super::live::Live;
use super::watched::Watched;
use crate::progress::{Display, Stall};

/// What goes on beside runs.
#[derive(Default)]
pub(crate) struct Beside<'a> {
    /// Page that follows them.
    pub(crate) live: Option<&'a Live>,
    /// Files whose change ends a run.
    pub(crate) watched: Option<Watched>,
}

impl Beside<'_> {
    pub(crate) fn has_changed(&mut self) -> bool {
        self.watched.as_mut().is_some_and(Watched::has_changed)
    }
}

/// What is shown, and when to stop.
pub(crate) struct Watch<'a, 'b> {
    display: Display,
    stall: Stall,
    log_events: bool,
    beside: &'a mut Beside<'b>,
}

impl<'a, 'b> Watch<'a, 'b> {
    pub(crate) fn new(display: Display, log_events: bool, beside: &'a mut Beside<'b>) -> Self {
        Self { display, stall: Stall::default(), log_events, beside }
    }

    /// Takes what is shown off the terminal, when the run has ended.
    pub(crate) fn clear(self) {
        self.display.clear();
    }
}

/// One line of `--log-events`.
fn line_of(event: &Event, info: &RunInfo) -> String {
    let contact = &info.contacts[event.contact];
    let pair = &info.pairs[contact.pair].name;
    let feature =
        if contact.feature_name.is_empty() { String::new() } else { format!(" {}", contact.feature_name) };
    let mut line = format!(
        "t = {:<18} s  {:<13}  {pair}{feature}  approach {:.6e} m/s",
        event.time,
        event.kind.name(),
        event.approach_speed
    );
    if event.impulse_normal != 0.0 {
        line.push_str(&format!("  impulse {:.6e} N s", event.impulse_normal));
    }
    let peaks = &event.peaks;
    if peaks.penetration.value > 0.0 {
        line.push_str(&format!("  depth {:.3e} m", peaks.penetration.value));
    }
    if peaks.force.value > 0.0 {
        line.push_str(&format!("  force {:.3e} N at {} s", peaks.force.value, peaks.force.time));
    }
    line
}

impl Monitor for Watch<'_, '_> {
    fn event(&mut self, event: &Event, info: &RunInfo) {
        self.stall.event(event);
        if self.log_events {
            self.display.line(&line_of(event, info));
        }
    }

    fn switch(&mut self, switch: &Switch) {
        if self.log_events {
            self.display.line(&switch.to_string());
        }
    }

    fn progress(&mut self, progress: &Progress, info: &RunInfo) -> ControlFlow<()> {
        self.display.show(progress);
        if let Some(message) = self.stall.check(progress, info) {
            self.display.line(&message);
        }
        if let Some(live) = self.beside.live {
            live.progress(progress.time);
        }
        let stops = interrupt::is_asked() || self.beside.has_changed();
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
