//! A recorder that looks at everything before it hands it on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom_engine::record::{
    ContactInfo, Event, EventKind, Frame, PairInfo, Progress, RecordError, Recorder, StepRow, Switch,
};

/// Checks rows as they come: finite, in order, no contact pulls.
pub(crate) struct Watched<'a> {
    inner: &'a mut dyn Recorder,
    last_frame: f64,
    last_event: f64,
    pub(crate) frames: u64,
    pub(crate) events: BTreeMap<&'static str, u64>,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(inner: &'a mut dyn Recorder) -> Self {
        let (last_frame, last_event) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Self { inner, last_frame, last_event, frames: 0, events: BTreeMap::new() }
    }

    pub(crate) fn count(&self, kind: EventKind) -> u64 {
        self.events.get(kind.name()).copied().unwrap_or(0)
    }
}

impl Recorder for Watched<'_> {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.inner.pairs_added(pairs, contacts)
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        assert!(frame.time > self.last_frame, "frame at {} after {}", frame.time, self.last_frame);
        self.last_frame = frame.time;
        self.frames += 1;
        for body in frame.bodies {
            let q = body.orientation;
            let vectors = [body.position, body.velocity, body.angular_velocity];
            assert!(vectors.iter().all(|v| v.iter().all(|x| x.is_finite())), "{}: {body:?}", frame.time);
            assert!((q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0).abs() < 1e-12);
        }
        for contact in frame.contacts {
            // Between events a step may end a rounding before the force is zero.
            assert!(contact.normal_force >= -1e-9, "{}: {contact:?}", frame.time);
        }
        self.inner.frame(frame)
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.inner.probe(frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        assert!(event.time >= self.last_event, "{event:?} after {}", self.last_event);
        self.last_event = event.time;
        let depth = event.peaks.penetration.value;
        let numbers = [event.gap, event.approach_speed, event.impulse_normal, event.peaks.force.value, depth];
        let law = [event.law_approach_speed, event.stiffness, event.damping];
        let all = numbers.iter().chain(&law).chain(event.position.iter());
        assert!(all.copied().all(f64::is_finite), "{event:?}");
        *self.events.entry(event.kind.name()).or_default() += 1;
        self.inner.event(event)
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        self.inner.switch(switch)
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.inner.step(step)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.inner.progress(progress)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.inner.wants_checkpoint()
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.inner.checkpoint(bytes)
    }
}
