//! A recorder around the writer of the run folder: shows progress and events, stops on Ctrl-C.

use std::ops::ControlFlow;

use carom_engine::Recorder;
use carom_engine::record::{
    ContactInfo, ElementSample, Episode, Event, Frame, PairInfo, PatchSample, Progress, RecordError, RunInfo,
    StepRow, Switch,
};
use carom_results::RunWriter;

use super::interrupt;
use crate::progress::{Display, Stall};

/// Forwards everything to the writer.
pub(crate) struct Watch {
    writer: RunWriter,
    info: RunInfo,
    display: Display,
    stall: Stall,
    log_events: bool,
}

impl Watch {
    pub(crate) fn new(mut writer: RunWriter, info: RunInfo, display: Display, log_events: bool) -> Self {
        writer.on_progress(|_| {
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Self { writer, info, display, stall: Stall::default(), log_events }
    }

    /// The writer, when the run has ended.
    pub(crate) fn into_writer(self) -> RunWriter {
        self.display.clear();
        self.writer
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

impl Recorder for Watch {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.info.pairs.extend_from_slice(pairs);
        self.info.contacts.extend_from_slice(contacts);
        self.writer.pairs_added(pairs, contacts)
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.writer.frame(frame)
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.writer.probe(frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        self.stall.event(event);
        if self.log_events {
            self.display.line(&line_of(event, &self.info));
        }
        self.writer.event(event)
    }

    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        self.writer.episode(episode)
    }

    fn peak_patches(
        &mut self,
        time: f64,
        patches: &[PatchSample],
        elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        self.writer.peak_patches(time, patches, elements)
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        if self.log_events {
            self.display.line(&switch.to_string());
        }
        self.writer.switch(switch)
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.writer.step(step)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.display.show(progress);
        if let Some(message) = self.stall.check(progress, &self.info) {
            self.display.line(&message);
        }
        self.writer.progress(progress)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.writer.wants_checkpoint()
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.writer.checkpoint(bytes)
    }
}
