use std::collections::BTreeSet;
use std::ops::ControlFlow;

use carom_engine::record::{
    ContactInfo, ElementSample, Event, EventKind, Frame, PairInfo, PatchSample, Progress, RecordError,
    Recorder, Switch,
};

/// Keeps what it is told to of a run in memory; may break it off once.
#[derive(Default)]
pub struct Memory {
    /// Events in order.
    pub events: Vec<Event>,
    /// Are events kept?
    pub keeps_events: bool,
    /// Body whose height is kept, by index.
    pub follows: Option<usize>,
    /// Time (s) and height (m) of that body, frame by frame.
    pub heights: Vec<(f64, f64)>,
    /// Changes of the integrator so far.
    pub switches: u64,
    /// How often the regions of contacts changed in number so far.
    pub regroupings: u64,
    /// How often pairs came up so far.
    pub growths: u64,
    /// How many.
    pub pairs: u64,
    /// Contacts that have begun (true) and ended, in order; it has room for them from the start where allocations are counted.
    pub changes: Vec<(usize, bool)>,
    /// Areal contacts of which a patch was recorded so far.
    pub patched: BTreeSet<usize>,
    /// Time (s) after which the run is interrupted, once.
    pub stop_after: Option<f64>,
}

impl Recorder for Memory {
    fn pairs_added(&mut self, pairs: &[PairInfo], _contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.growths += 1;
        self.pairs += pairs.len() as u64;
        Ok(())
    }
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        if let Some(body) = self.follows {
            self.heights.push((frame.time, frame.bodies[body].position.z));
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        let regrouped =
            [EventKind::RegionBegin, EventKind::RegionEnd, EventKind::RegionMerge, EventKind::RegionSplit];
        self.regroupings += u64::from(regrouped.contains(&event.kind));
        match event.kind {
            EventKind::ContactBegin => self.changes.push((event.contact, true)),
            EventKind::ContactEnd => self.changes.push((event.contact, false)),
            _ => {}
        }
        if self.keeps_events {
            self.events.push(*event);
        }
        Ok(())
    }

    fn peak_patches(
        &mut self,
        _time: f64,
        patches: &[PatchSample],
        _elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        self.patched.extend(patches.iter().map(|patch| patch.contact));
        Ok(())
    }

    fn switch(&mut self, _switch: &Switch) -> Result<(), RecordError> {
        self.switches += 1;
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        match self.stop_after {
            Some(time) if progress.time > time => {
                self.stop_after = None;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
