use std::ops::ControlFlow;

use carom_engine::System;
use carom_engine::record::{
    ContactInfo, Event, Frame, PairInfo, Progress, RecordError, Recorder, SearchSample, StepRow, Switch,
};

/// Keeps what the searches of one areal pair have cost up to each output time.
pub struct SearchLog {
    contact: usize,
    /// Time (s) and counters since the start.
    pub rows: Vec<(f64, SearchSample)>,
}

impl SearchLog {
    /// Of the pair of that name.
    ///
    /// # Panics
    /// If the system has no such pair.
    pub fn new(system: &System, pair: &str) -> Self {
        let info = system.info();
        let of_pair = |contact: &ContactInfo| info.pairs[contact.pair].name == pair;
        Self {
            contact: info.contacts.iter().position(of_pair).expect("a pair of the model"),
            rows: Vec::new(),
        }
    }

    /// A counter over the searches since the output time before, at each output time: times (s) and means.
    pub fn means(&self, counter: impl Fn(&SearchSample) -> u64) -> (Vec<f64>, Vec<f64>) {
        let steps = self.rows.windows(2);
        steps
            .map(|step| {
                let [(_, before), (time, now)] = [step[0], step[1]];
                let tests = (counter(&now) - counter(&before)) as f64;
                (time, tests / (now.searches - before.searches).max(1) as f64)
            })
            .unzip()
    }
}

impl Recorder for SearchLog {
    fn pairs_added(&mut self, _pairs: &[PairInfo], _contacts: &[ContactInfo]) -> Result<(), RecordError> {
        Ok(())
    }
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let of_pair = frame.searches.iter().filter(|sample| sample.contact == self.contact);
        self.rows.extend(of_pair.map(|sample| (frame.time, *sample)));
        Ok(())
    }
    fn probe(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    fn event(&mut self, _event: &Event) -> Result<(), RecordError> {
        Ok(())
    }
    fn switch(&mut self, _switch: &Switch) -> Result<(), RecordError> {
        Ok(())
    }
    fn step(&mut self, _step: &StepRow) -> Result<(), RecordError> {
        Ok(())
    }
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    fn checkpoint(&mut self, _bytes: &[u8]) -> Result<(), RecordError> {
        Ok(())
    }
}
